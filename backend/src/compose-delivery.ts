/** Wires what happens to a message: accepted, rendered, delivered. */
import type { Backing } from './platform/platform.js';
import { createChannels } from './providers/registry.js';
import { SECOND } from './platform/clock.js';
import type { Config } from './platform/config/config.js';
import type { Keyring } from './platform/crypto.js';
import { createWriter } from './platform/db/transaction.js';
import type { DevInbox } from './modules/dev-inbox/dev-inbox.js';
import type { Log } from './platform/log.js';
import type { Metrics } from './platform/metrics.js';
import { createDelivery } from './modules/messages/delivery.js';
import { createDeliveryStore } from './modules/messages/delivery-store.js';
import { createHandOver } from './modules/messages/hand-over.js';
import { createLookupStore } from './modules/messages/lookup-store.js';
import { createMessageLookup } from './modules/messages/lookup-service.js';
import { createMessagesService } from './modules/messages/messages-service.js';
import { createMessagesStore } from './modules/messages/messages-store.js';
import { createPriceOf } from './modules/messages/price.js';
import { createReportsStore } from './modules/messages/reports-store.js';
import { createSweeper } from './modules/messages/sweeper.js';
import { createAnnouncements } from './modules/webhooks/announcements.js';
import { createCallOut } from './modules/webhooks/call-out.js';
import { createOutboxStore } from './modules/webhooks/outbox-store.js';
import { createSender } from './modules/webhooks/sender.js';
import { createWebhooksService } from './modules/webhooks/webhooks-service.js';
import { createWebhooksStore } from './modules/webhooks/webhooks-store.js';
import { createUsageService } from './modules/usage/usage-service.js';
import { createUsageStore } from './modules/usage/usage-store.js';
import { createOverridesStore } from './modules/templates/overrides-store.js';
import { createTemplatesService } from './modules/templates/templates-service.js';
import { NO_PRICES } from './platform/config/prices-file.js';

/** What every part of the service stands on. */
export interface Ground {
  readonly config: Config;
  readonly backing: Backing;
  readonly keyring: Keyring;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly devInbox: DevInbox | undefined;
}

export type DeliveryParts = ReturnType<typeof composeDelivery>;

export function composeDelivery({ config, backing, keyring, log, metrics, devInbox }: Ground) {
  const { clock, db, queue, outcomes } = backing;
  const channels = createChannels(config, { log, ...(devInbox ? { devInbox } : {}) });
  const templates = createTemplatesService({ store: createOverridesStore(db), clock, log });
  const callOut = createCallOut({ allowPrivate: config.WEBHOOKS_ALLOW_PRIVATE });
  const webhooks = createWebhooksService({ store: createWebhooksStore(db), keyring, clock, mayCall: callOut.mayCall });
  const announcements = createAnnouncements(webhooks);
  const outbox = createOutboxStore(db);
  const webhookSender = createSender({ store: outbox, keyring, callOut, clock, log });
  const write = createWriter(db);
  const prices = config.PRICES_FILE ?? NO_PRICES;
  const { currency } = prices;
  const accepting = { queue, outcomes, announcements, keyring, clock, waitMs: config.SEND_WAIT_MS, currency };
  const stores = {
    store: createMessagesStore(db, write),
    reports: createReportsStore(db),
    usage: createUsageStore(db),
  };
  const messages = createMessagesService({ ...stores, ...accepting });
  /** For who must not see by the time that a reply takes whether anything was sent. */
  const { accept } = createMessagesService({ ...stores, ...accepting, waitMs: 0 });
  const messagesAtOnce = { ...messages, accept };
  const insight = {
    messageLookup: createMessageLookup({ store: createLookupStore(db), messages: stores.store, keyring, clock }),
    usage: createUsageService({ store: stores.usage, messages: stores.store }),
  };

  const store = createDeliveryStore(db);
  // Connecting and answering may each take the whole time-out.
  const common = { clock, log, deadlineMs: 2 * config.PROVIDER_TIMEOUT_MS + SECOND };
  const handOver = createHandOver({ channels, keyring, contentOf: templates.contentOf, ...common });
  const priceOf = createPriceOf(prices, channels);
  const deliver = createDelivery({ store, queue, outcomes, announcements, handOver, priceOf, metrics, ...common });
  const sweeper = createSweeper({ store, queue, clock });
  const events = { webhooks, announcements, outbox, webhookSender };
  return {
    ...{ channels, templates, ...events, write, messages, messagesAtOnce, insight },
    ...{ prices, currency, deliver, sweeper },
  };
}
