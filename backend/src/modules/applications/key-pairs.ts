/** Changes of key pairs. */
import { SECOND, type Clock } from '../../platform/clock.js';
import { random } from '../../platform/crypto.js';
import type { AccountsDependencies } from './accounts.js';
import type { createApplicationSecrets } from './application-secrets.js';

export interface KeyPair {
  readonly appKey: string;
  /** Shown once; only its hash is stored. */
  readonly appSecret: string;
}

export interface KeyPairsDependencies extends AccountsDependencies {
  readonly secrets: ReturnType<typeof createApplicationSecrets>;
  readonly clock: Clock;
}

export function createKeyPairs({ store, secrets, clock, changes, existing }: KeyPairsDependencies) {
  return {
    /** Seals with the newest key what an older one sealed; answers how many. */
    async reseal(): Promise<number> {
      const all = (await store.list()).flatMap((application) => application.secrets);
      const old = all.map(secrets.resealed).filter((seal) => seal !== undefined);
      for (const { from, to } of old) await store.resealTokenKey(from, to);
      return old.length;
    },

    /** A new secret; the old one stays valid for `graceSeconds`. */
    async rotateSecret(appKey: string, graceSeconds: number): Promise<KeyPair & { oldSecretValidUntil: number }> {
      const { id } = await existing(appKey);
      const appSecret = `sk_${random.base64url(32)}`;
      const now = clock.now();
      const oldSecretValidUntil = now + graceSeconds * SECOND;
      await store.replaceSecret(id, secrets.kept(appSecret), now, oldSecretValidUntil);
      await changes.announce(appKey);
      return { appKey, appSecret, oldSecretValidUntil };
    },

    /** Ends the secrets that were rotated out and are valid still. */
    async endOldSecrets(appKey: string): Promise<void> {
      const { id } = await existing(appKey);
      await store.endOldSecrets(id, clock.now());
      await changes.announce(appKey);
    },
  };
}
