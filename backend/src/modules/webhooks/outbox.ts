/** The webhook outbox: events are stored in the transaction of the change that they report, and sent later. */
import type { Knex } from 'knex';
import type { WebhookEvent } from './event.js';
import type { OutboxStore } from './outbox-store.js';
import type { WebhooksStore } from './webhooks-store.js';

export interface Outbox {
  publish(trx: Knex, events: readonly WebhookEvent[], now: number): Promise<void>;
}

export function createOutbox(store: Pick<OutboxStore, 'insert'>, webhooks: Pick<WebhooksStore, 'subscribers'>): Outbox {
  async function publish(trx: Knex, events: readonly WebhookEvent[], now: number): Promise<void> {
    if (events.length === 0) return;
    const subscribers = await webhooks.subscribers(trx, [...new Set(events.map(({ applicationId }) => applicationId))]);
    const deliveries = events.flatMap(({ applicationId, body }) =>
      subscribers
        .filter((webhook) => webhook.applicationId === applicationId && webhook.events.includes(body.event))
        .map((webhook) => ({ webhookId: webhook.id, eventId: body.id, body: JSON.stringify(body) })),
    );
    if (deliveries.length > 0) await store.insert(trx, deliveries, now);
  }

  return { publish };
}
