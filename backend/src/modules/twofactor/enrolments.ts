import type { Knex } from 'knex';
import { SECOND, type Clock } from '../../platform/clock.js';
import { random } from '../../platform/crypto.js';
import type { FactorSecrets } from './factor-secrets.js';
import { NO_FACTOR, type Enrolment, type Factor, type TwoFactorCaller } from './second-factor.js';
import type { TwoFactorStore } from './twofactor-store.js';

/**
 * How long an enrolment is valid: long enough to install an authenticator app and scan the QR code, but short enough
 * that a QR code left on a screen soon becomes useless.
 */
const ENROLMENT_SECONDS = 600;

export type Enrol = ReturnType<typeof createEnrol>;

export function createEnrol(store: TwoFactorStore, { sealNewSecret }: FactorSecrets, clock: Clock) {
  /**
   * Returns the pending enrolment with this `maskId` or from the same browser. If there is none, starts a new
   * enrolment.
   */
  return async function enrol(
    trx: Knex,
    { user, browserHash, sourceHash }: TwoFactorCaller,
    { replaced, maskId }: { replaced: Factor | undefined; maskId?: string | undefined },
  ): Promise<Enrolment> {
    const now = clock.now();
    const replaces = replaced?.id ?? NO_FACTOR;
    const withMaskId =
      maskId === undefined ? [] : await store.findEnrolments(trx, user, { maskId: maskId.toLowerCase() });
    const pending = withMaskId.find((enrolment) => enrolment.expiresAt > now && enrolment.replaces === replaces);
    if (pending) return pending;
    const fresh = {
      ...{ maskId: random.hex(16), browserHash, sourceHash, secretSealed: sealNewSecret(user), replaces },
      // Whole seconds, like the `expireTime` that the API returns.
      expiresAt: (Math.floor(now / SECOND) + ENROLMENT_SECONDS) * SECOND,
    };
    return store.findOrCreateEnrolment(trx, user, fresh, now);
  };
}
