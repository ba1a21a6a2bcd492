import { OPERATOR } from '../access/actor.js';
import { APPLICATION_TOPIC } from '../applications/change-application.js';
import type { Shared } from '../audit/audit-service.js';
import { createApplicationRowsStore } from './application-rows-store.js';

type Dependencies = Pick<Shared, 'audit' | 'bus' | 'clock' | 'db' | 'inTransaction'>;

/** Returns a clean-up task that erases deleted applications after their grace period. */
export function createApplicationErasure({ db, inTransaction, audit, bus, clock }: Dependencies) {
  const store = createApplicationRowsStore(db);

  return async function eraseDeletedApplications(): Promise<void> {
    for (const { id, accountId, name: subject, appKey } of await store.listToErase(clock.now())) {
      await store.deleteRows(id);
      await inTransaction(async (trx) => {
        if (await store.deleteApplication(trx, id))
          await audit.record(trx, OPERATOR, { accountId, action: 'application.erase', subject });
      });
      bus.publish(APPLICATION_TOPIC, appKey);
    }
  };
}
