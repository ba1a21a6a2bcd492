/**
 * Stores second factors, enrollments and recovery codes. A code is consumed by a single conditional UPDATE or DELETE, so
 * that concurrent requests cannot use it twice.
 */
import type { Knex } from 'knex';
import { HOUR } from '../../platform/clock.js';
import type { Keyring } from '../../platform/crypto.js';
import { CLEANUP_BATCH, deleteInChunks, type Database } from '../../platform/db/database.js';
import { resealColumn } from '../../platform/db/reseal.js';
import { fromRow, fromSecretRow, type Row } from '../../platform/db/row.js';
import { secretContext } from './factor-secrets.js';
import type { Enrollment, Factor, FactorDescription, FactorUser, Verification } from './second-factor.js';
import { ABANDONED_MS, KNOWN_BROWSER_MS, NO_BROWSER, SETUP_PERIOD_MS } from './second-factor.js';

interface ConfirmedFactor {
  readonly secretSealed: string;
  readonly step: number;
  readonly by: Verification;
  readonly recoveryHashes: readonly string[];
  readonly now: number;
}

export type EnrollmentKey =
  { readonly maskId: string } | { readonly browserHash: string } | { readonly sourceHash: string };

/** Maximum number of enrollments that a code is compared with. */
const COMPARED_ENROLLMENTS = 5;

export type TwoFactorStore = ReturnType<typeof createTwoFactorStore>;

const userKey = ({ applicationId, identity }: FactorUser) => ({ application_id: applicationId, identity });
const verificationColumns = ({ browserHash, until, hasUserToken }: Verification) => ({
  proved_by: browserHash,
  proved_until: until,
  ...(hasUserToken ? { vouched: true } : {}),
});

/**
 * Value of the `client` column: the browser's hash; without a browser secret, the `maskId`, because each such call
 * starts a new enrollment.
 */
const clientOf = ({ browserHash, maskId }: Enrollment): string => (browserHash === NO_BROWSER ? maskId : browserHash);

const FACTOR = { id: 'id', secretSealed: 'secret_sealed', verifiedBy: 'proved_by', verifiedUntil: 'proved_until' };

const toEnrollment = (row: Row): Enrollment => ({
  ...fromSecretRow<Enrollment>(row),
  browserHash: row.client === row.mask_id ? NO_BROWSER : (row.client as string),
  sourceHash: (row.source ?? '') as string,
});

const abandonedFactors = (trx: Knex, now: number) =>
  trx('two_factors')
    .where({ vouched: false })
    .where('proved_until', '<', now - ABANDONED_MS)
    .whereRaw('proved_until < created_at + ?', [SETUP_PERIOD_MS]);

/** Returns when two-factor was turned on, how many recovery codes are left, and the end of the longest lock. */
async function describeFactor(db: Database, user: FactorUser): Promise<FactorDescription | undefined> {
  const factor = await db('two_factors').where(userKey(user)).first();
  const [locks] = await db('two_factor_failures').where(userKey(user)).max({ until: 'locked_until' });
  const lockedUntil = Number(locks?.until ?? 0);
  if (!factor) return lockedUntil > 0 ? { since: undefined, recoveryCodes: 0, lockedUntil } : undefined;
  const codes: unknown[] = await db('two_factor_recovery_codes').where({ factor_id: factor.id }).pluck('id');
  return { since: Number(factor.created_at), recoveryCodes: codes.length, lockedUntil };
}

