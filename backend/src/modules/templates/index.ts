import type { Database } from '../../platform/db/database.js';
import { createOverridesStore } from './overrides-store.js';
import { createTemplatesService, type TemplatesServiceDependencies } from './templates-service.js';

export type { TemplatesService } from './templates-service.js';

type Dependencies = Omit<TemplatesServiceDependencies, 'store'> & { readonly db: Database };

export function createTemplates({ db, ...dependencies }: Dependencies) {
  return { service: createTemplatesService({ ...dependencies, store: createOverridesStore(db) }) };
}
