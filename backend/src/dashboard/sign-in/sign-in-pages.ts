/** Sign-in pages: email address, code and second factor. With an invitation link, the person also joins an account. */
import type { SignIn } from '../../modules/people/sign-in.js';
import { actorOf } from '../../modules/access/actor.js';
import { accountNameText, timeZoneName } from '../../modules/applications/account-profile.js';
import { DEMO_NAME } from '../../modules/applications/application.js';
import type { Person } from '../../modules/people/person.js';
import { parseCode, parseEmail, parseEmailedCode, parseOptionalPhone } from '../fields.js';
import { readPasskeyResponse } from '../components/passkey-form.js';
import { EMPTY_FORM, filledForm, readForm, statusOf, type FormState } from '../form.js';
import type { Modules } from '../modules.js';
import type { FirstRunFields, SignInProgress, SignInReply, SignInRoute, SignInVisit } from '../sign-in-page.js';
import { postSignIn, redirectTo, showSignIn, signedIn, signInPage } from '../sign-in-page.js';
import { CODE_MINUTES } from '../../modules/people/sign-in.js';
import { MINUTE } from '../../platform/clock.js';
import { passkeySiteOf } from '../../modules/people/passkey.js';
import type { FirstRun } from './first-run.js';
import { FirstRunView, NoOwnerView, Phone } from './first-run-view.js';
import { NEXT_CODE_HINT, PASSKEY_REJECTED, withError } from './sign-in-errors.js';
import {
  AddressView,
  type AddressProps,
  CodeView,
  DeadEndView,
  FactorView,
  SignInLinkView,
  StopWeeklyEmailView,
} from './views.js';

const HOME_PATH = '/dashboard/home';
const SIGN_IN_PATH = '/dashboard/sign-in';
const SIGN_IN_LINK_PATH = '/dashboard/sign-in/link';
const STOP_WEEKLY_EMAIL_PATH = '/weekly-email/stop';
const INVITATION_PATH = '/dashboard/start';
const FIRST_RUN_PATH = '/dashboard/start/first';
const PHONE_PATH = '/dashboard/sign-in/phone';

/** Returns the path to open after sign-in. Accepts only dashboard paths, which prevents redirects to other sites. */
function nextOf(text: string | undefined): string {
  if (text === undefined || !/^\/dashboard\/[\w\-./?=&%:+,]*$/.test(text)) return HOME_PATH;
  const { pathname, search } = new URL(text, 'http://localhost');
  return pathname.startsWith('/dashboard/') ? pathname + search : HOME_PATH;
}

const factorPage = (form: FormState): SignInReply =>
  signInPage('Two-factor code', FactorView({ form }), { status: statusOf(form) });

const deadEnd = (props: Parameters<typeof DeadEndView>[0], status = 410): SignInReply =>
  signInPage(props.title, DeadEndView(props), { status });

const expiredInvitation = (): SignInReply =>
  deadEnd({
    title: 'This link no longer works',
    lead: 'Invitations work once. They expire after 7 days, and an owner can revoke them earlier. Ask the person who invited you for a new link.',
    link: [SIGN_IN_PATH, 'Sign in'],
  });

const hasOwner = (): SignInReply =>
  deadEnd({
    title: 'This server already has an owner',
    lead: 'Sign in, or ask an owner of the account to invite you.',
    link: [SIGN_IN_PATH, 'Sign in'],
  });

type SignInModules = Modules<'applications' | 'clock' | 'devInbox' | 'people' | 'providers'>;
type FirstStep = Omit<NonNullable<SignInVisit['progress']['verified']>, 'at'>;

