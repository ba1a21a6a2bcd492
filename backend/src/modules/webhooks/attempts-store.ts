/** Stores the latest calls to each webhook, for the log in the dashboard. */
import type { Knex } from 'knex';
import { DAY } from '../../platform/clock.js';
import { deleteInChunks, keepNewest, type Database } from '../../platform/db/database.js';
import { fromRow, toRow } from '../../platform/db/row.js';
import { ATTEMPT_DAYS, ATTEMPTS_PER_WEBHOOK, type Attempt } from './webhook.js';

/** A call to store, including the event that it sent. */
export type NewAttempt = Omit<Attempt, 'id'> & { readonly webhookId: number };

export type AttemptsStore = ReturnType<typeof createAttemptsStore>;

export function createAttemptsStore(db: Database) {
  return {
    async insert(attempts: readonly NewAttempt[]): Promise<void> {
      if (attempts.length > 0) await db('webhook_attempts').insert(attempts.map(toRow));
    },

    /** Returns the latest calls to the webhook, newest first. */
    async latest(webhookId: number, limit: number): Promise<Attempt[]> {
      const calls = db('webhook_attempts').where({ webhook_id: webhookId });
      return (await calls.orderBy('id', 'desc').limit(limit)).map(fromRow<Attempt>);
    },

    async find(trx: Knex, webhookId: number, id: number): Promise<Attempt | undefined> {
      const row = await trx('webhook_attempts').where({ webhook_id: webhookId, id }).first();
      return row && fromRow<Attempt>(row);
    },

    async cleanUp(now: number): Promise<void> {
      await deleteInChunks(() => db('webhook_attempts').where('called_at', '<', now - ATTEMPT_DAYS * DAY), 'id');
      await keepNewest(() => db('webhook_attempts'), 'webhook_id', ATTEMPTS_PER_WEBHOOK);
    },
  };
}
