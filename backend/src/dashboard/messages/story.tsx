/** A message from its request to its end, and what to do if it did not arrive. */
import { SECOND } from '../../platform/clock.js';
import type { ComponentChildren } from 'preact';
import type { Application } from '../../modules/applications/application.js';
import type { EndUser, SentCode } from '../../modules/end-users/end-users-service.js';
import { explanationOf, hasWrongRecipient, reportingProvider } from '../../modules/messages/explanation.js';
import { canRetry, isLost, visibleState, type Message } from '../../modules/messages/message.js';
import type { ScopeView } from '../../modules/fraud/fraud-pauses.js';
import { isManualHint, isPauseHint, recipientsOf } from '../../modules/fraud/fraud-texts.js';
import { countryInSentence } from '../../modules/recipients/country.js';
import { countryOf } from '../../modules/recipients/recipient.js';
import { capitalized } from '../../platform/capitalized.js';
import { useVisit } from '../components/context.js';
import { Form } from '../components/form.js';
import { Submit } from '../components/submit.js';
import { LocalTime, Time } from '../components/time.js';
import { messagesText } from '../usage/figures.js';
import { CODES_KEPT_MS } from './group-by-reason.js';
import { Fix, hasFix } from './fix.js';
import { duration } from './labels.js';
import { placeOf } from './reasons.js';
import { spanText } from './time-span.js';
import { Step, StepTime, Timeline } from './timeline.js';
import type { UndeliveredShare } from './undelivered-share.js';

type ActionProps = { message: Message; action: 'cancel' | 'retry'; label: string; children: ComponentChildren };

function Action({ message: { id }, action, label, children }: ActionProps) {
  const { may } = useVisit();
  if (!may('change'))
    return (
      <p class="quiet">
        Owners and members of the account can {action === 'retry' ? 'send this message again' : 'cancel this message'}.
      </p>
    );
  return (
    <Form action={`/dashboard/messages/${id}/${action}`}>
      <Submit label={label} />
      <p class="quiet small">{children}</p>
    </Form>
  );
}

/** Returns the likely mistake in a number or address that nobody has. */
function mistakeIn(recipient: string): string {
  if (recipient.includes('@')) return 'The address is probably mistyped, or the mailbox no longer exists.';
  const country = countryOf(recipient);
  // Numbers of the wrong length, or with an unknown start, are rejected before they are sent.
  return `The number has the right length${country === '' ? '' : ` for ${countryInSentence(country)}`}. One of its digits is probably wrong, or the number is no longer in use.`;
}

/** The messages of about the same time that failed for the same reason, newest first. */
export interface Outage {
  readonly messages: readonly Message[];
  readonly href: string;
}

/** Says whether the recipient got a code anyway, and what they can do; "" if the button says it. */
function recipientText({ message, hasEnteredLater, share }: AdviceProps, now: number): string {
  const { template, state, recipient, createdAt } = message;
  if (hasEnteredLater) return 'Nothing to do: this person entered a later code.';
  if (template !== 'otp') return canRetry(message, now) ? '' : 'Send a new notification if it is still needed.';
  if (canRetry(message, now)) return 'This person has not entered a code since then.';
  const isKnown = recipient !== '' && createdAt > now - CODES_KEPT_MS;
  const text = isKnown
    ? 'this person has not entered a code since then, but can request a new one.'
    : 'your customer can request a new code.';
  return state === 'failed' || share?.isUsual ? `Nothing to do: ${text}` : capitalized(text);
}

/** Compares the share of undelivered messages, so that the owner asks the provider only if it helps. */
function UndeliveredAdvice({ message, share }: AdviceProps) {
  const provider = reportingProvider(message) ?? 'the provider';
  const ask = `ask ${provider} for the reason.`;
  return (
    <p>
      {share?.figures ? (
        <>
          {capitalized(share.period)}, {share.figures}: {share.comparison}.
          {!share.isUsual && ` If several people got no code, ${ask}`}
        </>
      ) : (
        `If this happens to more messages than usual, ${ask}`
      )}{' '}
      <a href="/dashboard/messages?state=undelivered">Show undelivered messages</a>
    </p>
  );
}

function OutageAdvice({ messages, href }: Outage) {
  const { now, timeZone } = useVisit();
  const time = spanText(messages.at(-1)!.createdAt, messages[0]!.createdAt, now, timeZone);
  return (
    <p>
      This is one of {messagesText(messages.length)} that failed for the same reason ({time}).{' '}
      <a href={href}>Show {messagesText(messages.length)}</a>
    </p>
  );
}

function SendAgain({ message }: { readonly message: Message }) {
  const { now } = useVisit();
  const { template, expiresAt } = message;
  const noun = template === 'otp' ? 'code' : 'notification';
  return canRetry(message, now) ? (
    <Action message={message} action="retry" label="Send again">
      Sends the same {noun} to the same recipient. The {noun} expires in {duration(expiresAt - now)}.
    </Action>
  ) : (
    <p class="quiet small">
      {expiresAt > now ? (
        `This ${noun} is no longer valid and cannot be sent again.`
      ) : (
        <>
          This {noun} expired on <Time ms={expiresAt} /> and cannot be sent again.
        </>
      )}
    </p>
  );
}

type AdviceProps = Pick<StoryProps, 'message' | 'hasEnteredLater' | 'share' | 'outage'>;

