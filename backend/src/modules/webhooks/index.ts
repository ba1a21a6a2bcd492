/** Webhooks: URLs that receive an application's events. */
import type { Bus } from '../../platform/bus.js';
import type { Clock } from '../../platform/clock.js';
import type { Keyring } from '../../platform/crypto.js';
import type { Database } from '../../platform/db/database.js';
import type { InTransaction } from '../../platform/db/transaction.js';
import type { Log } from '../../platform/log.js';
import type { AuditService } from '../audit/audit-service.js';
import { createAttemptsStore } from './attempts-store.js';
import { createCallOut } from './call-out.js';
import { createOutboxStore } from './outbox-store.js';
import { createOutbox } from './outbox.js';
import { createSender } from './sender.js';
import { createWebhookChanges } from './webhook-changes.js';
import { createWebhooksService } from './webhooks-service.js';
import { createWebhooksStore } from './webhooks-store.js';

interface Dependencies {
  readonly db: Database;
  readonly inTransaction: InTransaction;
  readonly bus: Bus;
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly log: Log;
  readonly audit: AuditService;
  /** Whether webhooks may resolve to private and loopback IP addresses. */
  readonly allowPrivate: boolean;
}

export type WebhooksService = ReturnType<typeof createWebhooks>['service'];

export function createWebhooks({ db, inTransaction, bus, keyring, clock, log, audit, allowPrivate }: Dependencies) {
  const store = createWebhooksStore(db);
  const outboxStore = createOutboxStore(db);
  const callOut = createCallOut({ allowPrivate });
  const { mayCall } = callOut;
  const attempts = createAttemptsStore(db);
  const { change, ...service } = createWebhooksService({ store, inTransaction, bus, audit, keyring, clock, mayCall });
  return {
    service: {
      ...service,
      ...createWebhookChanges({ store, outbox: outboxStore, attempts, change, audit, keyring, clock }),
    },
    outbox: createOutbox(outboxStore, store, bus, clock),
    sender: createSender({ store: outboxStore, attempts, keyring, callOut, clock, log }),
    maintenance: [() => outboxStore.cleanUp(clock.now()), () => attempts.cleanUp(clock.now())],
  };
}
