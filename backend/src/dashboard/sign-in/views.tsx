import type { ComponentChildren } from 'preact';
import type { Provider } from '../../providers/provider.js';
import { CodeField } from '../components/code-field.js';
import { Field, Form } from '../components/form.js';
import { ASSETS } from '../http/assets.js';
import type { FormState } from '../form.js';

interface SignInCardProps {
  readonly title: string;
  readonly lead: ComponentChildren;
  readonly children?: ComponentChildren;
}

function SignInCard({ title, lead, children }: SignInCardProps) {
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

/** Shown while no email provider is configured. */
const INBOX_HINT = (
  <p class="quiet small">
    No mail server is configured, so codes land in the{' '}
    <a href="/dev/inbox" target="_blank" rel="noopener">
      dev inbox
    </a>
    .
  </p>
);

interface AddressProps {
  readonly form: FormState;
  /** Address of the invitation, null if it is for any address; undefined without an invitation. */
  readonly invited: string | null | undefined;
  readonly action: string;
  readonly emailProvider: Provider | undefined;
}

export function AddressView({ form, invited, action, emailProvider }: AddressProps) {
  if (!emailProvider)
    return (
      <SignInCard
        title="No code can be sent"
        lead="Signing in needs a mail server: whoever runs Passbell sets SMTP_URL and MAIL_FROM, and starts it again."
      />
    );
  const welcome = invited !== undefined;
  return (
    <SignInCard
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
      {emailProvider?.standIn && INBOX_HINT}
    </SignInCard>
  );
}

interface CodeProps {
  readonly form: FormState;
  readonly email: string;
  /** Path of the form that sends another code. */
  readonly again: string;
  readonly emailProvider: Provider | undefined;
}

export function CodeView({ form, email, again, emailProvider }: CodeProps) {
  return (
    <SignInCard
      title="Enter the code"
      lead={
        <>
          If <strong>{email}</strong> may sign in here, a code of six digits is on its way. It is good for ten minutes.
        </>
      }
    >
      <Form action="/dashboard/sign-in/code" noValidate>
        <CodeField form={form} label="Code" inputMode="numeric" class="code-input" autofocus />
        <button class="button">Continue</button>
      </Form>
      {emailProvider?.standIn && INBOX_HINT}
      <div class="actions">
        <Form action={again} class="inline">
          <input type="hidden" name="email" value={email} />
          <button class="button subtle small">Send another code</button>
        </Form>
        <a class="button subtle small" href={again}>
          Another address
        </a>
      </div>
    </SignInCard>
  );
}

export function FactorView({ form }: { form: FormState }) {
  return (
    <SignInCard title="One more code" lead="Enter the one that your authenticator shows now, or a recovery code.">
      <Form action="/dashboard/sign-in/factor" noValidate>
        <CodeField form={form} label="Code of the authenticator" class="code-input" autofocus />
        <button class="button">Sign in</button>
      </Form>
      <p class="quiet small">
        Lost both? An owner of your account can take you out and invite you again; whoever runs Passbell can reset your
        authenticator.
      </p>
    </SignInCard>
  );
}

export function DeadLinkView() {
  return (
    <SignInCard
      title="This link is over"
      lead="It was used, taken back, or is too old. Ask for a new one; on a first start, start Passbell again to get one."
    >
      <a class="button" href="/dashboard/sign-in">
        Sign in
      </a>
    </SignInCard>
  );
}
