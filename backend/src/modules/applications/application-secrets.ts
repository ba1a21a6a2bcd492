import type { Clock } from '../../platform/clock.js';
import { hmac, constantTimeEqual, sha256, type Keyring } from '../../platform/crypto.js';
import type { Application, ApplicationSecret } from './application.js';

export type ApplicationSecrets = ReturnType<typeof createApplicationSecrets>;

/**
 * A hash that no App Secret has. If the App Key is unknown, the secret is compared with this hash, so that response
 * time does not reveal which App Keys exist.
 */
const DECOY_HASH = '-'.repeat(64);

/** Encryption context that binds a user token key to its App Secret. */
export const userTokenKeyContext = (secretHash: string): string => `user-token-key:${secretHash}`;

/** Whether the keys in `SECRET_KEY` decrypt all secrets of these applications. */
export const canOpenSecrets = (applications: readonly Application[], keyring: Keyring): boolean =>
  applications
    .flatMap(({ secrets }) => secrets)
    .every(({ tokenKeySealed }) => tokenKeySealed === null || keyring.canOpen(tokenKeySealed));

export function createApplicationSecrets(keyring: Keyring, clock: Clock) {
  function validSecrets(application: Application | undefined): ApplicationSecret[] {
    const now = clock.now();
    return application?.secrets.filter((s) => s.expiresAt === null || s.expiresAt > now) ?? [];
  }

  /** Returns the stored form of an App Secret: its hash, and an encrypted key that verifies userTokens. */
  function storedForm(appSecret: string): Omit<ApplicationSecret, 'expiresAt'> {
    const hash = sha256(appSecret);
    return { hash, tokenKeySealed: keyring.seal(userTokenKeyContext(hash), hmac(appSecret, 'passbell user token')) };
  }

  function matches(application: Application | undefined, secret: string): boolean {
    const hash = sha256(secret);
    const valid = validSecrets(application);
    const hashes = valid.length > 0 ? valid.map((s) => s.hash) : [DECOY_HASH];
    return hashes.map((candidate) => constantTimeEqual(candidate, hash)).includes(true);
  }

  const userTokenKeys = (application: Application): string[] =>
    validSecrets(application).flatMap(({ hash, tokenKeySealed }) =>
      tokenKeySealed !== null && keyring.canOpen(tokenKeySealed)
        ? [keyring.open(userTokenKeyContext(hash), tokenKeySealed)]
        : [],
    );

  /**
   * The keys that sign requests to `/hooks/sms/{kind}`, newest first. They are derived, so that an identity server does
   * not need the App Secret.
   */
  const codeRequestKeys = (application: Application, kind: string): Buffer[] =>
    userTokenKeys(application).map((key) => Buffer.from(hmac(key, `passbell sms hook ${kind}`), 'hex'));

  /** `signature`: hex HMAC-SHA256 under a user token key: the HMAC of "passbell user token" under an App Secret. */
  function isSignedBy(application: Application, text: string, signature: string): boolean {
    return userTokenKeys(application)
      .map((key) => constantTimeEqual(hmac(key, text), signature))
      .includes(true);
  }

  return { storedForm, matches, isSignedBy, codeRequestKeys };
}
