/** Changes messages as the service itself does, and ends the leases of killed processes. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { createApplyEvents } from '../../backend/src/modules/messages/apply-events.js';
import { createMessagesStore } from '../../backend/src/modules/messages/messages-store.js';
import type { RetryResult } from '../../backend/src/modules/messages/retry.js';
import { createUsageRecorder } from '../../backend/src/modules/usage/index.js';
import type { Clock } from '../../backend/src/platform/clock.js';
import type { Database } from '../../backend/src/platform/db/database.js';
import { createInTransaction, createWriter } from '../../backend/src/platform/db/transaction.js';
import type { PassbellProcess } from './process.js';
import type { TestService } from './service.js';

/** Applies events to messages as another process on this database would, but publishes no webhook events. */
export const applierOf = (db: Database, clock: Clock) =>
  createApplyEvents(
    createMessagesStore(db, createWriter(db)),
    createInTransaction(db),
    createUsageRecorder(db, clock),
    { publish: async () => undefined },
    clock,
    {
      reloadForNew: async () => undefined,
      firstProvider: () => undefined,
      anotherWay: () => undefined,
      recordOutcome: () => undefined,
    },
    async () => undefined,
    async () => undefined,
  );

/** Retries a failed message as the operator. */
export const retryMessage = async ({ core }: TestService, id: string): Promise<RetryResult> =>
  core.messages.service.retry(OPERATOR, await core.applications.service.list(), id);

/**
 * Ends the leases of killed processes, which would otherwise expire only after minutes. No other process may be
 * sending.
 */
export async function expireLeases(db: Database): Promise<void> {
  await db('messages').where({ state: 'sending' }).update({ due_at: 0 });
}

export interface Interruptions {
  /** Kills a process, and records which messages were being sent at that moment. */
  kill(process: PassbellProcess): Promise<void>;
  /**
   * Returns the recipients who got more messages than the kills explain. A message that was being sent when a process was
   * killed may be sent once more, because nobody knows whether the provider received it.
   *
   * @param recipients Recipient of each message that a provider received on one channel.
   */
  unexplained(recipients: readonly string[]): string[];
}

export function createInterruptions(db: Database): Interruptions {
  /** Interrupted attempts by recipient. A claim identifies an attempt. */
  const interrupted = new Map<string, Set<string>>();
  return {
    async kill(process) {
      await process.stop('SIGKILL');
      const attempts = await db('messages').where({ state: 'sending' }).select('recipient', 'claim');
      for (const { recipient, claim } of attempts)
        interrupted.set(recipient, (interrupted.get(recipient) ?? new Set()).add(claim));
    },
    unexplained(recipients) {
      const received = new Map<string, number>();
      for (const recipient of recipients) received.set(recipient, (received.get(recipient) ?? 0) + 1);
      return [...received].filter(([to, times]) => times > 1 + (interrupted.get(to)?.size ?? 0)).map(([to]) => to);
    },
  };
}
