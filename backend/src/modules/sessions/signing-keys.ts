/** ES256 keys of the session tokens. The newest one signs; older ones verify until their last token has ended. */
import { exportJWK, generateKeyPair, importJWK, type CryptoKey, type JSONWebKeySet, type JWK } from 'jose';
import { MINUTE, SECOND, type Clock } from '../../platform/clock.js';
import { random, type Keyring } from '../../platform/crypto.js';
import { SIGNING_KEY_CACHE_MS, TOKEN_SECONDS } from '../../platform/limits.js';
import type { StoredKey, TokensStore } from './tokens-store.js';

export interface SigningKey {
  readonly kid: string;
  readonly privateKey: CryptoKey;
}

export interface SigningKeys {
  /** The key that signs now; made on first use. */
  current(): Promise<SigningKey>;
  /** The public key of an id; undefined when it is unknown or retired. */
  publicKey(kid: string): Promise<CryptoKey | undefined>;
  jwks(): Promise<JSONWebKeySet>;
  /** The keys that verify, newest first, and whether each signs as well. Looking makes none. */
  list(): Promise<{ kid: string; signs: boolean }[]>;
  /** Makes a new key sign. Tokens of the old one stay valid until they end. */
  rotate(): Promise<{ kid: string }>;
}

interface LoadedKey {
  readonly stored: StoredKey;
  readonly publicKey: CryptoKey;
  /** Undefined when `SECRET_KEY` no longer lists the key it was sealed with: it verifies and does not sign. */
  readonly privateKey: CryptoKey | undefined;
}

const sealContext = (kid: string): string => `signing-key:${kid}`;

/** Old keys outlive their last token by this much, for processes that had not seen the new key yet. */
const RETIRE_MARGIN = 5 * MINUTE;

export function createSigningKeys({
  store,
  keyring,
  clock,
}: {
  store: TokensStore;
  keyring: Keyring;
  clock: Clock;
}): SigningKeys {
  let loaded: { keys: LoadedKey[]; at: number } | undefined;

  async function privateKeyOf({ kid, privateJwkSealed }: StoredKey): Promise<CryptoKey | undefined> {
    if (!keyring.canOpen(privateJwkSealed)) return undefined;
    return (await importJWK(JSON.parse(keyring.open(sealContext(kid), privateJwkSealed)) as JWK, 'ES256')) as CryptoKey;
  }

  async function load(stored: StoredKey): Promise<LoadedKey> {
    const publicKey = (await importJWK(stored.publicJwk, 'ES256')) as CryptoKey;
    return { stored, publicKey, privateKey: await privateKeyOf(stored) };
  }

  async function keys(): Promise<LoadedKey[]> {
    const now = clock.now();
    if (!loaded || now - loaded.at >= SIGNING_KEY_CACHE_MS) {
      const before = new Map(loaded?.keys.map((key) => [key.stored.kid, key]));
      const stored = await store.keys(now);
      const fresh = stored.map(async (row) => ({ ...(before.get(row.kid) ?? (await load(row))), stored: row }));
      loaded = { keys: await Promise.all(fresh), at: now };
    }
    return loaded.keys.filter(({ stored }) => stored.retiresAt === null || stored.retiresAt > now);
  }

  async function rotate(): Promise<{ kid: string }> {
    const pair = await generateKeyPair('ES256', { extractable: true });
    const kid = random.hex(8);
    const [publicJwk, privateJwk] = await Promise.all([exportJWK(pair.publicKey), exportJWK(pair.privateKey)]);
    const now = clock.now();
    await store.addKey(
      { kid, publicJwk, privateJwkSealed: keyring.seal(sealContext(kid), JSON.stringify(privateJwk)), createdAt: now },
      now + TOKEN_SECONDS * SECOND + RETIRE_MARGIN,
    );
    loaded = undefined;
    return { kid };
  }

  async function signing(): Promise<SigningKey | undefined> {
    const newest = (await keys()).find(({ stored }) => stored.retiresAt === null);
    return newest?.privateKey && { kid: newest.stored.kid, privateKey: newest.privateKey };
  }

  return {
    async current() {
      const key = await signing();
      if (key) return key;
      await rotate();
      return (await signing())!;
    },
    async publicKey(kid) {
      return (await keys()).find(({ stored }) => stored.kid === kid)?.publicKey;
    },
    async jwks() {
      const all = await keys();
      return { keys: all.map(({ stored }) => ({ ...stored.publicJwk, kid: stored.kid, alg: 'ES256', use: 'sig' })) };
    },
    async list() {
      return (await keys()).map(({ stored }) => ({ kid: stored.kid, signs: stored.retiresAt === null }));
    },
    rotate,
  };
}
