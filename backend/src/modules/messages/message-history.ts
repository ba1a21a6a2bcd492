/** A message's history, which only the dashboard shows. */
import { acceptedAttempt, type Attempt, type HistoryEntry, type Message } from './message.js';

/** Maximum number of history entries per message. */
const MAX_HISTORY_LENGTH = 50;

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

/** Adds the current report to the history, because a stronger report is about to replace it. */
export function withReport(message: Message): readonly HistoryEntry[] {
  const { history, report, reportedAt } = message;
  if (!report || reportedAt === null) return history;
  const reason = acceptedAttempt(message)?.undelivered;
  return withinLimit([...history, reason === undefined ? { report, reportedAt } : { report, reportedAt, reason }]);
}
