/** Sign-in: email address, code, second factor. The link of an invitation starts it with an account to join. */
import { code, email } from '../fields.js';
import { passkeyResponseIn } from '../components/passkey-form.js';
import { filledIn, readForm, statusOf, type FormState } from '../form.js';
import type { DashboardServices } from '../services.js';
import {
  postSignIn,
  redirectTo,
  showSignIn,
  signedIn,
  signInPage,
  type SignInReply,
  type SignInRoute,
  type SignInVisit,
} from '../sign-in-page.js';
import { passkeySiteOf } from '../../modules/people/passkey.js';
import type { SignInMethod } from '../../modules/people/sign-in-log.js';
import { PASSKEY_REJECTED, withError } from './sign-in-errors.js';
import { AddressView, CodeView, DeadLinkView, ExpiredSignInLinkView, FactorView, SignInLinkView } from './views.js';

const HOME = '/dashboard/applications';
const SIGN_IN = '/dashboard/sign-in';
const LINK = '/dashboard/sign-in/link';
const START = '/dashboard/start';

/** Returns the path if it is a page of the dashboard; prevents redirects to other sites. */
function nextOf(text: string | undefined): string {
  if (text === undefined || !/^\/dashboard\/[\w\-./?=&%:+,]*$/.test(text)) return HOME;
  const { pathname, search } = new URL(text, 'http://localhost');
  return pathname.startsWith('/dashboard/') ? pathname + search : HOME;
}

const EMPTY = filledIn({ code: '' });

const factorPage = (form: FormState): SignInReply =>
  signInPage('One more code', FactorView({ form }), { status: statusOf(form) });

const deadLink = (): SignInReply => signInPage('This link has expired', DeadLinkView(), { status: 410 });

/** The steps after the first one has succeeded for an address: asks for the second factor, or finishes the sign-in. */
function createSteps({ signIn, clock }: DashboardServices) {
  async function finish(
    { progress: { invitation, next } }: SignInVisit,
    { email, method }: { email: string; method: SignInMethod },
    secondFactor: '' | ' and authenticator',
  ): Promise<SignInReply> {
    const byLink = method === 'sign-in link';
    const person = await (byLink ? signIn.personOfLink(email) : signIn.personOf(email, invitation));
    if (!person) return deadLink();
    return signedIn(person, `${method}${secondFactor}`, invitation === undefined ? nextOf(next) : HOME);
  }

  async function afterFirstStep(visit: SignInVisit, email: string, method: SignInMethod): Promise<SignInReply> {
    if (!(await signIn.needsSecondFactor(email))) return finish(visit, { email, method }, '');
    return redirectTo(`${SIGN_IN}/factor`, { verified: { email, method, at: clock.now() }, requested: undefined });
  }

  return { afterFirstStep, finish };
}

/** The pages for the code and the second factor, after the address was entered. */
function verificationPages(services: DashboardServices): readonly SignInRoute[] {
  const { signIn } = services;
  const { afterFirstStep, finish } = createSteps(services);

  const codePage = ({ progress }: SignInVisit, form: FormState): SignInReply => {
    const again = progress.invitation === undefined ? SIGN_IN : START;
    const view = CodeView({ form, email: progress.requested!.email, again, emailProvider: signIn.emailProvider() });
    return signInPage('Enter the code', view, { status: statusOf(form) });
  };

  return [
    showSignIn('/sign-in/code', (visit) => (visit.progress.requested ? codePage(visit, EMPTY) : redirectTo(SIGN_IN))),

    postSignIn('/sign-in/code', async (visit) => {
      const { requested } = visit.progress;
      if (!requested) return redirectTo(SIGN_IN);
      const form = readForm({ code }, visit.body);
      if (!form.ok) return codePage(visit, form.state);
      const { email, maskId } = requested;
      try {
        await signIn.verifyCode(visit.attemptOf(email), maskId, form.values.code);
      } catch (error) {
        return codePage(visit, withError(error, EMPTY, 'code'));
      }
      return afterFirstStep(visit, email, 'code by email');
    }),

    showSignIn('/sign-in/factor', ({ progress }) => (progress.verified ? factorPage(EMPTY) : redirectTo(SIGN_IN))),

    postSignIn('/sign-in/factor', async (visit) => {
      const { verified } = visit.progress;
      if (!verified) return redirectTo(SIGN_IN);
      const form = readForm({ code }, visit.body);
      if (!form.ok) return factorPage(form.state);
      try {
        await signIn.verifySecondFactor(visit.attemptOf(verified.email), form.values.code);
      } catch (error) {
        return factorPage(withError(error, EMPTY, 'code'));
      }
      return finish(visit, verified, ' and authenticator');
    }),
  ];
}

