/** Logs failures that can repeat many times a second. */
import { MINUTE } from './clock.js';
import { describeError, type Log } from './log.js';

export type LogFailure = (error: unknown, text: string, fields?: Readonly<Record<string, string>>) => void;

/**
 * Logs each kind of failure at once, and then at most once a minute, with the number of failures since the last entry.
 * `now` returns a monotonic time in milliseconds.
 */
export function createFailureLog(log: Log, now = () => performance.now()): LogFailure {
  const kinds = new Map<string, { loggedAt: number; repeated: number }>();
  return function logFailure(error, text, fields = {}) {
    const err = describeError(error);
    const kind = JSON.stringify([text, err.type, err.reason, fields]);
    const last = kinds.get(kind);
    if (last && now() < last.loggedAt + MINUTE) return void last.repeated++;
    kinds.set(kind, { loggedAt: now(), repeated: 0 });
    log.warn({ ...fields, err, ...(last && last.repeated > 0 ? { repeated: last.repeated } : {}) }, text);
  };
}
