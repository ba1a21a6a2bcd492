/** The panel that sends a test code over the application's channels, and verifies the code that the person enters. */
import type { ComponentChildren } from 'preact';
import { isOpen, type TestCode } from '../../modules/test-sends/test-codes.js';
import { capitalized } from '../../platform/capitalized.js';
import type { Schemas } from '../../platform/contract/schemas.js';
import { useVisit } from '../components/context.js';
import { CopyBlock } from '../components/copy.js';
import { Field, Form } from '../components/form.js';
import { NextStep } from '../components/next-step.js';
import { Notice, type NoticeKind } from '../components/notice.js';
import { polling } from '../components/polling.js';
import { Submit } from '../components/submit.js';
import type { FormState } from '../form.js';
import type { Step } from '../home/checklist.js';

export const TEST_ID = 'test-code';

export interface TestPanel {
  readonly form: FormState;
  readonly sent?: TestCode;
  /** Why no code was sent, or why the code was rejected. */
  readonly rejection?: string;
  /** The API reply to a correct code, as text. */
  readonly verified?: string;
  /** The account's next step after a correct code. */
  readonly next?: Step | undefined;
}

type PanelProps = TestPanel & { readonly path: string; readonly tool: string };

const AUTH_TYPE_NAMES: Readonly<Record<Schemas['AuthType'], string>> = {
  Email: 'email',
  Sms: 'SMS',
  WHATSAPP: 'WhatsApp',
  Voice: 'voice call',
};

function outcomeNotice({ state, messageId, to, attempts, charge, currency, standIn }: TestCode): {
  kind: NoticeKind;
  text: string;
} {
  if (messageId === '' && state === 'sent')
    return { kind: 'info', text: `${to} is a test recipient, so nothing was sent. Enter its fixed code.` };
  const attempt = attempts.find(({ success }) => success) ?? attempts[0];
  const by = attempt ? AUTH_TYPE_NAMES[attempt.authType] : '';
  const price = Number(charge) > 0 ? ` It cost ${charge} ${currency.toUpperCase()}.` : '';
  switch (state) {
    case 'scheduled':
    case 'queued':
    case 'sending':
      return { kind: 'info', text: `Sending to ${to}…` };
    case 'sent':
      return standIn
        ? {
            kind: 'info',
            text: `No provider is set up for ${by}${by === AUTH_TYPE_NAMES.Voice ? 's' : ''}, so the message is in the dev inbox of this server.`,
          }
        : { kind: 'good', text: `Sent by ${by} to ${to}. The provider accepted the message.${price}` };
    case 'delivered':
      return { kind: 'good', text: `Delivered by ${by} to ${to}.${price}` };
    case 'undelivered':
      return {
        kind: 'bad',
        text: `The provider accepted the message, but then reported that it could not be delivered to ${to}.${price}`,
      };
    case 'expired':
      return { kind: 'bad', text: 'The message expired before a provider accepted it.' };
    case 'failed':
    case 'canceled':
    case 'refused':
      return { kind: 'bad', text: 'The message failed. The reasons are below.' };
  }
}

/** Shows the delivery progress of a test code. Refreshes itself until the message reaches a final state. */
export function Progress({ path, sent }: { path: string; sent: TestCode }) {
  const { inboxPath } = useVisit();
  const { kind, text } = outcomeNotice(sent);
  const refresh = isOpen(sent) && polling(`${path}/test/${sent.messageId}`, 'test-progress', '1s');
  const failures = sent.attempts.filter(({ success }) => !success);
  return (
    <div id="test-progress" class="stack" {...refresh}>
      <Notice kind={kind}>
        {text}
        {inboxPath && sent.standIn && sent.messageId !== '' && sent.state === 'sent' && (
          <>
            {' '}
            <a href={inboxPath} target="_blank">
              Open the dev inbox
            </a>
          </>
        )}
      </Notice>
      {failures.length > 0 && (
        <ul class="attempts">
          {failures.map(({ authType, message }, n) => (
            <li key={n}>
              {capitalized(AUTH_TYPE_NAMES[authType])}: {message}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

type PanelFormProps = { action: string; tool: string; children: ComponentChildren };

/** A form that replaces the panel with the server's reply. */
const PanelForm = ({ action, tool, children }: PanelFormProps) => (
  <Form action={action} hx-post={action} hx-target={`#${TEST_ID}`} hx-swap="outerHTML" hx-disabled-elt="find button">
    <input type="hidden" name="tool" value={tool} />
    {children}
  </Form>
);

function SendForm({ path, tool, form, sent, again = sent !== undefined }: PanelProps & { again?: boolean }) {
  return (
    <PanelForm action={`${path}/test`} tool={tool}>
      {sent && <input type="hidden" name="messageId" value={sent.messageId} />}
      <Field
        form={form}
        name="to"
        label={again ? 'Send another code to' : 'Send a code to'}
        hint="Your email address, or your phone number with its country code."
        autocomplete="email"
        maxLength={320}
        required
      />
      <div class="actions">
        <button class={again ? 'button subtle' : 'button'}>Send me a test code</button>
      </div>
    </PanelForm>
  );
}

function VerifyForm({ path, tool, form, sent }: PanelProps & { sent: TestCode }) {
  const hidden = { maskId: sent.maskId, messageId: sent.messageId, to: form.typed.to ?? '' };
  return (
    <PanelForm action={`${path}/verify`} tool={tool}>
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Field
        form={form}
        name="code"
        label="Received code"
        class="code-input"
        inputmode="numeric"
        autocomplete="one-time-code"
        maxLength={20}
        required
        data-focus
      />
      <Submit label="Verify" />
    </PanelForm>
  );
}

function PanelContent({ path, tool, form, sent, rejection, verified, next }: PanelProps) {
  if (verified !== undefined)
    return (
      <>
        <Notice kind="good">
          <strong>Verified.</strong> Your server would get this reply. The token is shortened here, because anyone who
          has it is signed in as the recipient.
        </Notice>
        <NextStep step={next} />
        <CopyBlock label="reply" value={verified} language="json" />
        <SendForm path={path} tool={tool} form={form} again />
      </>
    );
  const mayArrive = sent && sent.state !== 'failed' && sent.state !== 'expired';
  return (
    <>
      {rejection !== undefined && <Notice kind="bad">{rejection}</Notice>}
      {sent && <Progress path={path} sent={sent} />}
      {mayArrive && <VerifyForm path={path} tool={tool} form={form} sent={sent} />}
      <SendForm path={path} tool={tool} form={form} {...(sent && { sent })} />
    </>
  );
}

export function TestCodePanel(props: PanelProps) {
  const { may } = useVisit();
  return (
    <section class="card" id={TEST_ID} aria-labelledby="test-title">
      <h2 id="test-title">Send yourself a test code</h2>
      {may('change') ? (
        <PanelContent {...props} />
      ) : (
        <p class="quiet">Test codes are real messages. Only owners and members can send them.</p>
      )}
    </section>
  );
}
