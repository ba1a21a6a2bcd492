/** Creates the automations module: shops send their events to Passbell, and automations send messages. */
import type { Limiter } from '../../platform/rate-limit/limiter.js';
import type { ApplicationsService } from '../applications/applications-service.js';
import type { Shared } from '../audit/audit-service.js';
import type { NotificationsService } from '../notifications/notifications-service.js';
import { createAutomationsService } from './automations-service.js';
import { createEventsStore } from './events-store.js';
import { createHandledStore } from './handled-store.js';
import { createShopsStore } from './shops-store.js';
import { createProcessor } from './processor.js';
import { createReceive } from './receive-service.js';

export type { AutomationsService } from './automations-service.js';

interface Dependencies extends Pick<Shared, 'audit' | 'clock' | 'db' | 'inTransaction' | 'keyring' | 'log'> {
  readonly applications: Pick<ApplicationsService, 'find'>;
  readonly notifications: NotificationsService;
  readonly limiter: Pick<Limiter, 'take'>;
}

export function createAutomations({ db, ...dependencies }: Dependencies) {
  const shops = createShopsStore(db);
  const events = createEventsStore(db);
  const handled = createHandledStore(db);
  const { clock } = dependencies;
  const shared = { ...dependencies, shops, events, handled };
  return {
    service: { ...createAutomationsService(shared), receive: createReceive(shared) },
    processor: createProcessor(shared),
    maintenance: [() => events.cleanUp(clock.now()), () => handled.cleanUp(clock.now())],
  };
}
