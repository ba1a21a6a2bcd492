/** Users, their session tokens, and the keys that sign tokens. */
import { DAY, type Clock } from '../../platform/clock.js';
import type { Keyring } from '../../platform/crypto.js';
import type { Database } from '../../platform/db/database.js';
import { createSessionsService } from './sessions-service.js';
import { createSigningKeys } from './signing-keys.js';
import { createTokensStore } from './tokens-store.js';
import { createUsersStore } from './users-store.js';

export type { SessionsService } from './sessions-service.js';
export type { SigningKeys } from './signing-keys.js';

/** `userRetentionDays`: users are deleted this many days after their last verification; 0 disables deletion. */
export function createSessions(
  db: Database,
  keyring: Keyring,
  clock: Clock,
  issuer: string,
  userRetentionDays: number,
) {
  const tokens = createTokensStore(db);
  const signingKeys = createSigningKeys(tokens, keyring, clock);
  const users = createUsersStore(db);
  const service = createSessionsService(users, tokens, signingKeys, clock, issuer);

  async function deleteUnusedUsers(): Promise<void> {
    if (userRetentionDays > 0) await users.deleteUnused(clock.now() - userRetentionDays * DAY);
  }

  return { service, signingKeys, maintenance: [() => tokens.deleteExpired(clock.now()), deleteUnusedUsers] };
}
