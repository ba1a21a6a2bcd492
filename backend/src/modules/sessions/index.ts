/** Users, their session tokens, and the keys that sign tokens. */
import type { Clock } from '../../platform/clock.js';
import type { Keyring } from '../../platform/crypto.js';
import type { Database } from '../../platform/db/database.js';
import { createSessionsService } from './sessions-service.js';
import { createSigningKeys } from './signing-keys.js';
import { createTokensStore } from './tokens-store.js';
import { createUsersStore } from './users-store.js';

export type { SessionsService } from './sessions-service.js';
export type { SigningKeys } from './signing-keys.js';

export function createSessions(db: Database, keyring: Keyring, clock: Clock, issuer: string) {
  const tokens = createTokensStore(db);
  const signingKeys = createSigningKeys(tokens, keyring, clock);
  const service = createSessionsService(createUsersStore(db), tokens, signingKeys, clock, issuer);
  return { service, signingKeys, maintenance: [() => tokens.deleteExpired(clock.now())] };
}
