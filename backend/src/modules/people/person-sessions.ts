/** Who is signed in to the dashboard. */
import { HOUR, MINUTE, type Clock } from '../../platform/clock.js';
import { random, sha256 } from '../../platform/crypto.js';
import {
  PERSON_SESSION_HOURS,
  PERSON_SESSION_IDLE_MINUTES,
  PERSON_SESSION_NOTED_SECONDS,
} from '../../platform/limits.js';
import type { PeopleStore } from './people-store.js';
import type { Person } from './person.js';
import type { PersonSession, PersonSessionsStore } from './person-sessions-store.js';

export interface PersonSessionsDependencies {
  readonly store: PersonSessionsStore;
  readonly people: Pick<PeopleStore, 'seen' | 'withEmail'>;
  readonly clock: Clock;
}

export type PersonSessions = ReturnType<typeof createPersonSessions>;

/** 256 random bits as base64url. */
const TOKEN = /^[\w-]{43}$/;

export function createPersonSessions({ store, people, clock }: PersonSessionsDependencies) {
  const idsOf = async ({ email }: Person) => (await people.withEmail(email)).map(({ id }) => id);

  return {
    /** Signs a person in; answers the token, which is stored as its hash only. */
    async open(person: Person): Promise<string> {
      const token = random.base64url(32);
      const now = clock.now();
      const expiresAt = now + PERSON_SESSION_HOURS * HOUR;
      await store.insert({ tokenHash: sha256(token), personId: person.id, now, expiresAt });
      await people.seen(person.id, now);
      return token;
    },

    /** The session of a token; undefined for one that was ended, is too old or has been idle for too long. */
    async find(token: string): Promise<PersonSession | undefined> {
      if (!TOKEN.test(token)) return undefined;
      const session = await store.find(sha256(token));
      const now = clock.now();
      if (!session || session.expiresAt <= now) return undefined;
      if (session.usedAt + PERSON_SESSION_IDLE_MINUTES * MINUTE <= now) return undefined;
      if (session.usedAt + PERSON_SESSION_NOTED_SECONDS * 1000 <= now) {
        await store.used(session.tokenHash, now);
        await people.seen(session.person.id, now);
      }
      return session;
    },

    /** Goes on as the person that the same address is in another account. */
    async switchTo({ tokenHash, person: { email } }: PersonSession, person: Person): Promise<void> {
      if (person.email !== email) throw new Error('a session stays with its address');
      await store.setPerson(tokenHash, person.id);
      await people.seen(person.id, clock.now());
    },

    end: (session: Pick<PersonSession, 'tokenHash'>): Promise<void> => store.end(session.tokenHash),

    /** Signs the holder of an address out everywhere, in every account. */
    endAll: async (person: Person): Promise<void> => store.endAll(await idsOf(person)),

    /** Browsers that a person is signed in with. */
    async count(person: Person): Promise<number> {
      const now = clock.now();
      return store.count(await idsOf(person), now - PERSON_SESSION_IDLE_MINUTES * MINUTE, now);
    },

    cleanUp: (): Promise<void> => store.cleanUp(clock.now()),
  };
}
