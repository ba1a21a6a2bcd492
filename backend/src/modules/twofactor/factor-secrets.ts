/** Seals and opens the secrets of second factors and enrollments. */
import type { Keyring } from '../../platform/crypto.js';
import type { Factor, FactorUser } from './second-factor.js';
import { newSecret } from './totp.js';

export type FactorSecrets = ReturnType<typeof createFactorSecrets>;

/** Encryption context that binds a sealed secret to its user. */
export const secretContext = ({ applicationId, identity }: FactorUser): string =>
  `two-factor:${applicationId}:${identity}`;

export function createFactorSecrets(keyring: Keyring) {
  /**
   * Codes are compared with this secret if there is no factor, so that response time does not reveal whether a factor
   * exists.
   */
  const decoySecret = newSecret();

  function openSecret(user: FactorUser, holder: Pick<Factor, 'secretSealed'> | undefined): string {
    const context = secretContext(user);
    return keyring.open(context, holder?.secretSealed ?? keyring.seal(context, decoySecret));
  }

  const sealNewSecret = (user: FactorUser): string => keyring.seal(secretContext(user), newSecret());

  return { openSecret, sealNewSecret };
}
