/** The sessions of an application that were verified of late. */
import type { Verified } from '../webhooks/event.js';
import type { OtpStore } from './otp-store.js';
import type { Proof, ProofsOf } from './proofs.js';

/** At most `limit`, newest first. */
export type VerifiedSessions = (applicationId: number, limit: number) => Promise<Verified[]>;

export function createVerifiedSessions({ store, proofsOf }: { store: OtpStore; proofsOf: ProofsOf }): VerifiedSessions {
  return (applicationId, limit) =>
    store.transaction(async (trx) => {
      const verified = await store.verifiedOfLate(trx, applicationId, limit);
      // Several sessions of one recipient have one user.
      const proofs: Proof[] = [];
      for (const session of verified) proofs.push(...(await proofsOf(trx, [session])));
      return verified.map(({ maskId, recipient, verifiedAt }, n) => {
        const { user, channel } = proofs[n]!;
        return { applicationId, maskId, userId: user.userId, channel, recipient, verifiedAt };
      });
    });
}
