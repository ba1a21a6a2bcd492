/** Creates, lists, revokes and checks the keys of the management API. */
import { DAY, MINUTE } from '../../platform/clock.js';
import { hasControlCharacters } from '../../platform/control-characters.js';
import { ApiError } from '../../platform/contract/errors.js';
import { random, sha256 } from '../../platform/crypto.js';
import { requireRight, type Actor } from '../access/actor.js';
import { assertActiveAccount } from '../applications/application.js';
import type { Shared } from '../audit/audit-service.js';
import { SettingError } from '../settings/bounded-setting.js';
import { KEY_FORMAT, MAX_KEY_DAYS, scopeTexts, type ManagementKey } from './management-key.js';
import { createManagementKeysStore } from './management-keys-store.js';

const MAX_KEYS_PER_ACCOUNT = 50;
/** Longest name of a key. The suppression list stores the name of the actor, with at most 100 characters. */
const MAX_NAME_LENGTH = 64;
/** Length of the part of a key that is shown in lists: `mk_` and 30 random bits. */
const HINT_LENGTH = 8;
/** Expired keys are listed for a month, so that people see why a program stopped working. */
const EXPIRED_DAYS = 30;

export interface NewManagementKey extends Pick<ManagementKey, 'accountId' | 'name' | 'scopes'> {
  readonly days: number;
}

export type ManagementKeys = ReturnType<typeof createManagementKeys>['service'];

type Dependencies = Pick<Shared, 'audit' | 'clock' | 'db' | 'inTransaction'>;

export function createManagementKeys({ db, inTransaction, audit, clock }: Dependencies) {
  const store = createManagementKeysStore(db);

  /** Creates a key. Returns it, of which only a hash is stored. */
  async function create(actor: Actor, { accountId, name, scopes, days }: NewManagementKey) {
    requireRight(actor, 'own');
    if (name.trim() === '' || name.length > MAX_NAME_LENGTH || hasControlCharacters(name))
      throw new SettingError('name', `Enter one line of at most ${MAX_NAME_LENGTH} characters.`);
    if (days < 1 || days > MAX_KEY_DAYS)
      throw new SettingError('days', `Enter a whole number of days from 1 to ${MAX_KEY_DAYS}.`);
    const secret = `mk_${random.base64url(32)}`;
    const createdAt = clock.now();
    const hint = secret.slice(0, HINT_LENGTH);
    const times = { createdAt, expiresAt: createdAt + days * DAY };
    const id = await inTransaction(async (trx) => {
      if ((await store.list(accountId, trx)).length >= MAX_KEYS_PER_ACCOUNT)
        throw new SettingError('name', `An account can have at most ${MAX_KEYS_PER_ACCOUNT} keys. Revoke one first.`);
      const changes = [
        { name: 'scopes', before: '', after: scopeTexts(scopes).join(', ') },
        { name: 'expires', before: '', after: new Date(times.expiresAt).toISOString() },
      ];
      const subject = `${name} (${hint}…)`;
      await audit.record(trx, actor, { accountId, action: 'management-key.create', subject, changes });
      return store.insert(trx, { accountId, name, hint, scopes, createdBy: actor.name, ...times }, sha256(secret));
    });
    return { id, secret, hint, expiresAt: times.expiresAt };
  }

  async function list(actor: Actor, accountId: number): Promise<ManagementKey[]> {
    requireRight(actor, 'own');
    return store.list(accountId);
  }

  /** Makes a key invalid immediately. Returns false if the account has no such key. */
  async function revoke(actor: Actor, accountId: number, id: number): Promise<boolean> {
    requireRight(actor, 'own');
    return inTransaction(async (trx) => {
      const key = (await store.list(accountId, trx)).find((each) => each.id === id);
      if (!key || !(await store.remove(trx, accountId, id))) return false;
      const subject = `${key.name} (${key.hint}…)`;
      await audit.record(trx, actor, { accountId, action: 'management-key.revoke', subject });
      return true;
    });
  }

  /** Returns a valid key. Throws an {@link ApiError} for others, or if the account is not active. */
  async function authenticate(text: string): Promise<ManagementKey> {
    const found = KEY_FORMAT.test(text) ? await store.find(sha256(text)) : undefined;
    const now = clock.now();
    if (!found || found.key.expiresAt <= now)
      throw new ApiError('INVALID_CREDENTIALS', {
        message: 'this API key is not valid, has expired or was revoked',
        hint: 'Create a new API key in the dashboard.',
      });
    assertActiveAccount(found.accountStatus);
    const { id, lastUsedAt } = found.key;
    if (now - (lastUsedAt ?? 0) >= MINUTE) await store.setLastUsed(id, now);
    return found.key;
  }

  const service = { create, list, revoke, authenticate };
  return { service, maintenance: [() => store.deleteExpired(clock.now() - EXPIRED_DAYS * DAY)] };
}
