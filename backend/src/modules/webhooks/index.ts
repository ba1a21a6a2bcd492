/** Webhooks: URLs that receive an application's events. */
import type { Shared } from '../audit/audit-service.js';
import { createAttemptsStore } from './attempts-store.js';
import { createCallOut } from './call-out.js';
import { createOutboxStore } from './outbox-store.js';
import { createOutbox } from './outbox.js';
import { createSender } from './sender.js';
import { createWebhookChanges } from './webhook-changes.js';
import { createWebhooksService } from './webhooks-service.js';
import { createWebhooksStore } from './webhooks-store.js';

interface Dependencies extends Pick<Shared, 'audit' | 'bus' | 'clock' | 'db' | 'inTransaction' | 'keyring' | 'log'> {
  /** Whether webhooks may resolve to private and loopback IP addresses. */
  readonly allowPrivate: boolean;
  /** Whether webhooks may be servers on this machine. */
  readonly allowLoopback: boolean;
}

export type WebhooksService = ReturnType<typeof createWebhooks>['service'];

export function createWebhooks(dependencies: Dependencies) {
  const { db, bus, clock } = dependencies;
  const store = createWebhooksStore(db);
  const outboxStore = createOutboxStore(db);
  const callOut = createCallOut(dependencies);
  const attempts = createAttemptsStore(db);
  const { change, ...service } = createWebhooksService({ ...dependencies, store, mayCall: callOut.mayCall });
  return {
    service: { ...service, ...createWebhookChanges({ ...dependencies, store, outbox: outboxStore, attempts, change }) },
    outbox: createOutbox(outboxStore, store, bus, clock),
    sender: createSender({ ...dependencies, store: outboxStore, attempts, callOut }),
    maintenance: [() => outboxStore.cleanUp(clock.now()), () => attempts.cleanUp(clock.now())],
  };
}
