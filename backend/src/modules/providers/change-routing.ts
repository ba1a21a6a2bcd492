import type { Knex } from 'knex';
import type { Bus } from '../../platform/bus.js';
import type { InTransaction } from '../../platform/db/transaction.js';
import type { ProvidersStore } from './providers-store.js';
import { ROUTING_TOPIC } from './routing.js';

export type ChangeRouting = ReturnType<typeof createChangeRouting>;

/** Returns a function that changes providers or routes in one transaction, and notifies all processes. */
export function createChangeRouting(
  store: Pick<ProvidersStore, 'bump'>,
  inTransaction: InTransaction,
  bus: Pick<Bus, 'publish'>,
) {
  return async function changeRouting<T>(work: (trx: Knex) => Promise<T>): Promise<T> {
    const result = await inTransaction(async (trx) => {
      await store.bump(trx);
      return work(trx);
    });
    bus.publish(ROUTING_TOPIC, '');
    return result;
  };
}
