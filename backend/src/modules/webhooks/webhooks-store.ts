import type { Knex } from 'knex';
import type { Keyring } from '../../platform/crypto.js';
import type { Database } from '../../platform/db/database.js';
import { resealColumn } from '../../platform/db/reseal.js';
import { fromSecretRow, toRow, type Row } from '../../platform/db/row.js';
import { DELIVERED_WHEN_ACCEPTED, type EventName, type Subscription } from './event.js';
import { secretContext, type Webhook } from './webhook.js';

export type WebhookUpdate = Partial<
  Pick<Webhook, 'events' | 'secretSealed' | 'nextSecretSealed' | 'nextSecretAt' | 'failures' | 'restsUntil'>
>;

export type WebhooksStore = ReturnType<typeof createWebhooksStore>;

/** Earlier versions stored `message.delivered` for accepted messages, so the reported delivery has another stored name. */
const STORED_NAMES: Readonly<Partial<Record<Subscription, string>>> = {
  [DELIVERED_WHEN_ACCEPTED]: 'message.delivered',
  'message.delivered': 'message.delivery-reported',
};
const toStored = (events: readonly Subscription[]): string =>
  JSON.stringify(events.map((event) => STORED_NAMES[event] ?? event));
const toSubscription = (stored: string): Subscription =>
  (Object.keys(STORED_NAMES) as Subscription[]).find((name) => STORED_NAMES[name] === stored) ?? (stored as EventName);

export const toWebhook = (row: Row): Webhook => ({
  ...fromSecretRow<Webhook>(row),
  events: (JSON.parse(row.events as string) as string[]).map(toSubscription),
});

export function createWebhooksStore(db: Database) {
  return {
    /** Returns an application's webhooks, oldest first. */
    async list(applicationId: number, trx: Knex = db): Promise<Webhook[]> {
      return (await trx('webhooks').where({ application_id: applicationId }).orderBy('id')).map(toWebhook);
    },

    async subscribers(trx: Knex, applicationIds: readonly number[]): Promise<Webhook[]> {
      return (await trx('webhooks').whereIn('application_id', applicationIds)).map(toWebhook);
    },

    async insert(
      trx: Knex,
      webhook: Omit<Webhook, 'id' | 'failures' | 'restsUntil' | 'nextSecretSealed' | 'nextSecretAt'>,
    ): Promise<void> {
      await trx('webhooks').insert(toRow({ ...webhook, events: toStored(webhook.events) }));
    },

    async find(applicationId: number, webhookId: string, trx: Knex = db): Promise<Webhook | undefined> {
      const row = await trx('webhooks').where({ application_id: applicationId, webhook_id: webhookId }).first();
      return row && toWebhook(row);
    },

    async update(trx: Knex, id: number, { events, ...update }: WebhookUpdate): Promise<void> {
      const changed = events ? { ...update, events: toStored(events) } : update;
      await trx('webhooks').where({ id }).update(toRow(changed));
    },

    /**
     * Deletes this application's webhook, with its pending deliveries and its log. Returns the webhook's URL; undefined
     * if the application has no such webhook.
     */
    async remove(trx: Knex, applicationId: number, webhookId: string): Promise<string | undefined> {
      const found = trx('webhooks').where({ application_id: applicationId, webhook_id: webhookId });
      const row = await found.clone().first('id', 'url');
      if (!row) return undefined;
      await trx('webhook_deliveries').where({ webhook_id: row.id }).delete();
      await trx('webhook_attempts').where({ webhook_id: row.id }).delete();
      await found.delete();
      return row.url as string;
    },

    /** Reseals all secrets with the newest key. Returns the number of resealed secrets. */
    async reseal(keyring: Keyring): Promise<number> {
      const contextOf = (row: Row) => secretContext(toWebhook(row));
      const resealed = await resealColumn(db, keyring, { table: 'webhooks', column: 'secret_sealed', contextOf });
      const next = { table: 'webhooks', column: 'next_secret_sealed', contextOf };
      return resealed + (await resealColumn(db, keyring, next));
    },
  };
}
