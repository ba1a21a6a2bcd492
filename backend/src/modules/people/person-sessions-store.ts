/** Sessions of the dashboard in the database: of each token only the hash. */
import { deleteInChunks, type Database } from '../../platform/db/database.js';
import { toPerson } from './people-store.js';
import type { Person } from './person.js';

export interface PersonSession {
  readonly tokenHash: string;
  readonly person: Person;
  readonly createdAt: number;
  readonly usedAt: number;
  readonly expiresAt: number;
}

export type PersonSessionsStore = ReturnType<typeof createPersonSessionsStore>;

export function createPersonSessionsStore(db: Database) {
  return {
    async insert(session: { tokenHash: string; personId: number; now: number; expiresAt: number }): Promise<void> {
      await db('person_sessions').insert({
        token_hash: session.tokenHash,
        person_id: session.personId,
        created_at: session.now,
        used_at: session.now,
        expires_at: session.expiresAt,
      });
    },

    /** The session with its person as they are now: a role that was taken away is gone with the next request. */
    async find(tokenHash: string): Promise<PersonSession | undefined> {
      const row = await db('person_sessions')
        .join('people', 'people.id', 'person_sessions.person_id')
        .where({ token_hash: tokenHash })
        .select('people.*', {
          session_created_at: 'person_sessions.created_at',
          used_at: 'person_sessions.used_at',
          expires_at: 'person_sessions.expires_at',
        })
        .first();
      return (
        row && {
          tokenHash,
          person: toPerson(row),
          createdAt: Number(row.session_created_at),
          usedAt: Number(row.used_at),
          expiresAt: Number(row.expires_at),
        }
      );
    },

    async setPerson(tokenHash: string, personId: number): Promise<void> {
      await db('person_sessions').where({ token_hash: tokenHash }).update({ person_id: personId });
    },

    async used(tokenHash: string, now: number): Promise<void> {
      await db('person_sessions').where({ token_hash: tokenHash }).update({ used_at: now });
    },

    async count(personIds: readonly number[], usedAfter: number, now: number): Promise<number> {
      const [row] = await db('person_sessions')
        .whereIn('person_id', [...personIds])
        .where('used_at', '>', usedAfter)
        .where('expires_at', '>', now)
        .count({ sessions: '*' });
      return Number(row?.sessions ?? 0);
    },

    async end(tokenHash: string): Promise<void> {
      await db('person_sessions').where({ token_hash: tokenHash }).delete();
    },

    async endAll(personIds: readonly number[]): Promise<void> {
      await db('person_sessions')
        .whereIn('person_id', [...personIds])
        .delete();
    },

    cleanUp: (now: number): Promise<void> =>
      deleteInChunks(() => db('person_sessions').where('expires_at', '<=', now), 'token_hash'),
  };
}
