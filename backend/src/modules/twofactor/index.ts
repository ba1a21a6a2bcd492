/** Two-factor with authenticator apps (TOTP) and recovery codes. */
import type { Clock } from '../../platform/clock.js';
import type { Keyring } from '../../platform/crypto.js';
import type { Database } from '../../platform/db/database.js';
import { createInTransaction } from '../../platform/db/transaction.js';
import type { ApplicationsService } from '../applications/applications-service.js';
import type { AuditService } from '../audit/audit-service.js';
import type { SessionsService } from '../sessions/sessions-service.js';
import { createCallerOf } from './caller.js';
import { createCodeVerification } from './code-verification.js';
import { createTwoFactorService } from './twofactor-service.js';
import { createTwoFactorStore } from './twofactor-store.js';

export type { TwoFactorService } from './twofactor-service.js';

export function createTwoFactor(
  db: Database,
  keyring: Keyring,
  clock: Clock,
  applications: ApplicationsService,
  sessions: SessionsService,
  audit: AuditService,
) {
  const store = createTwoFactorStore(db);
  const verification = createCodeVerification(store, createInTransaction(db), keyring, clock);
  const callerOf = createCallerOf(applications, keyring, clock);
  const service = createTwoFactorService(store, verification, callerOf, sessions, audit, clock);
  return { service, maintenance: [() => store.deleteExpired(clock.now())] };
}
