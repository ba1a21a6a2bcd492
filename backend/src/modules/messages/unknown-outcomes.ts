/** Attempts with an unknown outcome: a report, or the entered code, can show later that the provider accepted the message. */
import type { Attempt, HistoryEntry, Message } from './message.js';
import type { Price } from './price.js';

export type UnknownAttempt = Attempt & { readonly ifSent: Price };

const isUnknown = (entry: HistoryEntry | Attempt): entry is UnknownAttempt =>
  'ifSent' in entry && entry.ifSent !== undefined;

/** Returns the last attempt before a retry that the provider may have accepted; undefined if a person started the retry. */
export function unknownBeforeRetry({ history }: Message): UnknownAttempt | undefined {
  const last = history.filter((entry) => 'retriedAt' in entry || isUnknown(entry)).at(-1);
  return last && isUnknown(last) ? last : undefined;
}

/**
 * Returns the last attempt whose outcome is unknown. Attempts before a retry failed certainly, unless a worker crashed: only
 * their providers' reports can show otherwise.
 */
export const lastUnknown = (message: Message): UnknownAttempt | undefined =>
  message.attempts.filter(isUnknown).at(-1) ?? (message.crashes > 0 ? unknownBeforeRetry(message) : undefined);

export const acceptedLater = ({ channel, provider, startedAt, at, ifSent: price }: UnknownAttempt): Attempt => ({
  channel,
  provider,
  success: true,
  message: 'sent',
  price,
  startedAt,
  at,
});

/** Changes a message with an unknown outcome to `sent`. Returns undefined if the outcome is known. */
export function correctedToSent(message: Message): Message | undefined {
  const last = message.attempts.at(-1);
  if ((message.state !== 'failed' && message.state !== 'expired') || last?.ifSent === undefined) return undefined;
  const accepted = { ...last, success: true, message: 'sent', price: last.ifSent };
  return { ...message, state: 'sent', attempts: [accepted, ...message.attempts.slice(0, -1)] };
}