export function createTwoFactorStore(db: Database) {
  return {
    async findFactor(user: FactorUser, trx: Knex = db): Promise<Factor | undefined> {
      return trx('two_factors').where(userKey(user)).first(FACTOR);
    },

    /** Returns those of an application's identities that have a second factor. */
    async withFactor(applicationId: number, identities: readonly string[]): Promise<readonly string[]> {
      return db('two_factors')
        .where({ application_id: applicationId })
        .whereIn('identity', identities)
        .pluck('identity');
    },

    describe: (user: FactorUser) => describeFactor(db, user),

    async deleteFactor(trx: Knex, user: FactorUser): Promise<boolean> {
      await trx('two_factor_enrolments').where(userKey(user)).delete();
      const factors = () => trx('two_factors').where(userKey(user));
      for (const table of ['two_factor_recovery_codes', 'two_factor_browsers'])
        await trx(table).whereIn('factor_id', factors().select('id')).delete();
      return (await factors().delete()) > 0;
    },

    /** Deletes everything stored about an identity; returns the number of factors and enrollments. */
    async erase(trx: Knex, applicationIds: readonly number[], identity: string): Promise<number> {
      const rows = (table: string) => trx(table).whereIn('application_id', applicationIds).where({ identity });
      const factorIds: number[] = await rows('two_factors').pluck('id');
      for (const table of ['two_factor_recovery_codes', 'two_factor_browsers'])
        await trx(table).whereIn('factor_id', factorIds).delete();
      for (const table of ['two_factor_guesses', 'two_factor_failures']) await rows(table).delete();
      return (await rows('two_factor_enrolments').delete()) + (await rows('two_factors').delete());
    },

    /** Marks a time step as used. Returns false if this step or a later step was used before. */
    async useStep(trx: Knex, factorId: number, step: number, by: Verification): Promise<boolean> {
      const used = await trx('two_factors')
        .where({ id: factorId })
        .where('last_step', '<', step)
        .update({ last_step: step, ...verificationColumns(by) });
      return used === 1;
    },

    /** Deletes a used recovery code. Returns false if the factor has no such code. */
    async useRecoveryCode(trx: Knex, factorId: number, hash: string, by: Verification): Promise<boolean> {
      const used = await trx('two_factor_recovery_codes').where({ factor_id: factorId, code_hash: hash }).delete();
      if (used === 1) await trx('two_factors').where({ id: factorId }).update(verificationColumns(by));
      return used === 1;
    },

    async countRecoveryCodes(trx: Knex, factorId: number): Promise<number> {
      const [row] = await trx('two_factor_recovery_codes').where({ factor_id: factorId }).count({ left: '*' });
      return Number(row!.left);
    },

    async rememberBrowser(trx: Knex, user: FactorUser, browserHash: string, now: number): Promise<void> {
      const factor = await trx('two_factors').where(userKey(user)).first('id');
      await trx('two_factor_browsers')
        .insert({ factor_id: factor.id as number, browser: browserHash, expires_at: now + KNOWN_BROWSER_MS })
        .onConflict(['factor_id', 'browser'])
        .merge(['expires_at']);
    },

    /** Returns the latest matching enrollments, newest first, including expired enrollments. */
    async findEnrollments(trx: Knex, user: FactorUser, key: EnrollmentKey): Promise<Enrollment[]> {
      const rows = trx('two_factor_enrolments').where(userKey(user)).orderBy('id', 'desc').limit(COMPARED_ENROLLMENTS);
      if ('maskId' in key) rows.where({ mask_id: key.maskId });
      else if ('browserHash' in key) rows.where({ client: key.browserHash });
      else rows.where({ source: key.sourceHash }).whereRaw('client = mask_id');
      return (await rows).map(toEnrollment);
    },

    /** Returns the pending enrollment from the same browser; if there is none, stores and returns `fresh`. */
    async findOrCreateEnrollment(trx: Knex, user: FactorUser, fresh: Enrollment, now: number): Promise<Enrollment> {
      const client = clientOf(fresh);
      const ofClient = () => trx('two_factor_enrolments').where({ ...userKey(user), client });
      await ofClient()
        .where((w) => w.where('expires_at', '<=', now).orWhereNot('replaces', fresh.replaces))
        .delete();
      const pending = await ofClient().first();
      if (pending) return toEnrollment(pending);
      await trx('two_factor_enrolments').insert({
        ...userKey(user),
        mask_id: fresh.maskId,
        client,
        source: fresh.sourceHash,
        secret_sealed: fresh.secretSealed,
        replaces: fresh.replaces,
        expires_at: fresh.expiresAt,
      });
      return fresh;
    },

    /**
     * Replaces the old factor with a confirmed factor. Deletes all of the user's enrollments, because earlier enrollments
     * must not replace the new factor. Call this only for an enrollment that replaces the current factor.
     */
    async activateFactor(trx: Knex, user: FactorUser, factor: ConfirmedFactor): Promise<void> {
      const { secretSealed, step, by, recoveryHashes, now } = factor;
      await this.deleteFactor(trx, user);
      const row = { ...userKey(user), secret_sealed: secretSealed, last_step: step, vouched: false, created_at: now };
      const [id] = await trx('two_factors').insert({ ...row, ...verificationColumns(by) });
      const rows = recoveryHashes.map((hash) => ({ factor_id: id, code_hash: hash }));
      await trx('two_factor_recovery_codes').insert(rows);
    },

    /** Reseals all secrets with the newest key. Returns the number of resealed secrets. */
    reseal: (keyring: Keyring): Promise<number> =>
      resealColumn(db, keyring, {
        table: 'two_factors',
        column: 'secret_sealed',
        contextOf: (row) => secretContext(fromRow<FactorUser>(row)),
      }),

    /** Returns the users whose factors have not been used since the day they were set up. See {@link ABANDONED_MS}. */
    async listAbandoned(now: number): Promise<FactorUser[]> {
      return (await abandonedFactors(db, now).limit(CLEANUP_BATCH)).map(fromRow<FactorUser>);
    },

    async isAbandoned(trx: Knex, user: FactorUser, now: number): Promise<boolean> {
      return (await abandonedFactors(trx, now).where(userKey(user)).first()) !== undefined;
    },

    async deleteExpired(now: number): Promise<void> {
      // Enrollments are stored for an hour after they expire, so that a late code is rejected with `ENROLMENT_EXPIRED`.
      await deleteInChunks(() => db('two_factor_enrolments').where('expires_at', '<', now - HOUR), 'id');
    },
  };
}
