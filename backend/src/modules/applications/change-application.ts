import type { Knex } from 'knex';
import type { Bus } from '../../platform/bus.js';
import type { InTransaction } from '../../platform/db/transaction.js';
import { requireRight, type Actor } from '../access/actor.js';
import type { Right } from '../access/rights.js';
import { ApplicationNotFoundError, type Application } from './application.js';
import type { ApplicationsStore } from './applications-store.js';

/** Bus topic for the App Keys of changed applications. All processes remove these applications from their caches. */
export const APPLICATION_TOPIC = 'application';

export type ChangeApplication = ReturnType<typeof createChangeApplication>;

export function createChangeApplication(store: ApplicationsStore, inTransaction: InTransaction, bus: Bus) {
  /** Checks the actor's right, runs `change` on the locked application, and removes the application from all caches. */
  return async function changeApplication<T>(
    actor: Actor,
    right: Right,
    appKey: string,
    change: (trx: Knex, application: Application) => Promise<T>,
  ): Promise<T> {
    requireRight(actor, right);
    const result = await inTransaction(async (trx) => {
      const application = await store.lock(trx, appKey);
      if (!application) throw new ApplicationNotFoundError(appKey);
      return change(trx, application);
    });
    bus.publish(APPLICATION_TOPIC, appKey);
    return result;
  };
}
