import type { Knex } from 'knex';
import { HOUR, MINUTE, SECOND } from '../../platform/clock.js';
import { random, sha256 } from '../../platform/crypto.js';
import { actorOf } from '../access/actor.js';
import type { Shared } from '../audit/audit-service.js';
import type { PeopleStore } from './people-store.js';
import { TOKEN_FORMAT, type Person, type PersonSession } from './person.js';
import type { PersonSessionsStore } from './person-sessions-store.js';

/** Maximum session length: a working day. */
export const SESSION_HOURS = 12;
/** Idle time after which a session ends. Longer than a lunch break. */
const IDLE_MINUTES = 120;
/** Minimum time between updates of `usedAt`, so that few page views write to the database. */
const USED_AT_UPDATE_SECONDS = 60;

/** Identifies a session on pages, which do not show the hash that the database contains. */
export const sessionIdOf = ({ tokenHash }: PersonSession): string => sha256(tokenHash).slice(0, 16);

export type PersonSessions = ReturnType<typeof createPersonSessions>;

export function createPersonSessions(
  store: PersonSessionsStore,
  people: PeopleStore,
  { inTransaction, audit, clock }: Pick<Shared, 'audit' | 'clock' | 'inTransaction'>,
) {
  const idsOf = async ({ email }: Person) => (await people.withEmail(email)).map(({ id }) => id);

  /**
   * Opens a session. `record` runs in the transaction that stores the session. Returns the session token, of which only
   * a hash is stored.
   */
  async function open(
    person: Person,
    browser = '',
    record: (trx: Knex) => Promise<void> = async () => undefined,
  ): Promise<string> {
    const token = random.base64url(32);
    const now = clock.now();
    const times = { createdAt: now, usedAt: now, confirmedAt: now, expiresAt: now + SESSION_HOURS * HOUR };
    await inTransaction(async (trx) => {
      await store.insert(trx, { tokenHash: sha256(token), person, browser, ...times });
      await record(trx);
    });
    await people.setLastSeen(person.id, now);
    return token;
  }

  /** Returns the session with this token; undefined if it has ended, has expired, or was idle for too long. */
  async function find(token: string): Promise<PersonSession | undefined> {
    if (!TOKEN_FORMAT.test(token)) return undefined;
    const session = await store.find(sha256(token));
    const now = clock.now();
    if (!session || session.expiresAt <= now || session.usedAt + IDLE_MINUTES * MINUTE <= now) return undefined;
    if (session.usedAt + USED_AT_UPDATE_SECONDS * SECOND <= now) {
      await store.update(session.tokenHash, { usedAt: now });
      await people.setLastSeen(session.person.id, now);
    }
    return session;
  }

  /** Switches the session to another account that the person has joined. */
  async function switchTo({ tokenHash, person: { email } }: PersonSession, person: Person): Promise<void> {
    if (person.email !== email) throw new Error('cannot switch a session to another email address');
    await store.update(tokenHash, { personId: person.id });
    await people.setLastSeen(person.id, clock.now());
  }

  const confirm = ({ tokenHash }: PersonSession): Promise<void> =>
    store.update(tokenHash, { confirmedAt: clock.now() });

  const end = ({ tokenHash }: PersonSession): Promise<void> => store.end(tokenHash);

  /** Ends all of the person's sessions, in all accounts. */
  async function endAll(person: Person): Promise<void> {
    const ids = await idsOf(person);
    const { accountId, email: subject } = person;
    await inTransaction(async (trx) => {
      await store.endAll(trx, ids);
      await audit.record(trx, actorOf(person), { accountId, action: 'person.sign-out-everywhere', subject });
    });
  }

  /** Lists the person's sessions in all accounts, last used first. */
  async function list(person: Person): Promise<PersonSession[]> {
    const now = clock.now();
    return store.list(await idsOf(person), now - IDLE_MINUTES * MINUTE, now);
  }

  /** Ends one of the person's sessions. Returns false if there is none with this ID. */
  async function revoke(person: Person, id: string): Promise<boolean> {
    const session = (await list(person)).find((one) => sessionIdOf(one) === id);
    if (session) await end(session);
    return session !== undefined;
  }

  return { open, find, switchTo, confirm, end, endAll, list, revoke };
}
