import type { Settings } from '../../platform/settings-cache.js';
import type { Shared } from '../audit/audit-service.js';
import { createAccountCeilingsService } from './account-ceilings-service.js';
import { createAccountProfiles } from './account-profile-service.js';
import { createApplicationSecrets } from './application-secrets.js';
import { createApplicationsService } from './applications-service.js';
import { createApplicationsStore } from './applications-store.js';
import { createChangeApplication } from './change-application.js';
import { createCredentialsService } from './credentials-service.js';
import { createDeletionService } from './deletion-service.js';
import { createRejectedCallers } from './rejected-callers.js';
import { createRejectedCallersStore } from './rejected-callers-store.js';

interface Dependencies extends Pick<Shared, 'audit' | 'bus' | 'clock' | 'db' | 'inTransaction' | 'keyring' | 'url'> {
  readonly settings: Settings;
}

export function createApplications(dependencies: Dependencies) {
  const { db, inTransaction, bus, keyring, clock, audit, url } = dependencies;
  const store = createApplicationsStore(db, url);
  const secrets = createApplicationSecrets(keyring, clock);
  const changeApplication = createChangeApplication(store, inTransaction, bus);
  const credentials = createCredentialsService(store, secrets, changeApplication, dependencies);
  const ceilings = createAccountCeilingsService(store, dependencies);
  const deletion = createDeletionService(store, changeApplication, audit, clock);
  const rejectedCallers = createRejectedCallers(createRejectedCallersStore(db, inTransaction), clock);
  return {
    service: createApplicationsService({
      ...dependencies,
      store,
      secrets,
      credentials,
      ceilings,
      deletion,
      changeApplication,
    }),
    profiles: createAccountProfiles(dependencies),
    rejectedCallers,
    maintenance: [rejectedCallers.cleanUp],
  };
}
