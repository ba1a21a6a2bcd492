import type { ConfirmationMethod } from '../../modules/people/confirmation.js';
import type { PasskeyPrompt } from '../../modules/people/passkey.js';
import { useVisit } from '../components/context.js';
import { Field, Form } from '../components/form.js';
import { PageHead } from '../components/page-head.js';
import { PasskeyForm, type PasskeyFieldNames } from '../components/passkey-form.js';
import { Submit } from '../components/submit.js';
import type { FormBody, FormState } from '../form.js';

interface ConfirmationProps {
  readonly form: FormState;
  readonly method: ConfirmationMethod;
  /** The code that was sent by email, sealed; "" for none. */
  readonly sentCode: string;
  /** Undefined if the person has no passkey for this site. */
  readonly passkey: PasskeyPrompt | undefined;
  /** The fields of the form that waits for the confirmation. */
  readonly waiting: FormBody;
}

export const SENT_CODE = 'confirmationSent';
export const CODE = 'confirmationCode';
export const PASSKEY_FIELDS: PasskeyFieldNames = {
  challenge: 'confirmationChallenge',
  credential: 'confirmationCredential',
};

const LEADS: Readonly<Record<ConfirmationMethod, string>> = {
  email: 'This change grants access, so we sent a code to your email address. Enter it to continue.',
  authenticator: 'This change grants access. Enter a code of your authenticator, or a recovery code, to continue.',
  none: 'This change grants access, and you signed in some time ago.',
};

const Waiting = ({ fields }: { fields: FormBody }) => (
  <>
    {Object.entries(fields).flatMap(([name, values]) =>
      values.map((value) => <input key={name} type="hidden" name={name} value={value} />),
    )}
  </>
);

function CodeForm({ form, method, sentCode, waiting }: Omit<ConfirmationProps, 'passkey'>) {
  const { path } = useVisit();
  const label = method === 'email' ? 'Code from the email' : 'Code of the authenticator, or a recovery code';
  return (
    <Form action={path} noValidate>
      <Waiting fields={waiting} />
      <input type="hidden" name={SENT_CODE} value={sentCode} />
      <Field form={form} name={CODE} label={label} autocomplete="one-time-code" autofocus required />
      <Submit label="Continue" cancel="/dashboard/applications" />
    </Form>
  );
}

/** Asks the person to prove who they are, and then submits the waiting form. */
export function ConfirmationView(props: ConfirmationProps) {
  const { form, method, passkey, waiting } = props;
  const { path } = useVisit();
  return (
    <>
      <PageHead title="Confirm that it is you" lead={LEADS[method]} />
      <section class="card narrow">
        {method === 'none' ? (
          <p>Sign out, and sign in again with a passkey or with a sign-in link from the operator of this server.</p>
        ) : (
          <CodeForm {...props} />
        )}
        {passkey && (
          <PasskeyForm form={form} action={path} prompt={passkey} ceremony="get" names={PASSKEY_FIELDS}>
            <Waiting fields={waiting} />
            <button class="button subtle">Use a passkey</button>
          </PasskeyForm>
        )}
      </section>
    </>
  );
}
