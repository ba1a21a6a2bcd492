/** Erases recipients, and the rows of deleted applications. */
import type { Shared } from '../audit/audit-service.js';
import { createApplicationErasure } from './application-erasure.js';
import { createErasureService } from './erasure-service.js';

type ErasureDependencies = Pick<Shared, 'audit' | 'bus' | 'clock' | 'db' | 'inTransaction'>;

export function createErasure(
  { db, inTransaction, audit, bus, clock }: ErasureDependencies,
  erasers: Parameters<typeof createErasureService>[0],
) {
  return {
    service: createErasureService(erasers, inTransaction, audit),
    maintenance: [createApplicationErasure(db, inTransaction, audit, bus, clock)],
  };
}
