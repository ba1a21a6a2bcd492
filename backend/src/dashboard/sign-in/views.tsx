import { accountName } from '../../modules/applications/application.js';
import type { PasskeyPrompt } from '../../modules/people/passkey.js';
import type { Provider } from '../../providers/provider.js';
import { CodeField } from '../components/code-field.js';
import { Entrance } from '../components/entrance.js';
import { Field, FieldProblem, Form } from '../components/form.js';
import { EMAIL_DOWN, InboxHint } from '../components/inbox-hint.js';
import { Notice } from '../components/notice.js';
import type { InboxMessage } from '../../modules/dev-inbox/dev-inbox.js';
import { Phone, WaitingCode, type FirstRunProps } from './first-run-view.js';
import { PasskeyForm } from '../components/passkey-form.js';
import type { FormState } from '../form.js';
import { operatorCommand } from '../../platform/config/operator-command.js';

const NO_EMAIL_NOTICE = (
  <div class="notice info" role="status">
    <p>
      This server cannot send codes, because it has no email provider. Ask its operator for a sign-in link. Operators
      can create one with <code>{operatorCommand()} account sign-in-link EMAIL</code>, or set <code>SMTP_URL</code> and{' '}
      <code>MAIL_FROM</code> to enable emailed codes.
    </p>
  </div>
);

/** Advice if no code arrives. `to` is the address or the phone number, if it was entered. */
const NoCodeHelp = ({ to, isInvited = false }: Partial<Pick<CodeProps, 'to' | 'isInvited'>>) => (
  <details class="help small">
    <summary>{to === undefined ? 'Trouble signing in?' : "Didn't get a code?"}</summary>
    <ul>
      {to !== undefined && (
        <>
          <li>
            Check that <strong>{to}</strong> is correct, and look in your spam folder.
          </li>
          <li>Wait at least 30 seconds, then send another code. Only the latest code works.</li>
        </>
      )}
      {!isInvited && <li>Codes are sent only to people who have access. An owner of the account can invite you.</li>}
      <li>
        If no code arrives, ask the operator of this server for a sign-in link. Operators create one with{' '}
        <code>{operatorCommand()} account sign-in-link EMAIL</code>.
      </li>
    </ul>
  </details>
);

export interface AddressProps extends FirstRunProps {
  /** The invited email address; null if the invitation is valid for any address; undefined without an invitation. */
  readonly invited: string | null | undefined;
  readonly emailProvider: Provider | undefined;
  /** Whether the page for the code shows it on a phone: for every address, or for those that this browser has used. */
  readonly phone: 'every' | 'known' | undefined;
  /** Passkey prompt; undefined if the service URL does not support passkeys. */
  readonly passkey: PasskeyPrompt | undefined;
}

const leadOf = ({ invited, emailProvider, phone }: AddressProps): string => {
  if (phone === 'known') return 'Enter the address you have used in this browser. The next page shows the code.';
  if (phone) return 'You sign in with your email address and a code. The next page shows the first code.';
  if (!emailProvider) return 'There is no password.';
  if (invited === undefined) return "Enter your email address and we'll send you a code. There is no password.";
  return "You sign in with your email address. We'll send a code to it now, and each time you sign in.";
};

export function AddressView(props: AddressProps) {
  const { form, invited, action, emailProvider, phone, codePath, passkey } = props;
  return (
    <Entrance title={invited === undefined ? 'Sign in' : 'Welcome to Passbell'} lead={leadOf(props)}>
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
          <button class="button">{phone ? 'Show me a code' : 'Email me a code'}</button>
        </Form>
      ) : (
        NO_EMAIL_NOTICE
      )}
      {codePath && <WaitingCode path={codePath} />}
      {!phone && <InboxHint emailProvider={emailProvider} />}
      {passkey && (
        <PasskeyForm form={form} action="/dashboard/sign-in/passkey" prompt={passkey} ceremony="get">
          <button class="button subtle">Sign in with a passkey</button>
        </PasskeyForm>
      )}
      {emailProvider && invited === undefined && <NoCodeHelp />}
    </Entrance>
  );
}

