import type { ConfirmationMethod } from '../../modules/people/confirmation.js';
import type { PasskeyPrompt } from '../../modules/people/passkey.js';
import type { Provider } from '../../providers/provider.js';
import { useVisit } from '../components/context.js';
import { CodeField } from '../components/code-field.js';
import { FieldProblem, Form } from '../components/form.js';
import { EMAIL_DOWN, InboxHint } from '../components/inbox-hint.js';
import { Notice } from '../components/notice.js';
import { PageHead } from '../components/page-head.js';
import { PasskeyForm, type PasskeyFieldNames } from '../components/passkey-form.js';
import { Submit } from '../components/submit.js';
import type { FormBody, FormState } from '../form.js';

interface ConfirmationProps {
  readonly form: FormState;
  readonly method: ConfirmationMethod;
  /** The encrypted `maskId` of the emailed code; "" if no code was sent. */
  readonly sentCode: string;
  readonly email: { readonly provider: Provider | undefined; readonly isDown: boolean };
  /** Passkey prompt; undefined if the person has no passkey for this site. */
  readonly passkey: PasskeyPrompt | undefined;
  /** Fields of the form that requires the confirmation. They are submitted again together with the confirmation. */
  readonly originalForm: FormBody;
}

export const SENT_CODE_FIELD = 'confirmationSent';
export const CODE_FIELD = 'confirmationCode';
export const PASSKEY_FIELDS: PasskeyFieldNames = {
  challenge: 'confirmationChallenge',
  credential: 'confirmationCredential',
};

const LEADS: Readonly<Record<ConfirmationMethod, string>> = {
  email: 'enter the code that we sent to your email address.',
  authenticator: 'enter the code from your authenticator app, or a recovery code.',
  none: 'you must have signed in within the last 15 minutes.',
};

/** Names of actions, by the end of the form's path. The first match counts. */
const ACTIONS: readonly (readonly [path: RegExp, action: string])[] = [
  [/\/people\/invite$/, 'invite this person'],
  [/\/people\/\d+\/role$/, 'change the role of this person'],
  [/\/people\/\d+\/remove$/, 'remove this person'],
  [/\/api-keys$/, 'create the API key'],
  [/\/api-keys\/\d+\/revoke$/, 'revoke the API key'],
  [/\/account\/passkeys$/, 'add a passkey'],
  [/\/passkeys\/\d+\/remove$/, 'remove the passkey'],
  [/\/account\/two-factor/, 'change your authenticator'],
  [/\/channels\/add\//, 'add the provider'],
  [/\/channels\/providers\/[^/]+\/remove$/, 'remove the provider'],
  [/\/channels\/providers\//, 'change the provider'],
  [/\/applications\/new$/, 'create the application'],
  [/\/applications\/[^/]+(?:\/connect\/[^/]+)?\/secret$/, 'create a new App Secret'],
  [/\/applications\/[^/]+\/settings\/delete$/, 'delete the application'],
  [/\/applications\/[^/]+\/settings\//, 'save the settings'],
  [/\/automations$/, 'connect the shop'],
  [/\/automations\/[^/]+\/secret$/, 'change the secret of the shop'],
];

const actionOf = (path: string): string => ACTIONS.find(([end]) => end.test(path))?.[1] ?? 'continue';

const HiddenFields = ({ fields }: { fields: FormBody }) => (
  <>
    {Object.entries(fields).flatMap(([name, values]) =>
      values.map((value) => <input key={name} type="hidden" name={name} value={value} />),
    )}
  </>
);

function CodeForm({ form, method, sentCode, email, originalForm }: Omit<ConfirmationProps, 'passkey'>) {
  const { path } = useVisit();
  // No code was sent, for example because the last one was sent less than 30 seconds ago.
  if (method === 'email' && sentCode === '')
    return (
      <Form action={path}>
        <HiddenFields fields={originalForm} />
        <FieldProblem form={form} name={CODE_FIELD} />
        <Submit label="Email me a code" cancel="/dashboard/applications" />
      </Form>
    );
  const label = method === 'email' ? 'Code from the email' : 'Authenticator code or recovery code';
  return (
    <Form action={path} noValidate>
      <HiddenFields fields={originalForm} />
      <input type="hidden" name={SENT_CODE_FIELD} value={sentCode} />
      <CodeField form={form} name={CODE_FIELD} label={label} autofocus />
      {method === 'email' && <InboxHint emailProvider={email.provider} />}
      <Submit label="Continue" cancel="/dashboard/applications" />
    </Form>
  );
}

const AnotherCodeForm = ({ originalForm }: Pick<ConfirmationProps, 'originalForm'>) => (
  <Form action={useVisit().path}>
    <HiddenFields fields={originalForm} />
    <button class="button subtle">Send another code</button>
  </Form>
);

/**
 * A page that asks the person to confirm their identity, and then resubmits the form that requires the confirmation.
 */
export function ConfirmationView(props: ConfirmationProps) {
  const { form, method, sentCode, email, passkey, originalForm } = props;
  const { path } = useVisit();
  const request = method === 'email' && sentCode === '' ? 'request a code by email.' : LEADS[method];
  const lead = `To ${actionOf(path)}, ${request}`;
  return (
    <>
      <PageHead title="Confirm your identity" lead={lead} />
      {email.isDown && (
        <Notice kind="warning">
          {EMAIL_DOWN} If you cannot wait, sign out, then sign in with a passkey or with a sign-in link from the
          operator of this server. After that, you won't need a code for 15 minutes.
        </Notice>
      )}
      <section class="card narrow" data-confirms>
        {method === 'none' ? (
          <p>Sign out, then sign in again with a passkey or with a sign-in link from the operator of this server.</p>
        ) : (
          <CodeForm {...props} />
        )}
        {sentCode !== '' && <AnotherCodeForm originalForm={originalForm} />}
        {passkey && (
          <PasskeyForm form={form} action={path} prompt={passkey} ceremony="get" names={PASSKEY_FIELDS}>
            <HiddenFields fields={originalForm} />
            <button class="button subtle">Use a passkey</button>
          </PasskeyForm>
        )}
      </section>
    </>
  );
}
