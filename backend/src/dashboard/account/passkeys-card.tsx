import type { Passkey, PasskeyPrompt } from '../../modules/people/passkey.js';
import { Card } from '../components/card.js';
import { useVisit } from '../components/context.js';
import { Field, Form } from '../components/form.js';
import { PasskeyForm } from '../components/passkey-form.js';
import { Time } from '../components/time.js';
import { Submit } from '../components/submit.js';
import { statusOf, type FormState } from '../form.js';

const PASSKEYS_LEAD = 'Sign in with your fingerprint, face or PIN instead of a code.';

export interface PasskeysProps {
  readonly passkeys: readonly Passkey[];
  /** Undefined if the service URL does not support passkeys. */
  readonly prompt: PasskeyPrompt | undefined;
  readonly form: FormState;
}

const RemoveForm = ({ passkey: { id, name } }: { passkey: Passkey }) => (
  <Form action={`/dashboard/account/passkeys/${id}/remove`} class="inline">
    <button
      class="button subtle small"
      aria-label={`Remove the passkey ${name}`}
      data-confirm={`Remove ${name}? You won't be able to sign in with it anymore.`}
    >
      Remove
    </button>
  </Form>
);

export function PasskeysCard({ passkeys, prompt, form }: PasskeysProps) {
  const { serviceUrl } = useVisit();
  return (
    <Card id="passkeys" title="Passkeys" lead={PASSKEYS_LEAD}>
      {passkeys.length > 0 && (
        <ul class="plain-list">
          {passkeys.map((passkey) => (
            <li key={passkey.id}>
              <span>
                {passkey.name}{' '}
                <span class="quiet">
                  {passkey.lastUsedAt === null ? 'not used yet' : ['last used ', <Time ms={passkey.lastUsedAt} />]}
                </span>
              </span>
              <RemoveForm passkey={passkey} />
            </li>
          ))}
        </ul>
      )}
      {prompt ? (
        <details class="disclosure" open={statusOf(form) !== 200}>
          <summary class="button subtle">Add a passkey</summary>
          <PasskeyForm form={form} action="/dashboard/account/passkeys" prompt={prompt} ceremony="create">
            <Field
              form={form}
              name="name"
              label="Passkey name"
              hint="For example, the device that stores it."
              required
            />
            <Submit label="Continue" />
          </PasskeyForm>
          <noscript>
            <p class="quiet">To add a passkey, turn on JavaScript.</p>
          </noscript>
        </details>
      ) : (
        <p class="quiet small">
          Passkeys need an https:// address with a domain name. This server is at <code>{serviceUrl}</code>.{' '}
          <a href="/docs/going-live">Set up HTTPS</a>
        </p>
      )}
    </Card>
  );
}