interface CodeProps {
  readonly form: FormState;
  /** The recipient of the code: the email address, or the phone number of the first run. */
  readonly to: string;
  /** Whether the person has an invitation, so that the page need not hide whether the address has access. */
  readonly isInvited: boolean;
  /** Whether the person becomes the first owner of the server with this code. */
  readonly isFirst: boolean;
  /** Whether the mail server was down when the code was requested. */
  readonly isEmailDown: boolean;
  /** Path that returns the phone again. */
  readonly phonePath: string;
  /** Path of the page for the address. */
  readonly startPath: string;
  /** Path and fields of the form that requests another code. */
  readonly requestPath: string;
  readonly request: Readonly<Record<string, string>>;
  readonly emailProvider: Provider | undefined;
  /** The messages that the phone beside the form shows; undefined if this browser must not see them. */
  readonly messages: readonly InboxMessage[] | undefined;
}

export function CodeView(props: CodeProps) {
  const {
    form,
    to,
    isInvited,
    isFirst,
    isEmailDown,
    startPath,
    requestPath,
    request,
    emailProvider,
    messages,
    phonePath,
  } = props;
  const address = <strong>{to}</strong>;
  return (
    <Entrance
      title="Enter the code"
      beside={messages && <Phone messages={messages} path={phonePath} />}
      lead={
        <>
          {isInvited ? '' : <>If {address} has access, </>}
          {messages ? (
            <>{isInvited ? 'The' : 'the'} phone on this page shows the code. Nothing leaves this computer.</>
          ) : (
            <>
              {isInvited ? 'We' : 'we'}
              {isEmailDown ? ' are trying to send' : "'ve sent"} a six-digit code{isInvited && <> to {address}</>}.
            </>
          )}{' '}
          The code expires in 10 minutes.{isFirst && ' When you enter it, you become the owner of this server.'}
        </>
      }
    >
      {isEmailDown && (
        <Notice kind="warning">
          {EMAIL_DOWN} You can also sign in with a passkey, or ask the operator of this server for a sign-in link.
        </Notice>
      )}
      <Form action="/dashboard/sign-in/code" noValidate>
        <CodeField form={form} label="Code" inputMode="numeric" pattern="[0-9]{6}" autofocus />
        <button class="button">Continue</button>
      </Form>
      {!messages && <InboxHint emailProvider={emailProvider} />}
      <div class="actions">
        <Form action={requestPath} class="inline">
          {Object.entries(request).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <button class="button subtle small" aria-describedby={form.errors.another && 'field-another-error'}>
            Send another code
          </button>
        </Form>
        <a class="button subtle small" href={startPath}>
          {to.startsWith('+') ? 'Use another number' : 'Use another address'}
        </a>
      </div>
      <FieldProblem form={form} name="another" />
      {!messages && <NoCodeHelp to={to} isInvited={isInvited} />}
    </Entrance>
  );
}

export function FactorView({ form }: { form: FormState }) {
  return (
    <Entrance title="Two-factor code" lead="Enter the code that your authenticator app shows now, or a recovery code.">
      <Form action="/dashboard/sign-in/factor" noValidate>
        <CodeField form={form} label="Authenticator or recovery code" autofocus />
        <button class="button">Sign in</button>
      </Form>
      <p class="quiet small">
        If you have lost both, ask the operator of this server to reset your authenticator. Operators reset it with{' '}
        <code>{operatorCommand()} two-factor reset --app pk_dashboard --identity EMAIL</code>.
      </p>
    </Entrance>
  );
}

interface DeadEndProps {
  readonly title: string;
  readonly lead: string;
  /** The only link on the page. */
  readonly link: readonly [path: string, label: string];
  /** Whether the link is quiet, because the person is done. */
  readonly isDone?: boolean;
}

/** A page for a link that is not valid, has expired, or needs no further action. */
export const DeadEndView = ({ title, lead, link: [path, label], isDone = false }: DeadEndProps) => (
  <Entrance title={title} lead={lead}>
    <a class={isDone ? 'button subtle' : 'button'} href={path}>
      {label}
    </a>
  </Entrance>
);

interface SignInLinkProps {
  readonly email: string;
  readonly account: string;
  readonly action: string;
}

export function SignInLinkView({ email, account, action }: SignInLinkProps) {
  return (
    <Entrance
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
    </Entrance>
  );
}

/** The form is sent to the URL of the page, which contains the token. */
export function StopWeeklyEmailView({ email }: { readonly email: string }) {
  return (
    <Entrance
      title="Turn off the weekly email?"
      lead={
        <>
          Passbell will no longer send a weekly email to <strong>{email}</strong>. You will still get sign-in codes and
          notices about problems.
        </>
      }
    >
      <form method="post">
        <button class="button">Turn off the weekly email</button>
      </form>
    </Entrance>
  );
}
