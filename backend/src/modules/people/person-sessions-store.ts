import type { Knex } from 'knex';
import { deleteInChunks, type Database } from '../../platform/db/database.js';
import { fromRow, toRow, type Row } from '../../platform/db/row.js';
import type { Person, PersonSession } from './person.js';

const toSession = (row: Row): PersonSession => ({
  tokenHash: row.token_hash as string,
  person: fromRow<Person>(row),
  browser: (row.browser as string | null) ?? '',
  createdAt: Number(row.session_created_at),
  usedAt: Number(row.used_at),
  expiresAt: Number(row.expires_at),
  confirmedAt: Number(row.confirmed_at ?? row.session_created_at),
});

export type PersonSessionsStore = ReturnType<typeof createPersonSessionsStore>;

export function createPersonSessionsStore(db: Database) {
  const session = (tokenHash: string) => db('person_sessions').where({ token_hash: tokenHash });

  async function insert(trx: Knex, { person, browser, ...session }: PersonSession): Promise<void> {
    await trx('person_sessions').insert(toRow({ ...session, personId: person.id, browser: browser || null }));
  }

  const sessions = () =>
    db('person_sessions').join('people', 'people.id', 'person_sessions.person_id').select('people.*', {
      token_hash: 'person_sessions.token_hash',
      browser: 'person_sessions.browser',
      session_created_at: 'person_sessions.created_at',
      used_at: 'person_sessions.used_at',
      expires_at: 'person_sessions.expires_at',
      confirmed_at: 'person_sessions.confirmed_at',
    });

  /** Returns the session with the person's current role, so that a changed role applies to the next request. */
  async function find(tokenHash: string): Promise<PersonSession | undefined> {
    const row = await sessions().where({ token_hash: tokenHash }).first();
    return row && toSession(row);
  }

  type Change = Partial<Pick<PersonSession, 'usedAt' | 'confirmedAt'> & { readonly personId: number }>;
  async function update(tokenHash: string, change: Change): Promise<void> {
    await session(tokenHash).update(toRow(change));
  }

  /** Lists the sessions that are not over, last used first. */
  async function list(personIds: readonly number[], usedAfter: number, now: number): Promise<PersonSession[]> {
    const rows = await sessions()
      .whereIn('person_id', personIds)
      .where('used_at', '>', usedAfter)
      .where('expires_at', '>', now)
      .orderBy('used_at', 'desc');
    return rows.map(toSession);
  }

  async function end(tokenHash: string): Promise<void> {
    await session(tokenHash).delete();
  }

  async function endAll(trx: Knex, personIds: readonly number[]): Promise<void> {
    await trx('person_sessions').whereIn('person_id', personIds).delete();
  }

  const cleanUp = (now: number): Promise<void> =>
    deleteInChunks(() => db('person_sessions').where('expires_at', '<=', now), 'token_hash');

  return { insert, find, update, list, end, endAll, cleanUp };
}
