/** Emails invitations to the invited people, and changes of owners to the other owners. */
import { invitationLink } from '../../platform/config/config.js';
import { ApiError } from '../../platform/contract/errors.js';
import type { Limiter } from '../../platform/rate-limit/limiter.js';
import type { Actor } from '../access/actor.js';
import type { Role } from '../access/rights.js';
import type { PeopleStore } from './people-store.js';
import { mailboxOf, type Person } from './person.js';
import type { SecurityNotice, SecurityNotices } from './security-notices.js';
import { invitationMailRule } from './sign-in-limits.js';

export interface SentInvitation {
  readonly link: string;
  /** Whether the link was emailed. If not, the inviter must pass it on. */
  readonly mailed: boolean;
}

interface InvitedPerson {
  readonly accountId: number;
  readonly email: string;
  readonly role: Role;
}

type NotifyOwners = ReturnType<typeof createNotifyOwners>;

export function createNotifyOwners(store: PeopleStore, notices: SecurityNotices) {
  /** Notifies the owners of an account, except the actor and the person whom the change concerns. */
  return async function notifyOwners(
    actor: Actor,
    { accountId, email }: Pick<Person, 'accountId' | 'email'>,
    notice: SecurityNotice,
  ): Promise<void> {
    const owners = (await store.ofAccount(accountId)).filter(({ role }) => role === 'owner');
    for (const owner of owners)
      if (owner.email !== actor.name && owner.email !== email) await notices.send(owner.email, notice);
  };
}

interface Dependencies {
  readonly invite: (actor: Actor, to: InvitedPerson) => Promise<string>;
  readonly notifyOwners: NotifyOwners;
  readonly notices: SecurityNotices;
  readonly limiter: Limiter;
  /** URL of this server. */
  readonly url: string;
}

export function createInviteByEmail({ invite, notifyOwners, notices, limiter, url }: Dependencies) {
  /** Invites a person, and emails the link. Notifies the other owners if the person is to become an owner. */
  return async function inviteByEmail(actor: Actor, to: InvitedPerson): Promise<SentInvitation> {
    const link = invitationLink(url, await invite(actor, to));
    const email = mailboxOf(to.email)?.email ?? to.email;
    const isAllowed = await limiter.take([invitationMailRule(to.accountId)]).then(
      () => true,
      (error: unknown) => {
        if (error instanceof ApiError) return false;
        throw error;
      },
    );
    const mailed = isAllowed && (await notices.send(email, { kind: 'invited', by: actor.name, role: to.role, link }));
    if (to.role === 'owner')
      await notifyOwners(actor, { ...to, email }, { kind: 'owner invited', by: actor.name, email });
    return { link, mailed };
  };
}
