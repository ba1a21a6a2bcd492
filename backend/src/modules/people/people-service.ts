import type { Knex } from 'knex';
import { HOUR, type Clock } from '../../platform/clock.js';
import { invitationLink } from '../../platform/config/config.js';
import { random, sha256 } from '../../platform/crypto.js';
import { isWithinLimits } from '../../platform/rate-limit/within-limits.js';
import { actorOf, OPERATOR, requireRight, type Actor } from '../access/actor.js';
import type { Role } from '../access/rights.js';
import { OPERATOR_ACCOUNT } from '../applications/application.js';
import type { ApplicationsService } from '../applications/applications-service.js';
import type { Shared } from '../audit/audit-service.js';
import type { PeopleStore } from './people-store.js';
import { mailboxOf, TOKEN_FORMAT, type AccountChoice, type Invitation, type Person } from './person.js';
import type { SecurityNotice, SecurityNotices } from './security-notices.js';
import { invitationMailRule } from './sign-in-limits.js';

/** How long an invitation is valid: a week, because it can arrive on a weekend or a holiday. */
const INVITATION_HOURS = 168;

export type PeopleService = ReturnType<typeof createPeopleService>;

type InvitedPerson = Pick<Person, 'accountId' | 'email' | 'role'>;

export interface SentInvitation {
  readonly link: string;
  /** Whether the link was emailed. If not, the inviter must pass it on. */
  readonly mailed: boolean;
}

/** Creates a function that stores an invitation and returns its token. Only a hash of the token is stored. */
function createInsertInvitation(store: PeopleStore, clock: Clock) {
  return async (trx: Knex, invitation: Pick<Invitation, 'accountId' | 'email' | 'role'>): Promise<string> => {
    const token = random.base64url(32);
    const createdAt = clock.now();
    const expiresAt = createdAt + INVITATION_HOURS * HOUR;
    await store.insertInvitation(trx, { ...invitation, createdAt, expiresAt }, sha256(token));
    return token;
  };
}

interface Dependencies extends Pick<Shared, 'audit' | 'clock' | 'inTransaction' | 'limiter' | 'url'> {
  readonly store: PeopleStore;
  readonly applications: ApplicationsService;
  readonly notices: SecurityNotices;
}

