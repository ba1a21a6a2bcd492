/**
 * Deletes second factors that were probably set up by someone who does not own the address, and their unverified users.
 */
import type { Clock } from '../../platform/clock.js';
import type { SessionsService } from '../sessions/sessions-service.js';
import type { GuessLimits } from './guess-limits.js';
import type { TwoFactorStore } from './twofactor-store.js';

export function createDeleteAbandonedFactors(
  store: TwoFactorStore,
  { exclusively }: GuessLimits,
  sessions: SessionsService,
  clock: Clock,
) {
  return async function deleteAbandonedFactors(): Promise<void> {
    const now = clock.now();
    for (const user of await store.listAbandoned(now)) {
      await exclusively(user, async (trx) => {
        // The user may have verified a code in the meantime.
        if (!(await store.isAbandoned(trx, user, now))) return;
        await store.deleteFactor(trx, user);
        await sessions.deleteUnverifiedUsers(trx, user.applicationId, user.identity);
      });
    }
  };
}
