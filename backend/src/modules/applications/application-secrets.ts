/** App Secrets: what is kept of one, and what it proves. */
import type { Clock } from '../../platform/clock.js';
import { hmac, sameText, sha256, type Keyring } from '../../platform/crypto.js';
import type { Application, ApplicationSecret } from './application.js';

/** Compared against when the application is unknown, so that it takes as long as a wrong secret. */
const NO_SECRET = '-'.repeat(64);

const sealContext = (secretHash: string): string => `user-token-key:${secretHash}`;

export function createApplicationSecrets({ keyring, clock }: { keyring: Keyring; clock: Clock }) {
  function validSecrets(application: Application | undefined): ApplicationSecret[] {
    const now = clock.now();
    return application?.secrets.filter((s) => s.expiresAt === null || s.expiresAt > now) ?? [];
  }

  return {
    /** What is kept of an App Secret: enough to know it, and to check what was signed with it, not to tell it. */
    kept(appSecret: string) {
      const hash = sha256(appSecret);
      return { hash, tokenKeySealed: keyring.seal(sealContext(hash), hmac(appSecret, 'passbell user token')) };
    },

    matches(application: Application | undefined, secret: string): boolean {
      const hash = sha256(secret);
      const valid = validSecrets(application);
      const hashes = valid.length > 0 ? valid.map((s) => s.hash) : [NO_SECRET];
      return hashes.map((candidate) => sameText(candidate, hash)).includes(true);
    },

    /**
     * Whether `signature` is the HMAC-SHA256 of `text` as hex, under the key that follows from an App Secret of the
     * application: HMAC-SHA256 of "passbell user token" under the secret, as hex.
     */
    signed(application: Application, text: string, signature: string): boolean {
      const keys = validSecrets(application).flatMap(({ hash, tokenKeySealed }) =>
        tokenKeySealed !== null && keyring.canOpen(tokenKeySealed)
          ? [keyring.open(sealContext(hash), tokenKeySealed)]
          : [],
      );
      return keys.map((key) => sameText(hmac(key, text), signature)).includes(true);
    },

    /** The key of userTokens under the newest seal; undefined where it has that, or where nothing is to be done. */
    resealed({ hash, tokenKeySealed: key }: ApplicationSecret): { from: string; to: string } | undefined {
      if (key === null || keyring.isNewest(key) || !keyring.canOpen(key)) return undefined;
      const context = sealContext(hash);
      return { from: key, to: keyring.seal(context, keyring.open(context, key)) };
    },
  };
}
