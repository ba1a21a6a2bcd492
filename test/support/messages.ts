/** Changes messages as the service itself does, and ends the leases of killed processes. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { createApplyEvents } from '../../backend/src/modules/messages/apply-events.js';
import { createMessagesStore } from '../../backend/src/modules/messages/messages-store.js';
import type { RetryResult } from '../../backend/src/modules/messages/retry.js';
import { createUsageRecorder } from '../../backend/src/modules/usage/index.js';
import type { Clock } from '../../backend/src/platform/clock.js';
import type { Database } from '../../backend/src/platform/db/database.js';
import { createInTransaction, createWriter } from '../../backend/src/platform/db/transaction.js';
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
