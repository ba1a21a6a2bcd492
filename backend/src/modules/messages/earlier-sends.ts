/**
 * The sends of a message that is sent another way, because it did not arrive: with the next provider of its route, or on the
 * next channel of its plan. Pure functions of the state machine in `lifecycle.ts`.
 *
 * A message has one current send, and remembers the earlier ones, because their providers may still report. The current
 * send is the one that arrived, and otherwise the last one that a provider accepted.
 */
import type { ChannelName } from '../../platform/contract/channels.js';
import type { ReportedState } from '../../providers/provider.js';
import { acceptedAttempt, NOT_SENT, type Attempt, type EarlierSend, type Message } from './message.js';

/** Maximum number of times that a message is sent. Each costs money. */
const MAX_SENDS = 4;

/** Whether a message may be sent another way: its content is kept, and it is neither too late nor too expensive. */
export const maySendAnotherWay = ({ payload, expiresAt, earlierSends }: Message, now: number): boolean =>
  payload !== null && now < expiresAt && earlierSends.length < MAX_SENDS - 1;

/** Returns the current send of a sent message, as it is remembered. */
function currentSend(message: Message): EarlierSend {
  const { provider, providerId, report, reportedAt } = message;
  return { attempt: acceptedAttempt(message)!, provider, providerId, report, reportedAt };
}

/** Returns a sent message as queued on `channel`, where another provider than before sends it. */
export function queuedAnotherWay(message: Message, channel: ChannelName, now: number): Message {
  return {
    ...message,
    ...NOT_SENT,
    state: 'queued',
    channel,
    attempts: message.attempts.filter(({ success }) => !success),
    earlierSends: [...message.earlierSends, currentSend(message)],
    dueAt: now,
  };
}

const hasArrived = ({ report }: EarlierSend): boolean => report === 'delivered';

/** Whether an earlier send has arrived, so that the message must not be sent again. */
export const arrivedEarlier = ({ earlierSends }: Message): boolean => earlierSends.some(hasArrived);

/** Makes the earlier send that arrived, or otherwise the last one, the current send of a message that ends. */
export function withEarlierSend(message: Message, now: number): Message {
  const { earlierSends } = message;
  const restored = earlierSends.find(hasArrived) ?? earlierSends.filter(({ attempt }) => attempt.success).at(-1)!;
  const { attempt, provider, providerId, report, reportedAt } = restored;
  const others = earlierSends.filter((send) => send !== restored);
  return {
    ...message,
    state: 'sent',
    channel: attempt.channel,
    attempts: [attempt, ...message.attempts.filter(({ success }) => !success)],
    earlierSends: message.state === 'sent' ? [...others, currentSend(message)] : others,
    payload: null,
    dueAt: null,
    finishedAt: attempt.at ?? now,
    provider,
    providerId,
    report,
    reportedAt,
  };
}

/** Remembers a send that the provider may have accepted, as `unknown` describes. */
export const withUnknownSend = (message: Message, unknown: Attempt): Message => ({
  ...message,
  attempts: message.attempts.filter((attempt) => attempt !== unknown),
  earlierSends: [
    ...message.earlierSends,
    { attempt: unknown, provider: message.provider, providerId: null, report: null, reportedAt: null },
  ],
});

/** Returns the index of the earlier send that a provider reports on; -1 if it reports on another one. */
export const reportedSend = (
  { earlierSends }: Message,
  { provider, providerId }: { readonly provider: string; readonly providerId: string },
): number =>
  earlierSends.findIndex(
    (send) => send.provider === provider && (send.providerId === null || send.providerId === providerId),
  );

/** Returns the message with a report on an earlier send, which proves that the provider accepted it. */
export function withEarlierReport(
  message: Message,
  index: number,
  providerId: string,
  state: ReportedState,
  now: number,
): Message {
  const earlierSends = message.earlierSends.map((send, n): EarlierSend => {
    if (n !== index) return send;
    const { ifSent, ...attempt } = send.attempt;
    const accepted = attempt.success ? attempt : { ...attempt, success: true, message: 'sent', price: ifSent! };
    if (state === 'sent') return { ...send, attempt: accepted, providerId };
    return { ...send, attempt: accepted, providerId, report: state, reportedAt: now };
  });
  return { ...message, earlierSends };
}
