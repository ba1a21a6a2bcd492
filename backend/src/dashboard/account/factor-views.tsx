/** What turning an authenticator on and off shows. */
import { Copy } from '../components/copy.js';
import { Field, Form } from '../components/form.js';
import { PageHead } from '../components/page-head.js';
import type { FormState } from '../form.js';

interface EnrolProps {
  readonly form: FormState;
  /** The QR code as a `data:` address. */
  readonly picture: string;
  /** What is typed where nothing can be scanned. */
  readonly manualKey: string;
  readonly maskId: string | undefined;
}

export function EnrolView({ form, picture, manualKey, maskId }: EnrolProps) {
  return (
    <>
      <PageHead
        title="Turn the authenticator on"
        lead="Any app for codes does: on a phone, or in a password manager."
      />
      <section class="card enrol">
        <img
          src={picture}
          alt="QR code for the authenticator; the key below it says the same"
          width="220"
          height="220"
        />
        <div class="stack">
          <div>
            <p class="strong">1. Scan this, or type the key into the app</p>
            <Copy label="key" value={manualKey} />
          </div>
          <Form action="/dashboard/account/two-factor" noValidate>
            <input type="hidden" name="maskId" value={maskId ?? ''} />
            <Field
              form={form}
              name="code"
              label="2. Enter the code that it shows"
              autocomplete="one-time-code"
              inputMode="numeric"
              required
            />
            <div class="actions">
              <button class="button">Turn it on</button>
              <a class="button subtle" href="/dashboard/account">
                Cancel
              </a>
            </div>
          </Form>
        </div>
      </section>
    </>
  );
}

export function FactorOff({ form }: { form: FormState }) {
  return (
    <Form action="/dashboard/account/two-factor/off" class="line" noValidate>
      <Field
        form={form}
        name="code"
        label="Code of the authenticator, or a recovery code"
        autocomplete="one-time-code"
        required
      />
      <button class="button danger">Turn it off</button>
    </Form>
  );
}

export function TurnOffView({ form }: { form: FormState }) {
  return (
    <>
      <PageHead title="Turn the authenticator off" lead="From then on the code by mail is enough." />
      <section class="card">
        <FactorOff form={form} />
      </section>
    </>
  );
}
