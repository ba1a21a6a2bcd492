/** ES256 keys that sign session tokens. The newest key signs; older keys verify until their last token has expired. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { JSONWebKeySet, JWK } from 'jose';
import { createCache } from '../../platform/cache.js';
import { MINUTE, SECOND, type Clock } from '../../platform/clock.js';
import { random, type Keyring } from '../../platform/crypto.js';
import { TOKEN_SECONDS, type Jwk, type SigningKey, type StoredKey } from './signing-key.js';
import type { TokensStore } from './tokens-store.js';

const CACHE_MS = 1000;
/**
 * Additional time for which an old key stays valid, because processes that have not yet read the new key still sign
 * tokens with the old key.
 */
const RETIRE_MARGIN = 5 * MINUTE;

interface LoadedKey {
  readonly stored: StoredKey;
  readonly publicKey: KeyObject;
  /**
   * Undefined if `SECRET_KEY` no longer contains the key that sealed the private key. The public key still verifies
   * tokens.
   */
  readonly privateKey: KeyObject | undefined;
}

const privateKeyContext = (kid: string): string => `signing-key:${kid}`;

export type SigningKeys = ReturnType<typeof createSigningKeys>;

export function createSigningKeys(store: TokensStore, keyring: Keyring, clock: Clock) {
  const cache = createCache<void, LoadedKey[]>(clock, CACHE_MS, read);

  function privateKeyOf({ kid, privateJwkSealed }: StoredKey): KeyObject | undefined {
    if (!keyring.canOpen(privateJwkSealed)) return undefined;
    const jwk = JSON.parse(keyring.open(privateKeyContext(kid), privateJwkSealed)) as Jwk;
    return createPrivateKey({ key: jwk, format: 'jwk' });
  }

  function load(stored: StoredKey): LoadedKey {
    const publicKey = createPublicKey({ key: stored.publicJwk, format: 'jwk' });
    return { stored, publicKey, privateKey: privateKeyOf(stored) };
  }

  async function read(): Promise<LoadedKey[]> {
    return (await store.keys(clock.now())).map(load);
  }

  async function keys(): Promise<LoadedKey[]> {
    const now = clock.now();
    return (await cache.get()).filter(({ stored }) => stored.retiresAt === null || stored.retiresAt > now);
  }

  async function newest(): Promise<SigningKey | undefined> {
    const key = (await keys()).find(({ stored }) => stored.retiresAt === null);
    return key?.privateKey && { kid: key.stored.kid, privateKey: key.privateKey };
  }

  async function rotate(): Promise<{ kid: string }> {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const kid = random.hex(8);
    const publicJwk = publicKey.export({ format: 'jwk' });
    const now = clock.now();
    const privateJwkSealed = keyring.seal(privateKeyContext(kid), JSON.stringify(privateKey.export({ format: 'jwk' })));
    const oldRetireAt = now + TOKEN_SECONDS * SECOND + RETIRE_MARGIN;
    await store.addKey({ kid, publicJwk, privateJwkSealed, createdAt: now }, oldRetireAt);
    cache.forget();
    return { kid };
  }

  /** Returns the key that signs new tokens. Creates a key if none exists. */
  async function current(): Promise<SigningKey> {
    const key = await newest();
    if (key) return key;
    await rotate();
    return (await newest())!;
  }

  async function publicKey(kid: string): Promise<KeyObject | undefined> {
    return (await keys()).find(({ stored }) => stored.kid === kid)?.publicKey;
  }

  async function jwks(): Promise<JSONWebKeySet> {
    const all = await keys();
    return {
      keys: all.map(({ stored }) => ({ ...(stored.publicJwk as JWK), kid: stored.kid, alg: 'ES256', use: 'sig' })),
    };
  }

  /** Returns all valid keys, newest first, and whether each key signs new tokens. Does not create a key. */
  async function list(): Promise<{ kid: string; signs: boolean }[]> {
    return (await keys()).map(({ stored }) => ({ kid: stored.kid, signs: stored.retiresAt === null }));
  }

  return { current, publicKey, jwks, list, rotate };
}
