import type { ComponentChildren } from 'preact';
import { refusedBecause } from '../../modules/fraud/fraud-texts.js';
import { hasWrongRecipient, reportingProvider } from '../../modules/messages/explanation.js';
import { isTest, type Message } from '../../modules/messages/message.js';
import { timelineOf, type TimelineStep } from '../../modules/messages/timeline.js';
import type { FailureDetails } from '../../providers/provider.js';
import type { BadgeKind } from '../components/badge.js';
import { useTimeZone, useVisit } from '../components/context.js';
import { sentence } from '../channels/labels.js';
import { Time } from '../components/time.js';
import { localDay } from '../../platform/local-day.js';
import type { Visit } from '../page.js';
import { InboxLink } from '../components/inbox-hint.js';
import { CHANNEL_NAMES, channelInSentence, duration } from './labels.js';
import { named, pausedText, uncertainText, unknownAttempt, withoutCode } from './reasons.js';

type StepView = readonly [kind: BadgeKind | 'now', title: string, text?: ComponentChildren];

const took = (step: TimelineStep): string =>
  'tookMs' in step && step.tookMs ? ` · took ${duration(step.tookMs)}` : '';

const SendTime = ({ channel, ms }: { readonly channel: string; readonly ms: number }) => (
  <>
    {channel} on <Time ms={ms} />.
  </>
);

/** `end`: why nothing was tried after the last step; "" for other steps. */
function viewOf(
  step: TimelineStep,
  previous: TimelineStep | undefined,
  message: Message,
  end: string,
  { now, timeZone }: Pick<Visit, 'now' | 'timeZone'>,
): StepView {
  const channel = 'channel' in step ? CHANNEL_NAMES[step.channel] : '';
  switch (step.kind) {
    case 'neverAccepted': {
      const { code, reason, until, hint } = step.refusal;
      const isGuard = code === 'FRAUD_SUSPECTED';
      const paused = isGuard ? pausedText(message, true, now, timeZone) : '';
      return [
        'warning',
        isGuard ? 'Refused by Protection' : 'Refused by Passbell',
        <>
          {sentence(isGuard ? refusedBecause(hint) : reason)} {paused}
          {paused === '' && until !== null && until > now && (
            <>
              {' '}
              Refused until <Time ms={until} />
              {` (${duration(until - step.at!)} after the request)`}.
            </>
          )}
        </>,
      ];
    }
    case 'accepted': {
      const plan = step.plan.map(channelInSentence).join(', then ');
      const channels = step.plan.length > 1 && `Channels: ${plan}.`;
      return ['neutral', step.sendAt === null ? 'Requested' : 'Requested and scheduled', channels];
    }
    case 'attemptFailed': {
      const reason = withoutCode(step.reason);
      const text = `${sentence(reason)}${step.times > 1 ? ` Tried ${step.times} times.` : ''}`;
      return ['bad', `${channel}: failed`, `${named(step.provider, text)} ${end}`];
    }
    case 'fallback': {
      const text = `Passbell switched from ${channelInSentence(step.from)} to ${channelInSentence(step.to)}.`;
      return ['neutral', `Next channel: ${CHANNEL_NAMES[step.to]}`, text];
    }
    case 'sent': {
      if (isTest(message))
        return [
          'neutral',
          `${channel}: in the dev inbox`,
          <>
            The message was not sent to the recipient. Read it in the <InboxLink />.
          </>,
        ];
      const isInstead =
        previous?.kind === 'attemptFailed' &&
        previous.channel === step.channel &&
        previous.provider !== step.provider &&
        step.provider !== undefined;
      const title = isInstead ? `${channel}: sent through ${step.provider} instead` : `${channel}: sent`;
      return ['info', title, `${step.provider ?? 'The provider'} accepted the message.`];
    }
    case 'silent':
      return [
        'neutral',
        'No delivery report, and no code entered',
        'Passbell switched to another provider or channel.',
      ];
    case 'reported': {
      const provider = reportingProvider(message) ?? 'The provider';
      return step.report === 'delivered'
        ? ['good', 'Delivered', `${provider} reported the delivery.`]
        : ['warning', 'Undelivered', sentence(step.reason ?? `${provider} reported no reason`)];
    }
    case 'failed':
      return ['bad', 'Failed', end];
    case 'expired':
      return ['warning', 'Expired', 'The message expired before a provider accepted it.'];
    case 'retried':
      return ['neutral', 'Sent again manually', 'The message was queued again.'];
    case 'canceled': {
      const by = step.replacedBy && (
        <a href={`/dashboard/messages/${step.replacedBy}`}>A newer message replaced this one.</a>
      );
      return ['neutral', 'Canceled', by ?? 'The message was not sent.'];
    }
    case 'scheduled':
      return ['now', 'Scheduled', <SendTime channel={channel} ms={step.dueAt} />];
    case 'waiting':
      return ['now', 'Waiting in the queue', `Next channel: ${channel}.`];
    case 'sending':
      return ['now', `${channel}: sending`];
  }
}

