/** Webhooks in the database. */
import type { Database } from '../../platform/db/database.js';
import type { EventName } from './event.js';

export interface Webhook {
  readonly id: number;
  /** Its name outside: `WHK-` and 32 hex characters. */
  readonly webhookId: string;
  readonly applicationId: number;
  readonly url: string;
  readonly events: readonly EventName[];
  readonly secretSealed: string;
  /** Calls that failed since the last one that succeeded. */
  readonly failures: number;
  readonly createdAt: number;
}

export type WebhooksStore = ReturnType<typeof createWebhooksStore>;

export const toWebhook = (row: Record<string, unknown>): Webhook => ({
  id: row.id as number,
  webhookId: row.webhook_id as string,
  applicationId: row.application_id as number,
  url: row.url as string,
  events: JSON.parse(row.events as string),
  secretSealed: row.secret_sealed as string,
  failures: row.failures as number,
  createdAt: Number(row.created_at),
});

export function createWebhooksStore(db: Database) {
  return {
    /** Oldest first. */
    async list(applicationId: number): Promise<Webhook[]> {
      return (await db('webhooks').where({ application_id: applicationId }).orderBy('id')).map(toWebhook);
    },

    async insert(webhook: Omit<Webhook, 'id' | 'failures'>): Promise<void> {
      await db('webhooks').insert({
        webhook_id: webhook.webhookId,
        application_id: webhook.applicationId,
        url: webhook.url,
        events: JSON.stringify(webhook.events),
        secret_sealed: webhook.secretSealed,
        created_at: webhook.createdAt,
      });
    },

    /** Removes a webhook of this application, and what waits for it; false when there is none. */
    remove: (applicationId: number, webhookId: string): Promise<boolean> =>
      db.transaction(async (trx) => {
        const found = trx('webhooks').where({ application_id: applicationId, webhook_id: webhookId });
        const { id } = (await found.clone().first('id')) ?? {};
        if (id === undefined) return false;
        await trx('webhook_deliveries').where({ webhook_id: id }).delete();
        return (await found.delete()) > 0;
      }),

    /** The next webhooks after one, for a look at all of them. */
    async some(after: number, limit: number): Promise<Webhook[]> {
      return (await db('webhooks').where('id', '>', after).orderBy('id').limit(limit)).map(toWebhook);
    },

    /** Puts another seal on a secret; one that has changed meanwhile stays. */
    async reseal(id: number, from: string, to: string): Promise<void> {
      await db('webhooks').where({ id, secret_sealed: from }).update({ secret_sealed: to });
    },
  };
}
