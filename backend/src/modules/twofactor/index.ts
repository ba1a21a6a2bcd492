/** Two-factor authentication with authenticator apps (TOTP) and recovery codes. */
import type { ApplicationsService } from '../applications/applications-service.js';
import type { Shared } from '../audit/audit-service.js';
import type { SessionsService } from '../sessions/sessions-service.js';
import { createDeleteAbandonedFactors } from './abandoned-factors.js';
import { createCallerOf } from './caller.js';
import { createCodeVerification } from './code-verification.js';
import { createEnroll } from './enroll.js';
import { createFactorSecrets } from './factor-secrets.js';
import { createFailuresStore } from './failures-store.js';
import { createGuessLimits } from './guess-limits.js';
import { createTwoFactorService } from './twofactor-service.js';
import { createTwoFactorStore } from './twofactor-store.js';

export type { TwoFactorService } from './twofactor-service.js';

interface Dependencies extends Pick<Shared, 'audit' | 'clock' | 'db' | 'inTransaction' | 'keyring'> {
  readonly applications: ApplicationsService;
  readonly sessions: SessionsService;
}

export function createTwoFactor(dependencies: Dependencies) {
  const { db, inTransaction, keyring, clock, applications, sessions } = dependencies;
  const store = createTwoFactorStore(db);
  const failures = createFailuresStore(db);
  const secrets = createFactorSecrets(keyring);
  const limits = createGuessLimits(failures, inTransaction, keyring, clock);
  const verification = createCodeVerification(store, limits, secrets, keyring, clock);
  const callerOf = createCallerOf(applications, keyring, clock);
  const enroll = createEnroll(store, secrets, clock);
  const parts = { store, verification, secrets, limits, enroll, callerOf };
  const deleteAbandonedFactors = createDeleteAbandonedFactors(store, limits, sessions, clock);
  const deleteExpired = async () => {
    await store.deleteExpired(clock.now());
    await failures.deleteExpired(clock.now());
  };
  return {
    service: createTwoFactorService({ ...dependencies, ...parts }),
    maintenance: [deleteExpired, deleteAbandonedFactors],
  };
}
