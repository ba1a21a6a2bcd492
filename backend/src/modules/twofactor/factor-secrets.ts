/** Seals and opens the secrets of second factors and enrollments. */
import type { Keyring } from '../../platform/crypto.js';
import type { Factor, FactorUser } from './second-factor.js';
import { newSecret } from './totp.js';

export type FactorSecrets = ReturnType<typeof createFactorSecrets>;

const contextOf = ({ applicationId, identity }: FactorUser): string => `two-factor:${applicationId}:${identity}`;

export function createFactorSecrets(keyring: Keyring) {
  /**
   * Codes are compared with this secret if there is no factor, so that response time does not reveal whether a factor
   * exists.
   */
  const decoySecret = newSecret();

  function openSecret(user: FactorUser, holder: Pick<Factor, 'secretSealed'> | undefined): string {
    const context = contextOf(user);
    return keyring.open(context, holder?.secretSealed ?? keyring.seal(context, decoySecret));
  }

  const sealNewSecret = (user: FactorUser): string => keyring.seal(contextOf(user), newSecret());

  /** Returns the secret sealed with the newest key; undefined if the secret is already sealed with the newest key. */
  const resealSecret = (factor: FactorUser & Pick<Factor, 'secretSealed'>): string | undefined =>
    keyring.reseal(contextOf(factor), factor.secretSealed);

  return { openSecret, sealNewSecret, resealSecret };
}