/** Creates the steps that follow email verification: asking for the second factor, or finishing the sign-in. */
function createSteps({ people: { service, signIn }, applications, clock }: SignInModules) {
  /** Stores the name and the time zone from the first run. The name is also that of the demo application. */
  async function setUp(owner: Person, { name, timeZone }: FirstRunFields): Promise<void> {
    const actor = actorOf(owner);
    const { accountId } = owner;
    await applications.profiles.update(actor, accountId, { name, timeZone });
    if (name === '') return;
    for (const application of await applications.service.listInAccount(accountId))
      if (application.name === DEMO_NAME) await applications.service.update(actor, application.appKey, { name });
  }

  async function finish(
    { progress: { invitation, next, requested }, isLocal }: SignInVisit,
    { email, method, accountId }: FirstStep,
    secondFactor: '' | ' and authenticator',
  ): Promise<SignInReply> {
    if (requested?.firstRun) {
      const owner = isLocal ? await service.joinFirst(email) : undefined;
      if (!owner) return (await service.hasNobody()) ? expiredInvitation() : hasOwner();
      await setUp(owner, requested.firstRun);
      return signedIn(owner, 'first run', HOME_PATH);
    }
    const person = await (accountId === undefined
      ? signIn.personOf(email, invitation)
      : signIn.personOfLink(email, accountId));
    if (!person) return expiredInvitation();
    return signedIn(person, `${method}${secondFactor}`, invitation === undefined ? nextOf(next) : HOME_PATH);
  }

  async function afterFirstStep(visit: SignInVisit, step: FirstStep): Promise<SignInReply> {
    if (!(await signIn.needsSecondFactor(step.email))) return finish(visit, step, '');
    return redirectTo(`${SIGN_IN_PATH}/factor`, { verified: { ...step, at: clock.now() }, requested: undefined });
  }

  return { afterFirstStep, finish };
}

function createCodePage(signIn: SignIn, firstRun: FirstRun) {
  return async function codePage(visit: SignInVisit, form: FormState): Promise<SignInReply> {
    const { progress } = visit;
    const isInvited = progress.invitation !== undefined;
    const { email, isEmailDown = false, phone, firstRun: first } = progress.requested!;
    const startPath = isInvited || first ? INVITATION_PATH : SIGN_IN_PATH;
    const view = CodeView({
      form,
      to: phone ?? email,
      isInvited: isInvited || first !== undefined,
      isFirst: first !== undefined,
      isEmailDown,
      startPath,
      requestPath: first ? FIRST_RUN_PATH : startPath,
      request: { email, ...first },
      emailProvider: signIn.emailProvider(),
      messages: await firstRun.messages(visit),
      phonePath: PHONE_PATH,
    });
    return signInPage('Enter the code', view, { status: statusOf(form) });
  };
}

/** Returns the pages for the code and the second factor, which follow the page for the email address. */
function verificationPages(core: SignInModules, firstRun: FirstRun): readonly SignInRoute[] {
  const { signIn } = core.people;
  const { afterFirstStep, finish } = createSteps(core);

  const codePage = createCodePage(signIn, firstRun);

  return [
    showSignIn('/sign-in/phone', async (visit) => ({
      kind: 'fragment',
      content: Phone({ messages: (await firstRun.messages(visit)) ?? [], path: PHONE_PATH }),
    })),

    showSignIn('/sign-in/code', (visit) =>
      visit.progress.requested ? codePage(visit, EMPTY_FORM) : redirectTo(SIGN_IN_PATH),
    ),

    postSignIn('/sign-in/code', async (visit) => {
      const { requested } = visit.progress;
      if (!requested) return redirectTo(SIGN_IN_PATH);
      const form = readForm({ code: parseEmailedCode }, visit.body);
      if (!form.ok) return codePage(visit, form.state);
      const { email, maskId } = requested;
      try {
        await signIn.verifyCode(visit.attemptOf(email), maskId, form.values.code);
      } catch (error) {
        return codePage(visit, withError(error, EMPTY_FORM, 'code'));
      }
      return afterFirstStep(visit, { email, method: 'emailed code' });
    }),

    showSignIn('/sign-in/factor', ({ progress }) =>
      progress.verified ? factorPage(EMPTY_FORM) : redirectTo(SIGN_IN_PATH),
    ),

    postSignIn('/sign-in/factor', async (visit) => {
      const { verified } = visit.progress;
      if (!verified) return redirectTo(SIGN_IN_PATH);
      const form = readForm({ code: parseCode }, visit.body);
      if (!form.ok) return factorPage(form.state);
      try {
        await signIn.verifySecondFactor(visit.attemptOf(verified.email), form.values.code);
      } catch (error) {
        return factorPage(withError(error, EMPTY_FORM, 'code', NEXT_CODE_HINT));
      }
      return finish(visit, verified, ' and authenticator');
    }),
  ];
}