export function createPeopleService(dependencies: Dependencies) {
  const { store, applications, inTransaction, audit, notices, limiter, clock, url } = dependencies;
  const insertInvitation = createInsertInvitation(store, clock);

  /** Notifies the owners of an account, except the actor and the person whom the change concerns. */
  async function notifyOwners(
    actor: Actor,
    { accountId, email }: Pick<Person, 'accountId' | 'email'>,
    notice: SecurityNotice,
  ): Promise<void> {
    const owners = (await store.ofAccount(accountId)).filter(({ role }) => role === 'owner');
    for (const owner of owners)
      if (owner.email !== actor.name && owner.email !== email) await notices.send(owner.email, notice);
  }

  /** Invites a person to an account. Returns the invitation token, of which only a hash is stored. */
  async function invite(actor: Actor, to: InvitedPerson): Promise<string> {
    requireRight(actor, 'own');
    const { accountId, role } = to;
    const email = mailboxOf(to.email)?.email ?? to.email.toLowerCase();
    const changes = [{ name: 'role', before: '', after: role }];
    return inTransaction(async (trx) => {
      await audit.record(trx, actor, { accountId, action: 'person.invite', subject: email, changes });
      return insertInvitation(trx, { accountId, email, role });
    });
  }

  /** Invites a person, and emails the link. Notifies the other owners if the person is to become an owner. */
  async function inviteByEmail(actor: Actor, to: InvitedPerson): Promise<SentInvitation> {
    const link = invitationLink(url, await invite(actor, to));
    const email = mailboxOf(to.email)?.email ?? to.email;
    const isAllowed = await isWithinLimits(limiter, [invitationMailRule(to.accountId)]);
    const mailed = isAllowed && (await notices.send(email, { kind: 'invited', by: actor.name, role: to.role, link }));
    if (to.role === 'owner')
      await notifyOwners(actor, { ...to, email }, { kind: 'owner invited', by: actor.name, email });
    return { link, mailed };
  }

  let hasSomebody = false;

  /**
   * Creates an invitation to become the owner of the operator's account, which any email address can accept. Deletes
   * the account's earlier invitations. Returns the token; undefined if any person already exists.
   */
  async function inviteFirst(): Promise<string | undefined> {
    if (!(await store.isEmpty())) return undefined;
    const accountId = await applications.createAccount(OPERATOR, OPERATOR_ACCOUNT);
    return inTransaction(async (trx) => {
      await store.removeInvitations(trx, accountId);
      return insertInvitation(trx, { accountId, email: null, role: 'owner' });
    });
  }

  /** Makes the first person the owner of the operator's account. Returns undefined if there is an owner already. */
  async function joinFirst(email: string): Promise<Person | undefined> {
    const token = await inviteFirst();
    return token === undefined ? undefined : join(token, email);
  }

  /** Whether nobody can sign in yet. There is always an owner after the first one, so that is remembered. */
  async function hasNobody(): Promise<boolean> {
    hasSomebody ||= !(await store.isEmpty());
    return !hasSomebody;
  }

  /** Whether this invitation is from {@link inviteFirst} and no longer valid, because a person exists now. */
  const isSuperseded = async ({ email }: Invitation, trx?: Knex): Promise<boolean> =>
    email === null && !(await store.isEmpty(trx));

  /** Returns the invitation with this token; undefined if it does not exist or is no longer valid. */
  async function findInvitation(token: string): Promise<Invitation | undefined> {
    const invitation = TOKEN_FORMAT.test(token) ? await store.findInvitation(sha256(token)) : undefined;
    if (!invitation || invitation.expiresAt <= clock.now() || (await isSuperseded(invitation))) return undefined;
    return invitation;
  }

  /**
   * Accepts an invitation for a verified email address. Returns the person; undefined if the invitation is not valid
   * for this address.
   */
  async function join(token: string, email: string): Promise<Person | undefined> {
    const invitation = await findInvitation(token);
    if (!invitation || (invitation.email !== null && invitation.email !== email)) return undefined;
    return accept(invitation, email);
  }

  async function accept(invitation: Invitation, email: string): Promise<Person | undefined> {
    const { id, accountId, role } = invitation;
    const now = clock.now();
    return inTransaction(async (trx) => {
      if (!(await store.useInvitation(trx, id, now)) || (await isSuperseded(invitation, trx))) return undefined;
      const person = await store.insert(trx, { accountId, email, role }, now);
      const changes = [{ name: 'role', before: '', after: person.role }];
      await audit.record(trx, actorOf(person), { accountId, action: 'person.join', subject: email, changes });
      return person;
    });
  }

  /** Returns the accounts that invite an address. Invites the first person as an owner of the operator's account. */
  async function accountsInviting(email: string): Promise<AccountChoice[]> {
    const accounts = await store.accountsInviting(email, clock.now());
    if (accounts.length > 0 || !(await store.isEmpty())) return accounts;
    const accountId = await applications.createAccount(OPERATOR, OPERATOR_ACCOUNT);
    await inTransaction((trx) => insertInvitation(trx, { accountId, email, role: 'owner' }));
    return [{ accountId, account: OPERATOR_ACCOUNT }];
  }

  /**
   * Accepts the latest invitation of an email address to an account. Call this only if the operator vouches for the
   * address.
   */
  async function joinInvited(email: string, accountId: number): Promise<Person | undefined> {
    const invitation = await store.invitationFor(email, accountId, clock.now());
    return invitation && accept(invitation, email);
  }

  async function withdrawInvitation(actor: Actor, accountId: number, id: number): Promise<boolean> {
    requireRight(actor, 'own');
    return inTransaction(async (trx) => {
      const invitation = await store.removeInvitation(trx, accountId, id);
      if (!invitation) return false;
      const subject = invitation.email ?? 'the first owner';
      await audit.record(trx, actor, { accountId, action: 'person.take-back', subject });
      return true;
    });
  }

  /** Runs a change of a person in a transaction. Returns false if it would leave the account without an owner. */
  const unlessLastOwner = ({ id, accountId }: Person, staysOwner: boolean, work: (trx: Knex) => Promise<void>) =>
    inTransaction(async (trx) => {
      const owners = await store.lockOwners(trx, accountId);
      if (!staysOwner && owners.length === 1 && owners[0] === id) return false;
      await work(trx);
      return true;
    });

  /** Changes a person's role. Returns false if this would leave the account without an owner. */
  async function setRole(actor: Actor, person: Person, role: Role): Promise<boolean> {
    requireRight(actor, 'own');
    const { id, accountId, email: subject } = person;
    const changed = await unlessLastOwner(person, role === 'owner', async (trx) => {
      await store.setRole(trx, id, role);
      const changes = [{ name: 'role', before: person.role, after: role }];
      await audit.record(trx, actor, { accountId, action: 'person.role', subject, changes });
    });
    if (!changed) return false;
    await notices.send(subject, { kind: 'role changed', by: actor.name, role });
    if (role === 'owner' || person.role === 'owner')
      await notifyOwners(actor, person, { kind: 'owner changed', by: actor.name, email: subject, role });
    return true;
  }

  /**
   * Removes a person, their sessions and their unused invitations. Returns false if this would leave the account
   * without an owner.
   */
  async function remove(actor: Actor, person: Person): Promise<boolean> {
    requireRight(actor, 'own');
    const { accountId, email: subject } = person;
    const removed = await unlessLastOwner(person, false, async (trx) => {
      await store.remove(trx, person);
      await audit.record(trx, actor, { accountId, action: 'person.remove', subject });
    });
    if (!removed) return false;
    await notices.send(subject, { kind: 'removed', by: actor.name });
    if (person.role === 'owner')
      await notifyOwners(actor, person, { kind: 'owner removed', by: actor.name, email: subject });
    return true;
  }

  const { find, withEmail, memberships, ofAccount } = store;
  return {
    find,
    withEmail,
    memberships,
    ofAccount,
    setRole,
    remove,
    invite,
    inviteByEmail,
    inviteFirst,
    joinFirst,
    hasNobody,
    findInvitation,
    join,
    accountsInviting,
    joinInvited,
    withdrawInvitation,
    invited: (accountId: number): Promise<Invitation[]> => store.invitationsOfAccount(accountId, clock.now()),
  };
}
