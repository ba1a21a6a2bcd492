/** The webhook outbox: events are stored in the same transaction as the change that they report, and sent later. */
import type { Knex } from 'knex';
import type { Bus } from '../../platform/bus.js';
import { SECOND, type Clock } from '../../platform/clock.js';
import { eventFor, type WebhookEvent } from './event.js';
import type { OutboxStore } from './outbox-store.js';
import type { Webhook } from './webhook.js';
import type { WebhooksStore } from './webhooks-store.js';

export interface Outbox {
  publish(trx: Knex, events: readonly WebhookEvent[], now: number): Promise<void>;
}

/** How long subscribers are cached: changes by other processes take effect after at most this time. */
const SUBSCRIBERS_MS = SECOND;

/** Bus topic for the ids of applications whose webhooks have changed. */
export const WEBHOOKS_TOPIC = 'webhooks';

/** An ID that no webhook has. Its deliveries are never sent, and are deleted like those of removed webhooks. */
const NO_WEBHOOK = 0;

export function createOutbox(
  store: Pick<OutboxStore, 'insert'>,
  webhooks: Pick<WebhooksStore, 'subscribers'>,
  bus: Pick<Bus, 'subscribe'>,
  clock: Clock,
): Outbox {
  // Subscribers by application, cached to save a query in nearly every transaction.
  const cache = new Map<number, { subscribers: readonly Webhook[]; expiresAt: number }>();

  bus.subscribe(WEBHOOKS_TOPIC, (applicationId) => void cache.delete(Number(applicationId)));

  async function subscribersOf(trx: Knex, applicationIds: ReadonlySet<number>): Promise<Webhook[]> {
    const now = clock.now();
    const missing = [...applicationIds].filter((id) => !((cache.get(id)?.expiresAt ?? 0) > now));
    const found = missing.length > 0 ? await webhooks.subscribers(trx, missing) : [];
    for (const id of missing) {
      const subscribers = found.filter(({ applicationId }) => applicationId === id);
      cache.set(id, { subscribers, expiresAt: now + SUBSCRIBERS_MS });
    }
    return [...applicationIds].flatMap((id) => cache.get(id)?.subscribers ?? []);
  }

  async function publish(trx: Knex, events: readonly WebhookEvent[], now: number): Promise<void> {
    if (events.length === 0) return;
    const subscribers = await subscribersOf(trx, new Set(events.map(({ applicationId }) => applicationId)));
    if (subscribers.length === 0) return;
    const deliveries = events.flatMap(({ applicationId, body, isDecoy }) =>
      subscribers
        .filter((webhook) => webhook.applicationId === applicationId)
        .flatMap(({ id, events: subscriptions }) => {
          const event = eventFor(subscriptions, body);
          if (!event) return [];
          const text = JSON.stringify(event);
          // Rows without a webhook outlive the application, so they contain no data.
          const [webhookId, stored] = isDecoy ? [NO_WEBHOOK, ' '.repeat(text.length)] : [id, text];
          return [{ webhookId, eventId: event.id, body: stored }];
        }),
    );
    if (deliveries.length > 0) await store.insert(trx, deliveries, now);
  }

  return { publish };
}