/** Returns the pages for sign-in links, which the operator creates with `passbell account sign-in-link`. */
function linkPages(core: SignInModules): readonly SignInRoute[] {
  const { signInLinks } = core.people;
  const { afterFirstStep } = createSteps(core);
  const expired = () =>
    deadEnd({
      title: 'This link no longer works',
      lead: 'Sign-in links work once, and expire after 15 minutes. Ask the operator of this server for a new link.',
      link: [SIGN_IN_PATH, 'Sign in another way'],
    });

  return [
    // The sign-in link is used up only when the person presses the button, because mail scanners and chat previews open
    // links.
    showSignIn('/sign-in/link', async ({ query: { key }, progress }) => {
      // Removes the token from the address bar and the history.
      if (key !== undefined) return redirectTo(SIGN_IN_LINK_PATH, { link: key, invitation: undefined });
      const link = await signInLinks.find(progress.link ?? '');
      return link ? signInPage('Sign in', SignInLinkView({ ...link, action: SIGN_IN_LINK_PATH })) : expired();
    }),

    postSignIn('/sign-in/link', async (visit) => {
      const link = await signInLinks.use(visit.progress.link ?? '');
      if (!link) return expired();
      const { email, accountId } = link;
      return afterFirstStep(visit, { email, method: 'sign-in link', accountId });
    }),
  ];
}

/**
 * Returns the page behind the link with which people stop their weekly email, also the one in the header
 * List-Unsubscribe (RFC 8058). It needs no sign-in: the token proves who may stop the email.
 */
function weeklyEmailPages({ people: { weeklyEmails } }: SignInModules): readonly SignInRoute[] {
  async function stopPage({ query: { token = '' } }: SignInVisit, stops: boolean): Promise<SignInReply> {
    const person = await weeklyEmails.personOf(token);
    const shared = { link: ['/dashboard/account', 'Open your profile'], isDone: true } as const;
    if (!person) {
      const lead = 'Open the link in the email again, or turn the weekly email off in your profile.';
      return deadEnd({ title: 'This link is not valid', lead, ...shared }, 404);
    }
    if (stops) await weeklyEmails.set(person, false);
    if (await weeklyEmails.isOn(person)) return signInPage('Turn off the weekly email', StopWeeklyEmailView(person));
    const lead = 'You can turn it on again in your profile.';
    return deadEnd({ title: 'The weekly email is off', lead, ...shared }, 200);
  }

  return [
    // Mail scanners open links, so a GET request changes nothing.
    showSignIn(STOP_WEEKLY_EMAIL_PATH, (visit) => stopPage(visit, false)),
    // Mail programs follow no redirect.
    { ...postSignIn(STOP_WEEKLY_EMAIL_PATH, (visit) => stopPage(visit, true)), isSignedLink: true },
  ];
}

