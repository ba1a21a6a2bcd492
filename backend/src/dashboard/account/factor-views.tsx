import { CodeField } from '../components/code-field.js';
import { Copy } from '../components/copy.js';
import { Form } from '../components/form.js';
import { PageHead } from '../components/page-head.js';
import { Submit } from '../components/submit.js';
import type { FormState } from '../form.js';

type EnrolProps = Record<'picture' | 'manualKey', string> & { form: FormState; maskId: string | undefined };

/** `picture` is a QR code as a `data:` URL. */
export function EnrollView({ form, picture, manualKey, maskId }: EnrolProps) {
  return (
    <>
      <PageHead title="Turn on the authenticator" lead="Use any authenticator app or password manager." />
      <section class="card enroll">
        <img
          src={picture}
          alt="QR code for the authenticator app. You can enter the key below instead."
          width="220"
          height="220"
        />
        <div class="stack">
          <div>
            <p class="strong">1. Scan this QR code, or enter the key in your app</p>
            <Copy label="key" value={manualKey} />
          </div>
          <Form action="/dashboard/account/two-factor" noValidate>
            <input type="hidden" name="maskId" value={maskId ?? ''} />
            <CodeField form={form} label="2. Enter the code that your app shows" inputMode="numeric" />
            <Submit label="Turn on the authenticator" cancel="/dashboard/account" />
          </Form>
        </div>
      </section>
    </>
  );
}

export const TurnOffForm = ({ form }: { form: FormState }) => (
  <Form action="/dashboard/account/two-factor/off" class="line" noValidate>
    <CodeField form={form} label="Authenticator or recovery code" />
    <button class="button danger">Turn off the authenticator</button>
  </Form>
);

export const TurnOffView = ({ form }: { form: FormState }) => (
  <>
    <PageHead
      title="Turn off the authenticator"
      lead="Signing in will then require only an emailed code or a passkey."
    />
    <section class="card">
      <TurnOffForm form={form} />
    </section>
  </>
);
