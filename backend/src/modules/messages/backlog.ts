/** Measures the queue, in total and by application, and rejects new messages above a limit. */
import type { Clock } from '../../platform/clock.js';
import { ApiError } from '../../platform/contract/errors.js';
import type { Backlog } from '../../platform/metrics.js';
import { MAX_QUEUED, MAX_QUEUED_PER_APPLICATION } from './message.js';
import type { MessagesStore } from './messages-store.js';

/** `retryAfterSeconds` while the queue is too long. */
export const OVERLOADED_RETRY_SECONDS = 10;
/** The messages of an application with a longer queue are sent last. One worker sends about this many in a second. */
const LONG_BACKLOG = 100;

export type Backlogs = ReturnType<typeof createBacklogs>;

export function createBacklogs(store: Pick<MessagesStore, 'backlog'>, clock: Clock) {
  let total = 0;
  /** Queued messages by application, as last measured. */
  let queued: ReadonlyMap<number, number> = new Map();
  /** Messages accepted by this process since the last measurement, by application. */
  let accepted = new Map<number, number>();

  async function measure(): Promise<Backlog> {
    const { messages, oldestAt } = await store.backlog(MAX_QUEUED + 1);
    return { messages, oldestMs: oldestAt === undefined ? 0 : Math.max(0, clock.now() - oldestAt) };
  }

  /** Measures the queue for the functions below; called regularly. */
  async function check(): Promise<void> {
    const { messages, byApplication } = await store.backlog(MAX_QUEUED + 1);
    total = messages;
    queued = byApplication;
    accepted = new Map();
  }

  /** Rejects a message that would wait too long or delay other applications. Called before anything is charged. */
  function rejectWhenOverloaded(applicationId: number): void {
    if (total > MAX_QUEUED || (queued.get(applicationId) ?? 0) > MAX_QUEUED_PER_APPLICATION)
      throw new ApiError('OVERLOADED', { retryAfterSeconds: OVERLOADED_RETRY_SECONDS });
  }

  function countAccepted(applicationId: number): void {
    accepted.set(applicationId, (accepted.get(applicationId) ?? 0) + 1);
  }

  /** Whether this application's messages are sent after all others. */
  const isLong = (applicationId: number): boolean =>
    (queued.get(applicationId) ?? 0) + (accepted.get(applicationId) ?? 0) > LONG_BACKLOG;

  return { measure, check, rejectWhenOverloaded, countAccepted, isLong };
}
