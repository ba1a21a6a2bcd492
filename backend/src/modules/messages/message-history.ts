/** A message's history, which only the dashboard shows, and the replies in its attempts. */
import type { FailureDetails } from '../../providers/provider.js';
import type { EventOf } from './lifecycle-events.js';
import { acceptedAttempt, type Attempt, type HistoryEntry, type Message } from './message.js';

/** Maximum number of history entries per message. */
const MAX_HISTORY_LENGTH = 50;
/**
 * Maximum number of bytes of all replies in a list of attempts. A MySQL column holds 64 kB, and JSON can double a reply.
 */
const MAX_REPLIES_BYTES = 16 * 1024;

export const withinLimit = (history: readonly HistoryEntry[]): readonly HistoryEntry[] =>
  history.slice(-MAX_HISTORY_LENGTH);
/** Adds a retried attempt to the history. Consecutive attempts with the same result share an entry. */
export function withAttempt(history: readonly HistoryEntry[], attempt: Attempt): readonly HistoryEntry[] {
  const last = history.at(-1);
  const same =
    last &&
    'times' in last &&
    last.channel === attempt.channel &&
    last.provider === attempt.provider &&
    last.message === attempt.message;
  if (!same) return withinLimit([...history, { ...attempt, times: 1 }]);
  return [
    ...history.slice(0, -1),
    { ...attempt, startedAt: last.startedAt ?? attempt.startedAt, times: last.times + 1 },
  ];
}

interface WithDetails {
  readonly details?: FailureDetails | undefined;
}

/** Leaves the replies of the oldest attempts out, which come first, until the others fit into the limit. */
export function withinReplyLimit<T extends object>(attempts: readonly T[], limit = MAX_REPLIES_BYTES): readonly T[] {
  const kept: T[] = [];
  let bytes = 0;
  for (const attempt of [...attempts].reverse() as (T & WithDetails)[]) {
    const { reply, ...details } = attempt.details ?? {};
    bytes += Buffer.byteLength(reply ?? '');
    kept.push(reply === undefined || bytes <= limit ? attempt : { ...attempt, details });
  }
  return kept.reverse();
}

export const withoutReplies = <T extends object>(attempts: readonly T[]): readonly T[] => withinReplyLimit(attempts, 0);

/** Adds the current report to the history, because a stronger report is about to replace it. */
export function withReport(message: Message): readonly HistoryEntry[] {
  const { history, report, reportedAt } = message;
  if (!report || reportedAt === null) return history;
  const reason = acceptedAttempt(message)?.undelivered;
  return withinLimit([...history, reason === undefined ? { report, reportedAt } : { report, reportedAt, reason }]);
}

/** Adds a report that the message was not delivered to the history, if it arrives before the acceptance is stored. */
export function withEarlyReport(
  { history }: Message,
  { reportedState: report, reason, details, next }: EventOf<'reported'>,
  reportedAt: number,
): readonly HistoryEntry[] {
  return report === 'undelivered' ? withinLimit([...history, { report, reportedAt, reason, details, next }]) : history;
}

/** Returns the report that {@link withEarlyReport} has added, unless another one has replaced it. */
export function earlyReport({ history, report, reportedAt }: Message) {
  const last = history.at(-1);
  return last && 'report' in last && last.report === report && last.reportedAt === reportedAt ? last : undefined;
}