function Advice(props: AdviceProps) {
  const { message, hasEnteredLater, outage } = props;
  const { now } = useVisit();
  const { recipient, state } = message;
  if (state === 'scheduled')
    return (
      <Action message={message} action="cancel" label="Cancel the message">
        The message will not be sent. You cannot undo this.
      </Action>
    );
  if (!isLost(message)) return null;
  const isUndelivered = visibleState(message) === 'undelivered';
  const isFailed = state === 'failed' && !hasWrongRecipient(message);
  const text = recipientText(props, now);
  return (
    <div class="advice">
      <h3>What to do</h3>
      {isUndelivered || isFailed || hasEnteredLater ? (
        text !== '' && <p>{text}</p>
      ) : (
        <p>
          {explanationOf(message, now).fix}
          {state === 'failed' && recipient !== '' && ` ${mistakeIn(recipient)}`}
        </p>
      )}
      {isFailed && outage && <OutageAdvice {...outage} />}
      {isFailed && !hasEnteredLater && <SendAgain message={message} />}
      {isUndelivered && !hasEnteredLater && <UndeliveredAdvice {...props} />}
    </div>
  );
}

export const codeOf = ({ codes }: EndUser, { maskId, id }: Message): SentCode | undefined =>
  codes.find((code) => code.maskId === (maskId || id));

export const CODE_TITLES: Readonly<Record<SentCode['state'], string>> = {
  verified: 'Code entered',
  waiting: 'Code not entered yet',
  expired: 'Code not entered',
  replaced: 'Code not entered',
  canceled: 'Code not entered',
};

/** Times are shown without fractions of a second, and so are the durations between them. */
const shownSecond = (ms: number): number => Math.floor(ms / SECOND) * SECOND;

/** When the person entered the code, or why not: `25 s after the request. Signed in until 08:30.` */
export function CodeDetails({ code, expiresAt }: { readonly code: SentCode; readonly expiresAt: number }) {
  const { state, verifiedAt, sentAt, sessionEnd } = code;
  if (verifiedAt !== null)
    return (
      <>
        {duration(shownSecond(verifiedAt) - shownSecond(sentAt))} after the request
        {sessionEnd !== undefined && (
          <>
            . Signed in until <LocalTime ms={sessionEnd} />.
          </>
        )}
      </>
    );
  if (state === 'replaced') return <>another code was entered</>;
  if (state === 'canceled') return <>canceled</>;
  return (
    <>
      {state === 'waiting' ? 'expires' : 'expired'} <Time ms={expiresAt} />
    </>
  );
}

/** Shows whether the pause that refused the message still applies. */
function PauseNow({ message, pause, mayBeStopped }: Pick<StoryProps, 'message' | 'pause' | 'mayBeStopped'>) {
  const { now } = useVisit();
  const { refusal } = message;
  if (refusal?.code !== 'FRAUD_SUSPECTED') return null;
  if (pause)
    return (
      <Step
        kind="now"
        title="Still paused"
        text={
          <>
            Messages to {recipientsOf(pause)} are refused until{' '}
            {pause.until === undefined ? 'an owner resumes them' : <Time ms={pause.until} />}.
          </>
        }
      />
    );
  const until = refusal.until ?? Infinity;
  // The end of a manual pause is not known in advance.
  const isManual = isManualHint(refusal.hint);
  if (until > now && !isManual) return null;
  const at = isManual ? undefined : until;
  const text = mayBeStopped
    ? 'Another pause or challenge may still stop messages to this number. See Protection.'
    : 'New messages to this number are sent as usual.';
  const title = `The ${isPauseHint(refusal.hint) ? 'pause' : 'limit'} has ended`;
  return <Step kind="neutral" title={title} text={text} at={at} message={message} />;
}

interface StoryProps {
  readonly message: Message;
  readonly application: Application;
  readonly pause: ScopeView | undefined;
  /** Whether a pause or a challenge may stop messages to the recipient now. */
  readonly mayBeStopped: boolean;
  /** The recipient, with the latest codes; undefined after the recipient was erased. */
  readonly endUser: EndUser | undefined;
  /** When the recipient entered the code, in epoch milliseconds. By default, it is looked up in the latest codes. */
  readonly enteredAt?: number | undefined;
  readonly hasEnteredLater?: boolean | undefined;
  /** The share of undelivered messages in the period of the message; undefined for older messages. */
  readonly share?: UndeliveredShare | undefined;
  /** The failures that the message belongs to; undefined if there were only a few. */
  readonly outage?: Outage | undefined;
}

export function Story({ message, application, pause, mayBeStopped, endUser, ...known }: StoryProps) {
  const code = endUser && codeOf(endUser, message);
  const enteredAt = known.enteredAt ?? code?.verifiedAt ?? undefined;
  const isEntered = enteredAt !== undefined;
  const visit = useVisit();
  const pausable = pause ? '' : placeOf(message);
  return (
    <>
      <Timeline message={message} isEntered={isEntered}>
        <PauseNow message={message} pause={pause} mayBeStopped={mayBeStopped} />
        {(code || isEntered) && message.state === 'sent' && (
          <li class={isEntered ? 'good' : 'neutral'}>
            <p class="step-title">{CODE_TITLES[code?.state ?? 'verified']}</p>
            {code && (
              <p class="reason">
                <CodeDetails code={code} expiresAt={message.expiresAt} />
              </p>
            )}
            {isEntered && (
              <p class="quiet small">
                <StepTime ms={enteredAt} message={message} />
              </p>
            )}
          </li>
        )}
      </Timeline>
      {visit.may('own') && hasFix(message, application, visit) && (
        <div class="advice">
          <h3>What to do</h3>
          {pausable !== '' && (
            <p>If you have no customers in {countryInSentence(pausable)}, pause messages to this country.</p>
          )}
          <Fix message={message} application={application} pause={pause} pausable={pausable} />
        </div>
      )}
      {!isEntered && <Advice message={message} {...known} />}
    </>
  );
}
