/** A code to oneself: sent over the application's own channels, and verified on the page. */
import { isOpen, type TestCode } from '../../modules/test-sends/test-codes.js';
import { CopyBlock } from '../components/copy.js';
import { useVisit } from '../components/context.js';
import { Field, Form } from '../components/form.js';
import { Notice, type NoticeKind } from '../components/notice.js';
import type { FormState } from '../form.js';

export const TEST_ID = 'test-code';
const PROGRESS_ID = 'test-progress';

/** What the panel shows. */
export interface TestPanel {
  readonly form: FormState;
  /** The code that was sent; undefined while there is none. */
  readonly sent?: TestCode;
  /** Why nothing was sent. */
  readonly refusal?: string;
  /** What a server gets for the right code. */
  readonly verified?: string;
}

interface PanelProps extends TestPanel {
  readonly at: string;
  /** The tool whose page this is on. */
  readonly tool: string;
}

const CHANNELS: Readonly<Record<string, string>> = {
  Email: 'e-mail',
  Sms: 'SMS',
  WHATSAPP: 'WhatsApp',
  Voice: 'a voice call',
};

const channelName = (authType: string): string => CHANNELS[authType] ?? authType;

function outcome({ state, to, attempts, charge, currency, standIn }: TestCode): { kind: NoticeKind; words: string } {
  const by = channelName(attempts.find(({ success }) => success)?.authType ?? attempts[0]?.authType ?? '');
  const price = Number(charge) > 0 ? ` It cost ${charge} ${currency.toUpperCase()}.` : '';
  switch (state) {
    case 'queued':
    case 'sending':
      return { kind: 'info', words: `On its way to ${to} …` };
    case 'sent':
      return standIn
        ? { kind: 'info', words: `No provider is set up for ${by}, so the dev inbox of this server has it.` }
        : { kind: 'good', words: `The provider took it, by ${by} to ${to}.${price}` };
    case 'delivered':
      return { kind: 'good', words: `Delivered by ${by} to ${to}.${price}` };
    case 'undelivered':
      return { kind: 'bad', words: `The provider took it, and reports that it could not deliver it to ${to}.${price}` };
    case 'expired':
      return { kind: 'bad', words: 'It could not be sent before it expired.' };
    case 'failed':
      return { kind: 'bad', words: 'It could not be sent.' };
  }
}

/** How the send goes; it asks again until that is known. */
export function Progress({ at, sent }: { at: string; sent: TestCode }) {
  const { kind, words } = outcome(sent);
  const polling = isOpen(sent)
    ? {
        'hx-get': `${at}/test/${sent.messageId}`,
        'hx-trigger': 'every 1s',
        'hx-target': `#${PROGRESS_ID}`,
        'hx-swap': 'outerHTML',
      }
    : {};
  const failures = sent.attempts.filter(({ success }) => !success);
  return (
    <div id={PROGRESS_ID} class="stack" {...polling}>
      <Notice kind={kind}>
        {words}
        {sent.standIn && sent.state === 'sent' && (
          <>
            {' '}
            <a href="/dev/inbox" target="_blank">
              Open the dev inbox
            </a>
          </>
        )}
      </Notice>
      {failures.length > 0 && (
        <ul class="attempts">
          {failures.map(({ authType, message }, n) => (
            <li key={n}>
              {channelName(authType)}: {message}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function SendForm({ at, tool, form, again }: Pick<PanelProps, 'at' | 'tool' | 'form'> & { again: boolean }) {
  return (
    <Form
      action={`${at}/test`}
      hx-post={`${at}/test`}
      hx-target={`#${TEST_ID}`}
      hx-swap="outerHTML"
      hx-disabled-elt="find button"
    >
      <input type="hidden" name="tool" value={tool} />
      <Field
        form={form}
        name="to"
        label={again ? 'Send another one to' : 'Send a code to'}
        hint="Your e-mail address, or your phone number with country code."
        autocomplete="email"
        maxLength={320}
        required
      />
      <div class="actions">
        <button class={again ? 'button subtle' : 'button'}>Send me a test code</button>
      </div>
    </Form>
  );
}

function VerifyForm({ at, tool, form, sent }: Pick<PanelProps, 'at' | 'tool' | 'form'> & { sent: TestCode }) {
  return (
    <Form
      action={`${at}/verify`}
      hx-post={`${at}/verify`}
      hx-target={`#${TEST_ID}`}
      hx-swap="outerHTML"
      hx-disabled-elt="find button"
    >
      <input type="hidden" name="tool" value={tool} />
      <input type="hidden" name="maskId" value={sent.maskId} />
      <input type="hidden" name="messageId" value={sent.messageId} />
      <input type="hidden" name="to" value={String(form.typed.to ?? '')} />
      <Field
        form={form}
        name="code"
        label="The code that arrived"
        inputmode="numeric"
        autocomplete="one-time-code"
        maxLength={20}
        required
        data-focus
      />
      <div class="actions">
        <button class="button">Verify</button>
      </div>
    </Form>
  );
}

function Content({ at, tool, form, sent, refusal, verified }: PanelProps) {
  if (verified !== undefined)
    return (
      <>
        <Notice kind="good">
          <strong>Verified.</strong> Your own server would get this; the token is shortened here.
        </Notice>
        <CopyBlock label="the reply" value={verified} />
        <SendForm at={at} tool={tool} form={form} again />
      </>
    );
  const arrives = sent !== undefined && !['failed', 'expired'].includes(sent.state);
  return (
    <>
      {refusal !== undefined && <Notice kind="bad">Not sent: {refusal}.</Notice>}
      {sent && <Progress at={at} sent={sent} />}
      {arrives && <VerifyForm at={at} tool={tool} form={form} sent={sent} />}
      <SendForm at={at} tool={tool} form={form} again={sent !== undefined} />
    </>
  );
}

export function TestCodePanel(props: PanelProps) {
  const { may } = useVisit();
  return (
    <section class="card" id={TEST_ID} aria-labelledby="test-title">
      <h2 id="test-title">Try it now</h2>
      {may('change') ? (
        <Content {...props} />
      ) : (
        <p class="quiet">Test codes are real messages, so viewers cannot send them. A member or an owner can.</p>
      )}
    </section>
  );
}