export function signInPages(core: SignInModules, firstRun: FirstRun): readonly SignInRoute[] {
  const { signIn, service: people, passkeys } = core.people;
  const codePage = createCodePage(signIn, firstRun);

  /** Returns the path of the page for the code that this browser has requested; undefined if the code has expired. */
  const codePathOf = ({ requested }: Partial<SignInProgress>): string | undefined =>
    requested && requested.at + CODE_MINUTES * MINUTE > core.clock.now() ? `${SIGN_IN_PATH}/code` : undefined;

  function phoneOf(visit: SignInVisit, invited: string | null | undefined): AddressProps['phone'] {
    if (!firstRun.hasPhone(visit)) return undefined;
    if (invited === null) return 'every';
    return invited === undefined && visit.isKnownBrowser ? 'known' : undefined;
  }

  /**
   * Returns the sign-in page, which also accepts passkeys, or the page for an invitation, which accepts only an emailed
   * code.
   */
  async function addressPage(
    visit: SignInVisit,
    form: FormState,
    /** The invited email address; null if the invitation is valid for any address; undefined without an invitation. */
    invited: string | null | undefined,
    progress: Partial<SignInProgress> = {},
  ): Promise<SignInReply> {
    const welcome = invited !== undefined;
    const site = welcome ? undefined : passkeySiteOf(visit.serviceUrl);
    const view = AddressView({
      form,
      invited,
      action: welcome ? INVITATION_PATH : SIGN_IN_PATH,
      emailProvider: signIn.emailProvider(),
      phone: phoneOf(visit, invited),
      codePath: codePathOf({ ...visit.progress, ...progress }),
      passkey: site && (await passkeys.prompt(visit.progress.id, site)),
    });
    return signInPage(welcome ? 'Welcome' : 'Sign in', view, { status: statusOf(form), progress });
  }

  /** Returns the page for the first run. Until another form is submitted, it shows the fields of the latest request. */
  function firstRunPage(visit: SignInVisit, form?: FormState): SignInReply {
    const { requested } = visit.progress;
    const shown = form ?? filledForm(requested?.firstRun ? { email: requested.email, ...requested.firstRun } : {});
    const codePath = requested?.firstRun && codePathOf({ requested });
    const view = FirstRunView({ form: shown, action: FIRST_RUN_PATH, codePath });
    return signInPage('Set up Passbell', view, { status: statusOf(shown) });
  }

  const noOwner = (isLate: boolean): SignInReply =>
    signInPage('This server has no owner yet', NoOwnerView({ isLate }), { status: 403 });

  /** Returns the page for a visitor without an invitation, while there is no owner; otherwise undefined. */
  async function withoutOwner(visit: SignInVisit): Promise<SignInReply | undefined> {
    if (!(await people.hasNobody())) return undefined;
    if (!(await firstRun.isAllowed(visit))) return noOwner(false);
    return firstRun.isOnTime() ? firstRunPage(visit) : noOwner(true);
  }

  async function startFirstRun(visit: SignInVisit): Promise<SignInReply> {
    const closed = await withoutOwner(visit);
    if (closed?.kind !== 'page' || closed.status !== 200) return closed ?? redirectTo(SIGN_IN_PATH);
    const timeZone = (text: string) => (text === '' ? '' : timeZoneName(text));
    const fields = { name: accountNameText, email: parseEmail, phone: parseOptionalPhone, timeZone };
    const form = readForm(fields, visit.body);
    if (!form.ok) return firstRunPage(visit, form.state);
    const { email, ...first } = form.values;
    const firstRunTo = first.phone || email;
    try {
      const request = { ...visit.attemptOf(email), invitation: undefined, firstRunTo, requestId: visit.requestId };
      const { maskId, send } = await signIn.requestCode(request);
      const requested = { email, maskId, phone: firstRunTo, firstRun: first, at: core.clock.now() };
      return redirectTo(`${SIGN_IN_PATH}/code`, { requested, invitation: undefined, verified: undefined }, send);
    } catch (error) {
      const { errors } = withError(error, form.state, 'email');
      const { requested } = visit.progress;
      if (requested?.email === email && requested.firstRun)
        return codePage(visit, filledForm({}, { another: errors.email! }));
      return firstRunPage(visit, { ...form.state, errors });
    }
  }

  async function requestCode(visit: SignInVisit, invitation?: string, invited?: string | null): Promise<SignInReply> {
    const form = readForm({ email: parseEmail }, visit.body);
    if (!form.ok) return addressPage(visit, form.state, invited);
    const attempt = visit.attemptOf(form.values.email);
    try {
      const request = { ...attempt, invitation, requestId: visit.requestId };
      const [code, isEmailDown] = await Promise.all([signIn.requestCode(request), signIn.isEmailDown()]);
      // In the dev inbox, anyone could read the code: it is shown only to a person who has proved who they are before.
      const isTrusted = attempt.knownBrowser !== undefined || (invitation !== undefined && invited === null);
      const phone = isTrusted && firstRun.hasPhone(visit) ? attempt.email : undefined;
      const requested = { email: attempt.email, maskId: code.maskId, isEmailDown, phone, at: core.clock.now() };
      // Stores the invitation from this form. The cookie may contain a different invitation, because another site may
      // have opened an invitation link in this browser.
      return redirectTo(`${SIGN_IN_PATH}/code`, { requested, invitation, verified: undefined }, code.send);
    } catch (error) {
      const state = withError(error, form.state, 'email');
      // If no code could be sent, for example because another code was requested too early, shows the form for the
      // earlier code again.
      if (visit.progress.requested?.email === attempt.email)
        return codePage(visit, filledForm({}, { another: state.errors.email! }));
      return addressPage(visit, state, invited);
    }
  }

  const invitationOf = async ({ progress: { invitation } }: SignInVisit) =>
    invitation === undefined ? undefined : people.findInvitation(invitation);

  return [
    showSignIn('/sign-in', async (visit) => {
      const next = nextOf(visit.query.next);
      if (visit.person) return redirectTo(next);
      if (await people.hasNobody().catch(() => false)) return redirectTo(INVITATION_PATH);
      // A code that was requested with an invitation is for the page of the invitation.
      const { requested, invitation } = visit.progress;
      const progress = { next, invitation: undefined, ...(invitation === undefined ? {} : { requested: undefined }) };
      const typed = invitation === undefined && requested ? { email: requested.email } : {};
      return addressPage(visit, filledForm(typed), undefined, progress);
    }),
    postSignIn('/sign-in', (visit) => requestCode(visit)),

    postSignIn('/sign-in/passkey', async (visit) => {
      const { serviceUrl, progress, body } = visit;
      const site = passkeySiteOf(serviceUrl);
      const person = site && (await signIn.personByPasskey(progress.id, site, readPasskeyResponse(body)));
      if (person) return signedIn(person, 'passkey', nextOf(progress.next));
      return addressPage(visit, filledForm({}, { passkey: PASSKEY_REJECTED }), undefined);
    }),

    showSignIn('/start', async (visit) => {
      const { key } = visit.query;
      // Removes the token from the address bar and the history.
      if (key !== undefined)
        return redirectTo(INVITATION_PATH, { invitation: key, requested: undefined, verified: undefined });
      const invitation = await invitationOf(visit);
      if (!invitation) {
        const closed = await withoutOwner(visit);
        if (closed) return closed;
        if (visit.progress.invitation !== undefined) return expiredInvitation();
        return visit.person ? redirectTo(HOME_PATH) : hasOwner();
      }
      const email = invitation.email ?? visit.progress.requested?.email ?? '';
      return addressPage(visit, filledForm({ email }), invitation.email);
    }),
    postSignIn('/start', async (visit) => {
      const invitation = await invitationOf(visit);
      return invitation ? requestCode(visit, visit.progress.invitation, invitation.email) : expiredInvitation();
    }),

    postSignIn('/start/first', startFirstRun),

    ...weeklyEmailPages(core),
    ...verificationPages(core, firstRun),
    ...linkPages(core),
  ];
}
