/** Sign-in: email address, code, second factor. The link of an invitation starts it with an account to join. */
import { code, email } from '../fields.js';
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
import { withError } from './sign-in-errors.js';
import { AddressView, CodeView, DeadLinkView, FactorView } from './views.js';

const HOME = '/dashboard/applications';
const SIGN_IN = '/dashboard/sign-in';
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

const deadLink = (): SignInReply => signInPage('This link is over', DeadLinkView(), { status: 410 });

/** The code and the second factor, after the address was entered. */
function verificationPages({ signIn }: DashboardServices): readonly SignInRoute[] {
  const codePage = ({ progress }: SignInVisit, form: FormState): SignInReply => {
    const again = progress.invitation === undefined ? SIGN_IN : START;
    const view = CodeView({ form, email: progress.requested!.email, again, emailProvider: signIn.emailProvider() });
    return signInPage('Enter the code', view, { status: statusOf(form) });
  };

  async function finish({ progress }: SignInVisit): Promise<SignInReply> {
    const person = await signIn.personOf(progress.requested!.email, progress.invitation);
    if (!person) return deadLink();
    return signedIn(person, progress.invitation === undefined ? nextOf(progress.next) : HOME);
  }

  return [
    showSignIn('/sign-in/code', (visit) => (visit.progress.requested ? codePage(visit, EMPTY) : redirectTo(SIGN_IN))),

    postSignIn('/sign-in/code', async (visit) => {
      const { requested } = visit.progress;
      if (!requested) return redirectTo(SIGN_IN);
      const form = readForm({ code }, visit.body);
      if (!form.ok) return codePage(visit, form.state);
      try {
        await signIn.verifyCode(requested, form.values.code, visit.source);
      } catch (error) {
        return codePage(visit, withError(error, EMPTY, 'code'));
      }
      if (await signIn.needsSecondFactor(requested.email)) return redirectTo(`${SIGN_IN}/factor`, { verified: true });
      return finish(visit);
    }),

    showSignIn('/sign-in/factor', ({ progress }) => (progress.verified ? factorPage(EMPTY) : redirectTo(SIGN_IN))),

    postSignIn('/sign-in/factor', async (visit) => {
      const { verified, requested } = visit.progress;
      if (!verified || !requested) return redirectTo(SIGN_IN);
      const form = readForm({ code }, visit.body);
      if (!form.ok) return factorPage(form.state);
      try {
        await signIn.verifySecondFactor(requested.email, form.values.code, visit.source);
      } catch (error) {
        return factorPage(withError(error, EMPTY, 'code'));
      }
      return finish(visit);
    }),
  ];
}

export function signInPages(services: DashboardServices): readonly SignInRoute[] {
  const { signIn, people } = services;

  /** `invited` is the address of the invitation, null if it is for any address; undefined without an invitation. */
  const addressView = (form: FormState, invited?: string | null) =>
    AddressView({
      form,
      invited,
      action: invited === undefined ? SIGN_IN : START,
      emailProvider: signIn.emailProvider(),
    });

  async function requestCode(visit: SignInVisit, invitation?: string, invited?: string | null): Promise<SignInReply> {
    const again = (form: FormState) => signInPage('Sign in', addressView(form, invited), { status: statusOf(form) });
    const form = readForm({ email }, visit.body);
    if (!form.ok) return again(form.state);
    const { source, requestId } = visit;
    try {
      const requested = await signIn.requestCode({ email: form.values.email, invitation, source, requestId });
      // Only the invitation of this form: another site may have opened a different one in this browser meanwhile.
      return redirectTo(`${SIGN_IN}/code`, { requested, invitation, verified: false });
    } catch (error) {
      return again(withError(error, form.state, 'email'));
    }
  }

  const invitationOf = async ({ progress: { invitation } }: SignInVisit) =>
    invitation === undefined ? undefined : people.findInvitation(invitation);

  return [
    showSignIn('/sign-in', ({ query, person }) => {
      const next = nextOf(query.next);
      if (person) return redirectTo(next);
      const view = addressView(filledIn({ email: '' }));
      return signInPage('Sign in', view, { progress: { next, invitation: undefined } });
    }),
    postSignIn('/sign-in', (visit) => requestCode(visit)),

    showSignIn('/start', async (visit) => {
      const { key } = visit.query;
      // Removes the token from the address bar and the history.
      if (key !== undefined) return redirectTo(START, { invitation: key, requested: undefined, verified: false });
      const invitation = await invitationOf(visit);
      if (!invitation) return deadLink();
      return signInPage('Welcome', addressView(filledIn({ email: invitation.email ?? '' }), invitation.email));
    }),
    postSignIn('/start', async (visit) => {
      const invitation = await invitationOf(visit);
      return invitation ? requestCode(visit, visit.progress.invitation, invitation.email) : deadLink();
    }),

    ...verificationPages(services),
  ];
}
