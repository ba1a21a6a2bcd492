/** Wrong codes of an identity, and the one lock that its transactions share. */
import type { Knex } from 'knex';
import { SECOND } from '../../platform/clock.js';
import { deleteInChunks, type Database } from '../../platform/db/database.js';
import { transact } from '../../platform/db/transaction.js';
import {
  TWO_FACTOR_GUESSES_KEPT_SECONDS,
  TWO_FACTOR_LOCK_SECONDS,
  TWO_FACTOR_WRONG_CODES,
} from '../../platform/limits.js';
import type { Subject } from './subject.js';

export type GuessesStore = ReturnType<typeof createGuessesStore>;

const where = ({ applicationId, identity }: Subject) => ({ application_id: applicationId, identity });

/** Makes the row of a subject's guesses where there is none. It is written either way, and so locked in a transaction. */
async function touchGuesses(db: Knex, subject: Subject, now: number): Promise<void> {
  await db('two_factor_guesses')
    .insert({ ...where(subject), expires_at: now + TWO_FACTOR_GUESSES_KEPT_SECONDS * SECOND })
    .onConflict(['application_id', 'identity'])
    .merge(['expires_at']);
}

export function createGuessesStore(db: Database) {
  return {
    /** A transaction that no other one on the same subject overlaps. */
    exclusively<T>(subject: Subject, now: number, work: (trx: Knex) => Promise<T>): Promise<T> {
      return transact(db, async (trx) => {
        await touchGuesses(trx, subject, now);
        return work(trx);
      });
    },

    /**
     * Counts a guess before it is judged; the last one before a lock sets it. Answers the end of the lock when there is
     * one, and then nothing was counted. An identity that nobody knows is counted and locked like any other.
     */
    count(subject: Subject, now: number): Promise<number | undefined> {
      return this.exclusively(subject, now, async (trx) => {
        const row = await trx('two_factor_guesses').where(where(subject)).first();
        const lockedUntil = Number(row.locked_until);
        if (lockedUntil > now) return lockedUntil;
        const guesses = (row.guesses as number) + 1;
        const locks = guesses % TWO_FACTOR_WRONG_CODES === 0;
        await trx('two_factor_guesses')
          .where(where(subject))
          .update({ guesses, locked_until: locks ? now + TWO_FACTOR_LOCK_SECONDS * SECOND : lockedUntil });
        return undefined;
      });
    },

    /** A right code: the wrong ones before it, and the lock, are forgotten. */
    async forget(trx: Knex, subject: Subject): Promise<void> {
      await trx('two_factor_guesses').where(where(subject)).update({ guesses: 0, locked_until: 0 });
    },

    cleanUp: (now: number): Promise<void> =>
      deleteInChunks(() => db('two_factor_guesses').where('expires_at', '<', now), 'id'),
  };
}
