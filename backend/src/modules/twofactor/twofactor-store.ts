/** Second factors, enrolments, recovery codes and wrong guesses. A code is marked as used by one conditional statement. */
import type { Knex } from 'knex';
import { HOUR } from '../../platform/clock.js';
import { CLEANUP_BATCH, deleteInChunks, type Database } from '../../platform/db/database.js';
import type { Enrolment, Factor, FactorUser, GuessCount, RecentVerification } from './second-factor.js';

interface ConfirmedFactor {
  readonly secretSealed: string;
  readonly step: number;
  readonly by: RecentVerification;
  readonly recoveryHashes: readonly string[];
  readonly now: number;
}

export type TwoFactorStore = ReturnType<typeof createTwoFactorStore>;

const where = ({ applicationId, identity }: FactorUser) => ({ application_id: applicationId, identity });
const verificationColumns = ({ sourceHash, until }: RecentVerification) => ({
  proved_by: sourceHash,
  proved_until: until,
});

function toFactor(row: Record<string, unknown>): Factor {
  return {
    id: Number(row.id),
    secretSealed: row.secret_sealed as string,
    verifiedBy: row.proved_by as string,
    verifiedUntil: Number(row.proved_until),
  };
}

function toEnrolment(row: Record<string, unknown>): Enrolment {
  return {
    maskId: row.mask_id as string,
    sourceHash: row.client as string,
    secretSealed: row.secret_sealed as string,
    replaces: Number(row.replaces),
    expiresAt: Number(row.expires_at),
  };
}

export function createTwoFactorStore(db: Database) {
  return {
    async findFactor(user: FactorUser, trx: Knex = db): Promise<Factor | undefined> {
      const row = await trx('two_factors').where(where(user)).first();
      return row && toFactor(row);
    },

    async deleteFactor(trx: Knex, user: FactorUser): Promise<boolean> {
      await trx('two_factor_enrolments').where(where(user)).delete();
      const factors = () => trx('two_factors').where(where(user));
      await trx('two_factor_recovery_codes').whereIn('factor_id', factors().select('id')).delete();
      return (await factors().delete()) > 0;
    },

    /** Returns false when this time step or a later one was used before. */
    async useStep(trx: Knex, factorId: number, step: number, by: RecentVerification): Promise<boolean> {
      const used = await trx('two_factors')
        .where({ id: factorId })
        .where('last_step', '<', step)
        .update({ last_step: step, ...verificationColumns(by) });
      return used === 1;
    },

    /** Returns false when the factor has no such recovery code. */
    async useRecoveryCode(trx: Knex, factorId: number, hash: string, by: RecentVerification): Promise<boolean> {
      const used = await trx('two_factor_recovery_codes').where({ factor_id: factorId, code_hash: hash }).delete();
      if (used === 1) await trx('two_factors').where({ id: factorId }).update(verificationColumns(by));
      return used === 1;
    },

    async countRecoveryCodes(trx: Knex, factorId: number): Promise<number> {
      const [row] = await trx('two_factor_recovery_codes').where({ factor_id: factorId }).count({ left: '*' });
      return Number(row!.left);
    },

    /** Looks up an enrolment by its `maskId` or by the source that started it; may have expired. */
    async findEnrolment(
      trx: Knex,
      user: FactorUser,
      key: { maskId: string } | { sourceHash: string },
    ): Promise<Enrolment | undefined> {
      const column = 'maskId' in key ? { mask_id: key.maskId } : { client: key.sourceHash };
      const row = await trx('two_factor_enrolments')
        .where({ ...where(user), ...column })
        .first();
      return row && toEnrolment(row);
    },

    /** Returns the pending enrolment of the same source, or stores `fresh`. */
    async findOrCreateEnrolment(trx: Knex, user: FactorUser, fresh: Enrolment, now: number): Promise<Enrolment> {
      const ofSource = () => trx('two_factor_enrolments').where({ ...where(user), client: fresh.sourceHash });
      await ofSource()
        .where((w) => w.where('expires_at', '<=', now).orWhereNot('replaces', fresh.replaces))
        .delete();
      const pending = await ofSource().first();
      if (pending) return toEnrolment(pending);
      await trx('two_factor_enrolments').insert({
        ...where(user),
        mask_id: fresh.maskId,
        client: fresh.sourceHash,
        secret_sealed: fresh.secretSealed,
        replaces: fresh.replaces,
        expires_at: fresh.expiresAt,
      });
      return fresh;
    },

    /**
     * Stores a confirmed factor in place of the old one. Deletes all enrolments of the user: those started before must not
     * replace the new factor. The caller has checked that the enrolment replaces the current factor.
     */
    async activateFactor(trx: Knex, user: FactorUser, factor: ConfirmedFactor): Promise<void> {
      const { secretSealed, step, by, recoveryHashes, now } = factor;
      await this.deleteFactor(trx, user);
      const row = { ...where(user), secret_sealed: secretSealed, last_step: step, created_at: now };
      const [id] = await trx('two_factors').insert({ ...row, ...verificationColumns(by) });
      const rows = recoveryHashes.map((hash) => ({ factor_id: id, code_hash: hash }));
      await trx('two_factor_recovery_codes').insert(rows);
    },

    async listFactors(afterId: number): Promise<(FactorUser & Pick<Factor, 'id' | 'secretSealed'>)[]> {
      const rows = await db('two_factors').where('id', '>', afterId).orderBy('id').limit(CLEANUP_BATCH);
      return rows.map((row) => ({
        ...toFactor(row),
        applicationId: row.application_id as number,
        identity: row.identity as string,
      }));
    },

    async replaceSecret(id: number, from: string, to: string): Promise<void> {
      await db('two_factors').where({ id, secret_sealed: from }).update({ secret_sealed: to });
    },

    /** Creates the user's guess count if there is none. Writes it in any case, which locks it until the transaction ends. */
    async lockGuessCount(trx: Knex, user: FactorUser, expiresAt: number): Promise<void> {
      await trx('two_factor_guesses')
        .insert({ ...where(user), expires_at: expiresAt })
        .onConflict(['application_id', 'identity'])
        .merge(['expires_at']);
    },

    async guessCount(trx: Knex, user: FactorUser): Promise<GuessCount> {
      const row = await trx('two_factor_guesses').where(where(user)).first();
      return { guesses: row.guesses as number, lockedUntil: Number(row.locked_until) };
    },

    async saveGuessCount(trx: Knex, user: FactorUser, { guesses, lockedUntil }: GuessCount): Promise<void> {
      await trx('two_factor_guesses').where(where(user)).update({ guesses, locked_until: lockedUntil });
    },

    async deleteExpired(now: number): Promise<void> {
      // For an hour, an expired enrolment is still reported as expired.
      await deleteInChunks(() => db('two_factor_enrolments').where('expires_at', '<', now - HOUR), 'id');
      await deleteInChunks(() => db('two_factor_guesses').where('expires_at', '<', now), 'id');
    },
  };
}
