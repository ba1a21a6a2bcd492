import type { Knex } from 'knex';
import { SECOND, type Clock } from '../../platform/clock.js';
import { random } from '../../platform/crypto.js';
import type { FactorSecrets } from './factor-secrets.js';
import { NO_FACTOR, type Enrollment, type Factor, type TwoFactorCaller } from './second-factor.js';
import type { TwoFactorStore } from './twofactor-store.js';

/**
 * How long an enrollment is valid: long enough to install an authenticator app and scan the QR code, but short enough
 * that a QR code left on a screen soon becomes useless.
 */
const ENROLLMENT_SECONDS = 600;

export type Enroll = ReturnType<typeof createEnroll>;

export function createEnroll(store: TwoFactorStore, { sealNewSecret }: FactorSecrets, clock: Clock) {
  /**
   * Returns the pending enrollment with this `maskId`; otherwise, the pending enrollment from the same browser, or a new
   * one, as the store decides in one statement.
   */
  return async function enroll(
    trx: Knex,
    { user, browserHash, sourceHash }: TwoFactorCaller,
    { replaced, maskId }: { replaced: Factor | undefined; maskId?: string | undefined },
  ): Promise<Enrollment> {
    const now = clock.now();
    const replaces = replaced?.id ?? NO_FACTOR;
    const [known] =
      maskId === undefined ? [] : await store.findEnrollments(trx, user, { maskId: maskId.toLowerCase() });
    if (known && known.expiresAt > now && known.replaces === replaces) return known;
    const fresh = {
      maskId: random.hex(16),
      browserHash,
      sourceHash,
      secretSealed: sealNewSecret(user),
      replaces,
      // Whole seconds, like the `expireTime` that the API returns.
      expiresAt: (Math.floor(now / SECOND) + ENROLLMENT_SECONDS) * SECOND,
    };
    return store.findOrCreateEnrollment(trx, user, fresh, now);
  };
}
