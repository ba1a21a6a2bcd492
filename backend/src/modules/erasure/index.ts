/** Erases recipients, and the rows of deleted applications. */
import type { Bus } from '../../platform/bus.js';
import type { Clock } from '../../platform/clock.js';
import type { Database } from '../../platform/db/database.js';
import type { InTransaction } from '../../platform/db/transaction.js';
import type { AuditService } from '../audit/audit-service.js';
import { createApplicationErasure } from './application-erasure.js';
import { createErasureService } from './erasure-service.js';

interface ErasureDependencies {
  readonly db: Database;
  readonly inTransaction: InTransaction;
  readonly audit: AuditService;
  readonly bus: Bus;
  readonly clock: Clock;
}

export function createErasure(
  { db, inTransaction, audit, bus, clock }: ErasureDependencies,
  erasers: Parameters<typeof createErasureService>[0],
) {
  return {
    service: createErasureService(erasers, inTransaction, audit),
    maintenance: [createApplicationErasure(db, inTransaction, audit, bus, clock)],
  };
}
