/** Measures the queue length, in total and by application, and rejects new messages if the queue is too long. */
import { MINUTE, type Clock } from '../../platform/clock.js';
import { ApiError } from '../../platform/contract/errors.js';
import type { Backlog } from '../../platform/metrics.js';
import { MAX_QUEUED, MAX_QUEUED_PER_APPLICATION } from './message.js';
import type { MessagesStore } from './messages-store.js';

/** Value of `retryAfterSeconds` in replies that reject a message because the queue is too long. */
export const OVERLOADED_RETRY_SECONDS = 10;
/**
 * Number of queued messages above which an application's new messages are sent after other applications' messages. One
 * worker sends about this many messages per second.
 */
const LONG_BACKLOG = 100;

/** Messages that are due later wait for the end of quiet hours, and delay no others. */
const BACKLOG_MS = 10 * MINUTE;

export type Backlogs = ReturnType<typeof createBacklogs>;

export function createBacklogs(store: Pick<MessagesStore, 'backlog'>, clock: Clock) {
  let total = 0;
  /** Number of queued messages by application id at the last {@link check}. */
  let queued: ReadonlyMap<number, number> = new Map();
  /** Messages that this process has enqueued minus those that it saw finished since the last {@link check}, by application. */
  let added = new Map<number, number>();

  async function measure(): Promise<Backlog> {
    const { messages, oldestAt } = await store.backlog(MAX_QUEUED + 1, clock.now() + BACKLOG_MS);
    return { messages, oldestMs: oldestAt === undefined ? 0 : Math.max(0, clock.now() - oldestAt) };
  }

  /** Updates the counts that {@link rejectWhenOverloaded} and {@link isLong} use. Call this regularly. */
  async function check(): Promise<void> {
    const { messages, byApplication } = await store.backlog(MAX_QUEUED + 1, clock.now() + BACKLOG_MS);
    total = messages;
    queued = byApplication;
    added = new Map();
  }

  /** Throws an {@link ApiError} if the queue is too long. Call this before a message counts towards any limit. */
  function rejectWhenOverloaded(applicationId: number): void {
    if (total > MAX_QUEUED || (queued.get(applicationId) ?? 0) > MAX_QUEUED_PER_APPLICATION)
      throw new ApiError('OVERLOADED', { retryAfterSeconds: OVERLOADED_RETRY_SECONDS });
  }

  const add = (applicationId: number, messages: number): void =>
    void added.set(applicationId, (added.get(applicationId) ?? 0) + messages);

  const countEnqueued = (applicationId: number): void => add(applicationId, 1);
  /** Without this, messages of a busy second would look queued, and would wait for those of the next second. */
  const countFinished = (applicationId: number): void => add(applicationId, -1);

  /** Whether so many of the application's messages are queued that other applications' messages are sent first. */
  const isLong = (applicationId: number): boolean =>
    (queued.get(applicationId) ?? 0) + (added.get(applicationId) ?? 0) > LONG_BACKLOG;

  /** Number of queued messages of these applications at the last {@link check}. */
  const queuedOf = (applicationIds: readonly number[]): number =>
    applicationIds.reduce((sum, id) => sum + (queued.get(id) ?? 0), 0);

  return { measure, check, rejectWhenOverloaded, countEnqueued, countFinished, isLong, queuedOf };
}
