import type { ComponentChildren } from 'preact';
import { accountName } from '../../modules/applications/application.js';
import type { PasskeyPrompt } from '../../modules/people/passkey.js';
import type { Provider } from '../../providers/provider.js';
import { CodeField } from '../components/code-field.js';
import { Field, FieldProblem, Form } from '../components/form.js';
import { EMAIL_DOWN, InboxHint } from '../components/inbox-hint.js';
import { Notice } from '../components/notice.js';
import { PasskeyForm } from '../components/passkey-form.js';
import { ASSETS } from '../http/assets.js';
import type { FormState } from '../form.js';
import { operatorCommand } from '../../platform/config/operator-command.js';

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

/** Without an owner, nobody gets a code: the sign-in form would be a dead end. */
const NO_OWNER_NOTICE = (
  <Notice kind="warning">
    <strong>This server has no owner yet.</strong> To become the owner, open the one-time link that the server printed
    when it started. A restart prints a new link. If it prints none, run{' '}
    <code>{operatorCommand()} account create --email EMAIL</code>.
  </Notice>
);

/** Explains that no code can be sent by email. */
const NO_EMAIL_NOTICE = (
  <div class="notice info" role="status">
    <p>
      This server cannot send codes, because it has no email provider. Ask its operator for a sign-in link. Operators
      can create one with <code>{operatorCommand()} account sign-in-link EMAIL</code>, or set <code>SMTP_URL</code> and{' '}
      <code>MAIL_FROM</code> to enable emailed codes.
    </p>
  </div>
);

interface AddressProps {
  readonly form: FormState;
  /** The invited email address; null if the invitation is valid for any address; undefined without an invitation. */
  readonly invited: string | null | undefined;
  readonly action: string;
  readonly emailProvider: Provider | undefined;
  readonly hasNoOwner: boolean;
  /** Passkey prompt; undefined if the service URL does not support passkeys. */
  readonly passkey: PasskeyPrompt | undefined;
}

const leadOf = ({ invited, emailProvider }: AddressProps): string => {
  if (!emailProvider) return 'There is no password.';
  if (invited === undefined) return "Enter your email address and we'll send you a code. There is no password.";
  return "You sign in with your email address. We'll send it a code now, and each time you sign in.";
};

export function AddressView(props: AddressProps) {
  const { form, invited, action, emailProvider, hasNoOwner, passkey } = props;
  return (
    <SignInCard title={invited === undefined ? 'Sign in' : 'Welcome to Passbell'} lead={leadOf(props)}>
      {hasNoOwner && NO_OWNER_NOTICE}
      {emailProvider ? (
        <Form action={action} noValidate>
          <Field
            form={form}
            name="email"
            label="Email address"
            type="email"
            autocomplete="email"
            inputMode="email"
            autofocus
            required
            readOnly={typeof invited === 'string'}
          />
          <button class="button">Email me a code</button>
        </Form>
      ) : (
        NO_EMAIL_NOTICE
      )}
      <InboxHint emailProvider={emailProvider} />
      {passkey && (
        <PasskeyForm form={form} action="/dashboard/sign-in/passkey" prompt={passkey} ceremony="get">
          <button class="button subtle">Sign in with a passkey</button>
        </PasskeyForm>
      )}
    </SignInCard>
  );
}

interface CodeProps {
  readonly form: FormState;
  readonly email: string;
  /** Whether the person has an invitation, so that the page need not hide whether the address has access. */
  readonly isInvited: boolean;
  /** Whether the mail server was down when the code was requested. */
  readonly isEmailDown: boolean;
  /** Path of the form that requests another code. */
  readonly requestPath: string;
  readonly emailProvider: Provider | undefined;
}

export function CodeView({ form, email, isInvited, isEmailDown, requestPath, emailProvider }: CodeProps) {
  const address = <strong>{email}</strong>;
  return (
    <SignInCard
      title="Enter the code"
      lead={
        <>
          {isInvited ? 'We' : <>If {address} has access, we</>}
          {isEmailDown ? ' are trying to send' : "'ve sent"} a six-digit code{isInvited && <> to {address}</>}. It
          expires in 10 minutes.
        </>
      }
    >
      {isEmailDown && (
        <Notice kind="warning">
          {EMAIL_DOWN} You can also sign in with a passkey, or ask the operator of this server for a sign-in link.
        </Notice>
      )}
      <Form action="/dashboard/sign-in/code" noValidate>
        <CodeField form={form} label="Code" inputMode="numeric" class="code-input" autofocus />
        <button class="button">Continue</button>
      </Form>
      <InboxHint emailProvider={emailProvider} />
      <div class="actions">
        <Form action={requestPath} class="inline">
          <input type="hidden" name="email" value={email} />
          <button class="button subtle small" aria-describedby={form.errors.another && 'field-another-error'}>
            Send another code
          </button>
        </Form>
        <a class="button subtle small" href={requestPath}>
          Use another email address
        </a>
      </div>
      <FieldProblem form={form} name="another" />
    </SignInCard>
  );
}

export function FactorView({ form }: { form: FormState }) {
  return (
    <SignInCard
      title="Two-factor code"
      lead="Enter the code that your authenticator app shows now, or a recovery code."
    >
      <Form action="/dashboard/sign-in/factor" noValidate>
        <CodeField form={form} label="Authenticator or recovery code" class="code-input" autofocus />
        <button class="button">Sign in</button>
      </Form>
      <p class="quiet small">
        Lost both? Ask an account owner to remove and re-invite you, or ask the operator of this server to reset your
        authenticator.
      </p>
    </SignInCard>
  );
}

export function ExpiredInvitationView() {
  return (
    <SignInCard
      title="This link has expired"
      lead="It has expired, was already used, or was revoked. Ask for a new one. If nobody has joined yet, restart Passbell to print a new link."
    >
      <a class="button" href="/dashboard/sign-in">
        Sign in
      </a>
    </SignInCard>
  );
}

interface SignInLinkProps {
  readonly email: string;
  readonly account: string;
  readonly action: string;
}

export function SignInLinkView({ email, account, action }: SignInLinkProps) {
  return (
    <SignInCard
      title="Sign in"
      lead={
        <>
          This link signs you in as <strong>{email}</strong>. Account: <strong>{accountName(account)}</strong>. The link
          works once.
        </>
      }
    >
      <Form action={action}>
        <button class="button" autofocus>
          Sign in
        </button>
      </Form>
    </SignInCard>
  );
}

export function ExpiredSignInLinkView() {
  return (
    <SignInCard
      title="This link has expired"
      lead="It has expired or was already used. Ask the operator of this server for a new one."
    >
      <a class="button" href="/dashboard/sign-in">
        Sign in another way
      </a>
    </SignInCard>
  );
}
