import type { Knex } from 'knex';
import type { Bus } from '../../platform/bus.js';
import type { InTransaction } from '../../platform/db/transaction.js';
import { requireRight, type Actor } from '../access/actor.js';
import type { Right } from '../access/rights.js';
import { NotFoundError, type Application } from './application.js';
import type { ApplicationsStore } from './applications-store.js';

/** Topic that carries the App Keys of changed applications, so that every process invalidates its cache. */
export const APPLICATION_TOPIC = 'application';

export type ChangeApplication = ReturnType<typeof createChangeApplication>;

export function createChangeApplication(store: ApplicationsStore, inTransaction: InTransaction, bus: Bus) {
  /** Checks the right, locks the application, runs `change`, and invalidates the application in all caches. */
  return async function changeApplication<T>(
    actor: Actor,
    right: Right,
    appKey: string,
    change: (trx: Knex, application: Application) => Promise<T>,
  ): Promise<T> {
    requireRight(actor, right);
    const result = await inTransaction(async (trx) => {
      const application = await store.lock(trx, appKey);
      if (!application) throw new NotFoundError(appKey);
      return change(trx, application);
    });
    bus.publish(APPLICATION_TOPIC, appKey);
    return result;
  };
}