/** The page of the provider's documentation about the error, and the provider's reply. */
function Details({ link, reply }: FailureDetails) {
  return (
    <>
      {link && (
        <p class="small">
          <a href={link} rel="noreferrer">
            About this error
          </a>
        </p>
      )}
      {reply && (
        <details class="log-event small">
          <summary>Reply from the provider</summary>
          <pre tabIndex={0} role="region" aria-label="Reply from the provider">
            <code>{reply}</code>
          </pre>
        </details>
      )}
    </>
  );
}

interface TimelineProps {
  readonly message: Message;
  /** Whether the recipient entered the code, so that a missing delivery report means nothing. */
  readonly isEntered: boolean;
  /** The last step. */
  readonly children?: ComponentChildren;
}

/** A time on the day of the request without the day, which the first step shows. */
export function StepTime({ ms, message }: { readonly ms: number; readonly message: Message | undefined }) {
  const zone = useTimeZone();
  return (
    <Time ms={ms} seconds clock={message !== undefined && localDay(ms, zone) === localDay(message.createdAt, zone)} />
  );
}

interface StepProps {
  /** The message whose day the first step shows. */
  readonly message?: Message;
  readonly kind?: StepView[0];
  readonly title: string;
  readonly text?: ComponentChildren;
  readonly at?: number | undefined;
}

export const Step = ({ kind = 'neutral', title, text, at, message }: StepProps) => (
  <li class={kind}>
    <p class="step-title">{title}</p>
    {text && <p class="quiet">{text}</p>}
    {at !== undefined && (
      <p class="quiet small">
        <StepTime ms={at} message={message} />
      </p>
    )}
  </li>
);

/** Why nothing was tried after the last attempt of a failed message. */
function endText(message: Message): string {
  const unknown = unknownAttempt(message);
  if (unknown) return uncertainText(unknown.provider);
  const isLastChannel = message.channel === message.plan.at(-1);
  return message.channel === 'EMAIL' || !isLastChannel || hasWrongRecipient(message)
    ? ''
    : 'No other channel was left to try.';
}

const isLastAttempt = (steps: readonly TimelineStep[], place: number): boolean =>
  steps[place]?.kind === 'attemptFailed' && steps[place + 1]?.kind === 'failed';

export function Timeline({ message, isEntered, children }: TimelineProps) {
  const visit = useVisit();
  const steps = timelineOf(message);
  const isDevInbox = isTest(message);
  let before: number | undefined;
  return (
    <ol class="timeline">
      {steps[0]?.kind === 'neverAccepted' && <Step title="Requested" at={steps[0].at} />}
      {steps.map((step, n) => {
        if (isLastAttempt(steps, n - 1)) return null;
        const isEnd = steps.slice(n + 1).every(({ kind }) => kind === 'failed');
        const [kind, title, text] = viewOf(step, steps[n - 1], message, isEnd ? endText(message) : '', visit);
        const interval = step.at !== undefined && before !== undefined ? step.at - before : 0;
        const isFirst = n === 0 && step.kind !== 'neverAccepted';
        before = step.at ?? before;
        return (
          <li key={n} class={kind}>
            <p class="step-title">{title}</p>
            {text && <p class="quiet">{text}</p>}
            {'details' in step && step.details && <Details {...step.details} />}
            {step.at !== undefined && (
              <p class="quiet small">
                <StepTime ms={step.at} message={isFirst ? undefined : message} />
                {interval > 0 && ` · ${duration(interval)} later`}
                {took(step)}
              </p>
            )}
          </li>
        );
      })}
      {steps.at(-1)?.kind === 'sent' && !isDevInbox && !isEntered && (
        <Step title="No delivery report" text="The provider has not reported whether the message arrived." />
      )}
      {children}
    </ol>
  );
}