/** Links that the operator creates with `passbell account sign-in-link`. */
function linkPages(services: DashboardServices): readonly SignInRoute[] {
  const { signInLinks } = services;
  const { afterFirstStep } = createSteps(services);
  const expired = () => signInPage('This link has expired', ExpiredSignInLinkView(), { status: 410 });

  return [
    // The link is used only when the button is pressed, because programs that check links open them.
    showSignIn('/sign-in/link', async ({ query: { key }, progress }) => {
      // Removes the token from the address bar and the history.
      if (key !== undefined) return redirectTo(LINK, { link: key, invitation: undefined });
      const email = await signInLinks.find(progress.link ?? '');
      return email === undefined ? expired() : signInPage('Sign in', SignInLinkView({ email, action: LINK }));
    }),

    postSignIn('/sign-in/link', async (visit) => {
      const email = await signInLinks.use(visit.progress.link ?? '');
      return email === undefined ? expired() : afterFirstStep(visit, email, 'sign-in link');
    }),
  ];
}

export function signInPages(services: DashboardServices): readonly SignInRoute[] {
  const { signIn, people, passkeys, clock } = services;

  /** The sign-in page, which also accepts a passkey, or the page of an invitation, which needs a code by email. */
  async function addressPage(
    visit: SignInVisit,
    form: FormState,
    /** The address of the invitation, null if it is for any address; undefined without an invitation. */
    invited: string | null | undefined,
    progress: Partial<SignInVisit['progress']> = {},
  ): Promise<SignInReply> {
    const welcome = invited !== undefined;
    const site = welcome ? undefined : passkeySiteOf(visit.serviceUrl);
    const view = AddressView({
      ...{ form, invited, action: welcome ? START : SIGN_IN, emailProvider: signIn.emailProvider() },
      passkey: site && (await passkeys.prompt(visit.progress.id, site)),
    });
    return signInPage(welcome ? 'Welcome' : 'Sign in', view, { status: statusOf(form), progress });
  }

  async function requestCode(visit: SignInVisit, invitation?: string, invited?: string | null): Promise<SignInReply> {
    const form = readForm({ email }, visit.body);
    if (!form.ok) return addressPage(visit, form.state, invited);
    const attempt = visit.attemptOf(form.values.email);
    try {
      const maskId = await signIn.requestCode({ ...attempt, invitation, requestId: visit.requestId });
      const requested = { email: attempt.email, maskId, at: clock.now() };
      // Uses only the invitation of this form: another site may have opened a different invitation in this browser.
      return redirectTo(`${SIGN_IN}/code`, { requested, invitation, verified: undefined });
    } catch (error) {
      return addressPage(visit, withError(error, form.state, 'email'), invited);
    }
  }

  const invitationOf = async ({ progress: { invitation } }: SignInVisit) =>
    invitation === undefined ? undefined : people.findInvitation(invitation);

  return [
    showSignIn('/sign-in', (visit) => {
      const next = nextOf(visit.query.next);
      if (visit.person) return redirectTo(next);
      return addressPage(visit, filledIn({ email: '' }), undefined, { next, invitation: undefined });
    }),
    postSignIn('/sign-in', (visit) => requestCode(visit)),

    postSignIn('/sign-in/passkey', async (visit) => {
      const { serviceUrl, progress, body } = visit;
      const site = passkeySiteOf(serviceUrl);
      const person = site && (await signIn.personByPasskey(progress.id, site, passkeyResponseIn(body)));
      if (person) return signedIn(person, 'passkey', nextOf(progress.next));
      return addressPage(visit, filledIn({ email: '' }, { passkey: PASSKEY_REJECTED }), undefined);
    }),

    showSignIn('/start', async (visit) => {
      const { key } = visit.query;
      // Removes the token from the address bar and the history.
      if (key !== undefined) return redirectTo(START, { invitation: key, requested: undefined, verified: undefined });
      const invitation = await invitationOf(visit);
      if (!invitation) return deadLink();
      return addressPage(visit, filledIn({ email: invitation.email ?? '' }), invitation.email);
    }),
    postSignIn('/start', async (visit) => {
      const invitation = await invitationOf(visit);
      return invitation ? requestCode(visit, visit.progress.invitation, invitation.email) : deadLink();
    }),

    ...verificationPages(services),
    ...linkPages(services),
  ];
}
