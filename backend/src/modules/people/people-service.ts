/** The people of an account: who is invited, and what each may do. */
import { HOUR, type Clock } from '../../clock.js';
import { random, sha256 } from '../../crypto.js';
import { INVITATION_HOURS } from '../../limits.js';
import type { Invitation, InvitationsStore } from './invitations-store.js';
import type { PeopleStore } from './people-store.js';
import type { Person, Role } from './person.js';

export interface PeopleDependencies {
  readonly store: PeopleStore;
  readonly invitations: InvitationsStore;
  readonly clock: Clock;
}

export type PeopleService = ReturnType<typeof createPeopleService>;

/** 256 random bits as base64url. */
const TOKEN = /^[\w-]{43}$/;

export function createPeopleService({ store, invitations, clock }: PeopleDependencies) {
  async function open(token: string): Promise<Invitation | undefined> {
    const invitation = TOKEN.test(token) ? await invitations.find(sha256(token)) : undefined;
    return invitation && invitation.expiresAt > clock.now() ? invitation : undefined;
  }

  return {
    /** Makes an invitation; answers what its link holds, which is stored as its hash only. */
    async invite({ accountId, email, role }: { accountId: number; email: string | null; role: Role }): Promise<string> {
      const token = random.base64url(32);
      const createdAt = clock.now();
      const expiresAt = createdAt + INVITATION_HOURS * HOUR;
      await invitations.insert({ tokenHash: sha256(token), accountId, email, role, createdAt, expiresAt });
      return token;
    },

    /** The invitation of a link; undefined when it was used, taken back, or is too old. */
    invitation: open,

    /** Invitations that nobody has taken yet. */
    invited: (accountId: number): Promise<Invitation[]> => invitations.ofAccount(accountId, clock.now()),

    takeBack: (accountId: number, id: number): Promise<boolean> => invitations.remove(accountId, id),

    /** Uses an invitation up for who has proved to hold the address; undefined when it is no longer good. */
    async accept(token: string, email: string): Promise<Person | undefined> {
      const invitation = await open(token);
      if (!invitation || (invitation.email !== null && invitation.email !== email)) return undefined;
      const { id, accountId, role } = invitation;
      const now = clock.now();
      return store.transaction(async (trx) => {
        if (!(await invitations.use(trx, id, now))) return undefined;
        return store.insert(trx, { accountId, email, role, now });
      });
    },

    find: (accountId: number, id: number): Promise<Person | undefined> => store.find(accountId, id),

    /** Who has this address, in every account; who signed in last comes first. */
    withEmail: (email: string): Promise<Person[]> => store.withEmail(email),

    ofAccount: (accountId: number): Promise<Person[]> => store.ofAccount(accountId),

    /** Changes a role; false for the last owner, who stays one. */
    setRole: (person: Person, role: Role): Promise<boolean> => store.setRole(person, role),

    /** Removes a person, who is signed out with it; false for the last owner, who stays. */
    remove: (person: Person): Promise<boolean> => store.remove(person),

    cleanUp: (): Promise<void> => invitations.cleanUp(clock.now()),
  };
}
