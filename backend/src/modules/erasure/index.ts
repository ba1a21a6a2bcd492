/** Erases recipients, and the rows of deleted applications. */
import { createApplicationErasure } from './application-erasure.js';
import { createErasureService } from './erasure-service.js';

export function createErasure(
  dependencies: Parameters<typeof createApplicationErasure>[0],
  erasers: Parameters<typeof createErasureService>[0],
) {
  return {
    service: createErasureService(erasers, dependencies.inTransaction, dependencies.audit),
    maintenance: [createApplicationErasure(dependencies)],
  };
}
