/**
 * Asks people to confirm their identity before a change of access. The confirmation page contains the
 * submitted form fields as hidden fields, and submits them again together with the code.
 */
import type { Confirmation } from '../../modules/people/confirmation.js';
import type { Passkeys } from '../../modules/people/passkeys.js';
import type { SignIn } from '../../modules/people/sign-in.js';
import { passkeySiteOf, type PasskeyPrompt } from '../../modules/people/passkey.js';
import { parseCode } from '../fields.js';
import { EMPTY_FORM, FieldError, filledForm, textOf, type FormBody, type FormState } from '../form.js';
import { page, type PageReply, type Visit } from '../page.js';
import { readPasskeyResponse } from '../components/passkey-form.js';
import { NEXT_CODE_HINT, PASSKEY_REJECTED, withError } from '../sign-in/sign-in-errors.js';
import { CODE_FIELD, ConfirmationView, PASSKEY_FIELDS, SENT_CODE_FIELD } from './confirmation-view.js';

const CONFIRMATION_FIELDS = ['token', SENT_CODE_FIELD, CODE_FIELD, ...Object.values(PASSKEY_FIELDS)];

const originalFields = (body: FormBody): FormBody =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !CONFIRMATION_FIELDS.includes(name)));

export function createConfirmationCheck(confirmation: Confirmation, passkeys: Passkeys, signIn: SignIn) {
  async function passkeyPrompt({ person, session, serviceUrl }: Visit): Promise<PasskeyPrompt | undefined> {
    const site = passkeySiteOf(serviceUrl);
    const own = site && (await passkeys.ofEmail(person.email)).some(({ rpId }) => rpId === site.rpId);
    return own ? passkeys.prompt(session.tokenHash, site) : undefined;
  }

  async function confirmationPage(visit: Visit, form: FormState, status: number, sent?: string): Promise<PageReply> {
    const { session, requestId, sealedBody } = visit;
    const method = await confirmation.methodOf(session);
    let sentCode = sent ?? '';
    let shownForm = form;
    if (method === 'email' && sentCode === '') {
      try {
        sentCode = await confirmation.sendCode(session, requestId);
      } catch (error) {
        sentCode = confirmation.lastSentCode(session);
        shownForm = withError(error, form, CODE_FIELD);
      }
    }
    const passkey = await passkeyPrompt(visit);
    const originalForm = originalFields(sealedBody);
    const email = { provider: signIn.emailProvider(), isDown: method === 'email' && (await signIn.isEmailDown()) };
    const view = (
      <ConfirmationView
        form={shownForm}
        method={method}
        sentCode={sentCode}
        email={email}
        passkey={passkey}
        originalForm={originalForm}
      />
    );
    return page('Confirm your identity', view, status);
  }

  const codeHint = async ({ session }: Visit): Promise<string> =>
    (await confirmation.methodOf(session)) === 'authenticator' ? NEXT_CODE_HINT : '';

  /**
   * Verifies the submitted code or passkey. Returns the confirmation form with an error message, or undefined if the
   * confirmation is accepted.
   */
  async function verifyConfirmation(visit: Visit): Promise<FormState | undefined> {
    const { session, body, source, serviceUrl } = visit;
    if (textOf(body, PASSKEY_FIELDS.credential) !== '') {
      const site = passkeySiteOf(serviceUrl);
      const response = readPasskeyResponse(body, PASSKEY_FIELDS);
      const accepted = site && (await confirmation.confirmByPasskey(session, site, response));
      return accepted ? undefined : filledForm({}, { passkey: PASSKEY_REJECTED });
    }
    try {
      await confirmation.confirm(session, {
        code: parseCode(textOf(body, CODE_FIELD)),
        sealed: textOf(body, SENT_CODE_FIELD),
        source,
      });
      return undefined;
    } catch (error) {
      return error instanceof FieldError
        ? filledForm({}, { [CODE_FIELD]: error.message })
        : withError(error, EMPTY_FORM, CODE_FIELD, await codeHint(visit));
    }
  }

  /**
   * Returns the page that asks for confirmation; undefined if the person has confirmed their identity with this request
   * or recently.
   */
  return async function askForConfirmation(visit: Visit): Promise<PageReply | undefined> {
    const { session, body } = visit;
    if (confirmation.isRecent(session)) return undefined;
    const hasReply = [CODE_FIELD, PASSKEY_FIELDS.credential].some((name) => body[name] !== undefined);
    if (!hasReply) return confirmationPage(visit, EMPTY_FORM, 403);
    const problem = await verifyConfirmation(visit);
    return problem && confirmationPage(visit, problem, 422, textOf(body, SENT_CODE_FIELD));
  };
}
