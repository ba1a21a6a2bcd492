import type { Database } from '../../platform/db/database.js';
import { createInTransaction } from '../../platform/db/transaction.js';
import { createOverridesStore } from './overrides-store.js';
import { createTemplatesService, type TemplatesServiceDependencies } from './templates-service.js';

export type { TemplatesService } from './templates-service.js';

type TemplatesDependencies = Omit<TemplatesServiceDependencies, 'store' | 'inTransaction'> & { readonly db: Database };

export function createTemplates({ db, ...dependencies }: TemplatesDependencies) {
  const [store, inTransaction] = [createOverridesStore(db), createInTransaction(db)];
  return { service: createTemplatesService({ ...dependencies, store, inTransaction }) };
}
