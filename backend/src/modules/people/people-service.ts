/** The people of an account: who is invited, and what each may do. */
import type { Knex } from 'knex';
import { HOUR, type Clock } from '../../platform/clock.js';
import { random, sha256 } from '../../platform/crypto.js';
import { INVITATION_HOURS } from '../../platform/limits.js';
import { OPERATOR_ACCOUNT, type ApplicationsService } from '../applications/applications-service.js';
import type { Invitation, InvitationsStore } from './invitations-store.js';
import { mailboxOf } from './mailbox.js';
import type { PeopleStore } from './people-store.js';
import type { Person, Role } from './person.js';

export interface PeopleDependencies {
  readonly store: PeopleStore;
  readonly invitations: InvitationsStore;
  readonly applications: Pick<ApplicationsService, 'accountId'>;
  readonly clock: Clock;
}

interface NewInvitation {
  readonly accountId: number;
  /** Null: whoever has the link names their own. */
  readonly email: string | null;
  readonly role: Role;
}

export type PeopleService = ReturnType<typeof createPeopleService>;

/** 256 random bits as base64url. */
const TOKEN = /^[\w-]{43}$/;

export function createPeopleService({ store, invitations, applications, clock }: PeopleDependencies) {
  /** Whether the first link has been overtaken by somebody who joined by another. */
  const isTooLate = async ({ email }: Invitation, trx?: Knex): Promise<boolean> =>
    email === null && (await store.any(trx));

  async function open(token: string): Promise<Invitation | undefined> {
    const invitation = TOKEN.test(token) ? await invitations.find(sha256(token)) : undefined;
    if (!invitation || invitation.expiresAt <= clock.now() || (await isTooLate(invitation))) return undefined;
    return invitation;
  }

  const invite = async ({ accountId, role, ...to }: NewInvitation): Promise<string> => {
    const email = to.email === null ? null : (mailboxOf(to.email)?.email ?? to.email.toLowerCase());
    const token = random.base64url(32);
    const createdAt = clock.now();
    const expiresAt = createdAt + INVITATION_HOURS * HOUR;
    await invitations.insert({ tokenHash: sha256(token), accountId, email, role, createdAt, expiresAt });
    return token;
  };

  return {
    /** Makes an invitation; answers what its link holds, which is stored as its hash only. */
    invite,

    /** An invitation to own what the operator has, while there is nobody at all; the one before it is over. */
    async inviteFirst(): Promise<string | undefined> {
      if (await store.any()) return undefined;
      const accountId = await applications.accountId(OPERATOR_ACCOUNT);
      await invitations.removeAll(accountId);
      return invite({ accountId, email: null, role: 'owner' });
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
        if (!(await invitations.use(trx, id, now)) || (await isTooLate(invitation, trx))) return undefined;
        return store.insert(trx, { accountId, email, role, now });
      });
    },

    find: (accountId: number, id: number): Promise<Person | undefined> => store.find(accountId, id),

    /** Who has this address, in every account; who signed in last comes first. */
    withEmail: (email: string): Promise<Person[]> => store.withEmail(email),

    /** The accounts that an address has joined. */
    memberships: (email: string): Promise<{ person: Person; account: string }[]> => store.memberships(email),

    ofAccount: (accountId: number): Promise<Person[]> => store.ofAccount(accountId),

    /** Changes a role; false for the last owner, who stays one. */
    setRole: (person: Person, role: Role): Promise<boolean> => store.setRole(person, role),

    /** Removes a person, who is signed out with it and comes back by no older link; false for the last owner, who stays. */
    remove: (person: Person): Promise<boolean> => store.remove(person),

    cleanUp: (): Promise<void> => invitations.cleanUp(clock.now()),
  };
}
