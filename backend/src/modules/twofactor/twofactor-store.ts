/** Second factors and enrolments on their way. What is used up is used by one conditional statement. */
import type { Knex } from 'knex';
import { HOUR } from '../../platform/clock.js';
import { deleteInChunks, type Database } from '../../platform/db/database.js';
import { CLEANUP_BATCH } from '../../platform/limits.js';
import type { Subject } from './subject.js';

/** A factor that is on. */
export interface Factor {
  readonly id: number;
  /** The seed, sealed. */
  readonly secretSealed: string;
  /** Keyed hash of the browser that verified a code last, and until when that counts as a proof. */
  readonly provedBy: string;
  readonly provedUntil: number;
}

export interface Enrolment {
  readonly maskId: string;
  /** Keyed hash of the browser that began it. */
  readonly client: string;
  readonly secretSealed: string;
  /** The factor that it takes the place of; 0 where there was none. */
  readonly replaces: number;
  readonly expiresAt: number;
}

/** A code was verified in a browser. */
export interface Proof {
  readonly client: string;
  readonly until: number;
}

export type TwoFactorStore = ReturnType<typeof createTwoFactorStore>;

const where = ({ applicationId, identity }: Subject) => ({ application_id: applicationId, identity });
const proofColumns = ({ client, until }: Proof) => ({ proved_by: client, proved_until: until });

function toFactor(row: Record<string, unknown>): Factor {
  return {
    id: Number(row.id),
    secretSealed: row.secret_sealed as string,
    provedBy: row.proved_by as string,
    provedUntil: Number(row.proved_until),
  };
}

function toEnrolment(row: Record<string, unknown>): Enrolment {
  return {
    maskId: row.mask_id as string,
    client: row.client as string,
    secretSealed: row.secret_sealed as string,
    replaces: Number(row.replaces),
    expiresAt: Number(row.expires_at),
  };
}

async function removeFactor(trx: Knex, subject: Subject): Promise<boolean> {
  const factors = () => trx('two_factors').where(where(subject));
  await trx('two_factor_recovery_codes').whereIn('factor_id', factors().select('id')).delete();
  return (await factors().delete()) > 0;
}

export function createTwoFactorStore(db: Database) {
  return {
    async factor(subject: Subject, trx: Knex = db): Promise<Factor | undefined> {
      const row = await trx('two_factors').where(where(subject)).first();
      return row && toFactor(row);
    },

    /** Uses a time step and remembers the proof; false when it, or a later one, was used before. */
    async useStep(trx: Knex, factorId: number, step: number, proof: Proof): Promise<boolean> {
      const used = await trx('two_factors')
        .where({ id: factorId })
        .where('last_step', '<', step)
        .update({ last_step: step, ...proofColumns(proof) });
      return used === 1;
    },

    /** Uses a recovery code and remembers the proof; false when there is none. */
    async useRecoveryCode(trx: Knex, factorId: number, hash: string, proof: Proof): Promise<boolean> {
      const used = await trx('two_factor_recovery_codes').where({ factor_id: factorId, code_hash: hash }).delete();
      if (used === 1) await trx('two_factors').where({ id: factorId }).update(proofColumns(proof));
      return used === 1;
    },

    async countRecoveryCodes(trx: Knex, factorId: number): Promise<number> {
      const [row] = await trx('two_factor_recovery_codes').where({ factor_id: factorId }).count({ left: '*' });
      return Number(row!.left);
    },

    /** The enrolment of a `maskId`, or else the one that a browser began; also when it has expired. */
    async enrolment(
      trx: Knex,
      subject: Subject,
      key: { maskId: string } | { client: string },
    ): Promise<Enrolment | undefined> {
      const column = 'maskId' in key ? { mask_id: key.maskId } : key;
      const row = await trx('two_factor_enrolments')
        .where({ ...where(subject), ...column })
        .first();
      return row && toEnrolment(row);
    },

    /** The pending enrolment of a browser: the one that it has begun, else `fresh`. */
    async enrol(trx: Knex, subject: Subject, fresh: Enrolment, now: number): Promise<Enrolment> {
      const mine = () => trx('two_factor_enrolments').where({ ...where(subject), client: fresh.client });
      await mine()
        .where((w) => w.where('expires_at', '<=', now).orWhereNot('replaces', fresh.replaces))
        .delete();
      const pending = await mine().first();
      if (pending) return toEnrolment(pending);
      await trx('two_factor_enrolments').insert({
        ...where(subject),
        mask_id: fresh.maskId,
        client: fresh.client,
        secret_sealed: fresh.secretSealed,
        replaces: fresh.replaces,
        expires_at: fresh.expiresAt,
      });
      return fresh;
    },

    /**
     * Makes a factor of an enrolment. All others on their way end: who began one before may not replace the factor.
     * The caller has looked that the factor which is on is the one that the enrolment replaces.
     */
    async promote(
      trx: Knex,
      subject: Subject,
      factor: { secretSealed: string; step: number; proof: Proof; recoveryHashes: readonly string[]; now: number },
    ): Promise<void> {
      await removeFactor(trx, subject);
      await trx('two_factor_enrolments').where(where(subject)).delete();
      const [id] = await trx('two_factors').insert({
        ...where(subject),
        secret_sealed: factor.secretSealed,
        last_step: factor.step,
        ...proofColumns(factor.proof),
        created_at: factor.now,
      });
      const rows = factor.recoveryHashes.map((hash) => ({ factor_id: id, code_hash: hash }));
      await trx('two_factor_recovery_codes').insert(rows);
    },

    /** Removes the factor and what is on its way; answers whether there was a factor. */
    async remove(trx: Knex, subject: Subject): Promise<boolean> {
      await trx('two_factor_enrolments').where(where(subject)).delete();
      return removeFactor(trx, subject);
    },

    /** Some factors after an id, for whoever goes through all of them. */
    async some(afterId: number): Promise<(Subject & Pick<Factor, 'id' | 'secretSealed'>)[]> {
      const rows = await db('two_factors').where('id', '>', afterId).orderBy('id').limit(CLEANUP_BATCH);
      return rows.map((row) => ({
        ...toFactor(row),
        applicationId: row.application_id as number,
        identity: row.identity as string,
      }));
    },

    /** Puts another seal on a secret; a factor that has changed meanwhile stays. */
    async reseal(id: number, from: string, to: string): Promise<void> {
      await db('two_factors').where({ id, secret_sealed: from }).update({ secret_sealed: to });
    },

    async cleanUp(now: number): Promise<void> {
      // For a while it still answers that it has expired.
      await deleteInChunks(() => db('two_factor_enrolments').where('expires_at', '<', now - HOUR), 'id');
    },
  };
}
