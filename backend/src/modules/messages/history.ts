/** What is kept of a message's past, so that people can follow it. Nothing is written for a message that goes well. */
import { HISTORY_STEPS } from '../../platform/limits.js';
import type { Attempt, Message, Past } from './message.js';

const bounded = (history: readonly Past[]): Past[] => history.slice(-HISTORY_STEPS);

/** With an attempt that will be repeated; the same result again and again is one step, from the first to the last. */
export function historyOfAttempt(history: readonly Past[], attempt: Attempt): Past[] {
  const last = history.at(-1);
  const same = last && 'times' in last && last.channel === attempt.channel && last.message === attempt.message;
  if (!same) return bounded([...history, { ...attempt, times: 1 }]);
  return [
    ...history.slice(0, -1),
    { ...attempt, startedAt: last.startedAt ?? attempt.startedAt!, times: last.times + 1 },
  ];
}

/** Of a dead letter that is sent again: what was tried before stays known. */
export function historyOfRetry({ history, tried }: Pick<Message, 'history' | 'tried'>, now: number): Past[] {
  return bounded([...history, ...tried.map((attempt) => ({ ...attempt, times: 1 })), { retriedAt: now }]);
}

/** Of a message whose report is replaced by a stronger one; undefined when it has none. */
export function historyOfReport({ history, report, reportedAt }: Message): Past[] | undefined {
  return report && reportedAt !== null ? bounded([...history, { report, reportedAt }]) : undefined;
}
