/** What somebody sees on the way in. */
import type { ComponentChildren } from 'preact';
import type { Channel } from '../../providers/provider.js';
import { Field, Form } from '../components/form.js';
import { ASSETS } from '../http/assets.js';
import type { FormState } from '../form.js';

type Mail = Channel | undefined;

function Entrance({ title, lead, children }: { title: string; lead: ComponentChildren; children?: ComponentChildren }) {
  return (
    <>
      <p class="brand">
        <img src={`/dashboard${ASSETS.icon.path}`} alt="" width="36" height="36" />
        Passbell
      </p>
      <div class="card entrance">
        <div>
          <h1>{title}</h1>
          <p class="lead">{lead}</p>
        </div>
        {children}
      </div>
    </>
  );
}

/** Where a code arrives while no provider is configured. */
function InboxHint({ mail }: { mail: Mail }) {
  return mail?.standIn ? (
    <p class="quiet small">
      No mail server is configured, so codes land in the{' '}
      <a href="/dev/inbox" target="_blank" rel="noopener">
        dev inbox
      </a>
      .
    </p>
  ) : null;
}

interface AddressProps {
  readonly form: FormState;
  /** The address that an invitation is for, null for any; undefined where there is none. */
  readonly invited: string | null | undefined;
  readonly action: string;
  readonly mail: Mail;
}

export function AddressView({ form, invited, action, mail }: AddressProps) {
  if (!mail)
    return (
      <Entrance
        title="No code can be sent"
        lead="Signing in needs a mail server: whoever runs Passbell sets SMTP_URL and MAIL_FROM, and starts it again."
      />
    );
  const welcome = invited !== undefined;
  return (
    <Entrance
      title={welcome ? 'Welcome to Passbell' : 'Sign in'}
      lead={
        welcome
          ? 'Your mail address is how you sign in. We send it a code, now and whenever you come back.'
          : 'We send a code to your mail address. There is no password.'
      }
    >
      <Form action={action} noValidate>
        <Field
          form={form}
          name="email"
          label="Mail address"
          type="email"
          autocomplete="email"
          inputMode="email"
          autofocus
          required
          readOnly={typeof invited === 'string'}
        />
        <button class="button">Send the code</button>
      </Form>
      <InboxHint mail={mail} />
    </Entrance>
  );
}

interface CodeProps {
  readonly form: FormState;
  readonly email: string;
  /** Where another code is asked for. */
  readonly again: string;
  readonly mail: Mail;
}

export function CodeView({ form, email, again, mail }: CodeProps) {
  return (
    <Entrance
      title="Enter the code"
      lead={
        <>
          If <strong>{email}</strong> may sign in here, a code of six digits is on its way. It is good for ten minutes.
        </>
      }
    >
      <Form action="/dashboard/sign-in/code" noValidate>
        <Field
          form={form}
          name="code"
          label="Code"
          autocomplete="one-time-code"
          inputMode="numeric"
          class="code-input"
          autofocus
          required
        />
        <button class="button">Continue</button>
      </Form>
      <InboxHint mail={mail} />
      <div class="actions">
        <Form action={again} class="inline">
          <input type="hidden" name="email" value={email} />
          <button class="button subtle small">Send another code</button>
        </Form>
        <a class="button subtle small" href={again}>
          Another address
        </a>
      </div>
    </Entrance>
  );
}

export function FactorView({ form }: { form: FormState }) {
  return (
    <Entrance title="One more code" lead="Enter the one that your authenticator shows now, or a recovery code.">
      <Form action="/dashboard/sign-in/factor" noValidate>
        <Field
          form={form}
          name="code"
          label="Code of the authenticator"
          autocomplete="one-time-code"
          class="code-input"
          autofocus
          required
        />
        <button class="button">Sign in</button>
      </Form>
      <p class="quiet small">
        Lost both? An owner of your account can take you out and invite you again; whoever runs Passbell can reset your
        authenticator.
      </p>
    </Entrance>
  );
}

export function DeadLinkView() {
  return (
    <Entrance
      title="This link is over"
      lead="It was used, taken back, or is too old. Ask for a new one; on a first start, start Passbell again to get one."
    >
      <a class="button" href="/dashboard/sign-in">
        Sign in
      </a>
    </Entrance>
  );
}
