/** Links that the operator creates for people who cannot get a code by email, for example without a mail provider. */
import { MINUTE, type Clock } from '../../platform/clock.js';
import { random, sha256 } from '../../platform/crypto.js';
import type { InTransaction } from '../../platform/db/transaction.js';
import { requireRight, type Actor } from '../access/actor.js';
import type { AuditService } from '../audit/audit-service.js';
import type { PeopleService } from './people-service.js';
import { mailboxOf, TOKEN } from './person.js';
import type { SecurityNotices } from './security-notices.js';
import type { SignInLinksStore } from './sign-in-links-store.js';

/** Long enough to pass the link to a person who is waiting for it. */
export const LINK_MINUTES = 15;

export type SignInLinks = ReturnType<typeof createSignInLinks>;

export function createSignInLinks(
  store: SignInLinksStore,
  people: PeopleService,
  inTransaction: InTransaction,
  audit: AuditService,
  notices: SecurityNotices,
  clock: Clock,
) {
  /**
   * Creates a single-use link that replaces the code by email. Returns the token, which is stored only as a hash;
   * undefined if no person or invitation has the address. While no person exists, invites the address as the first
   * owner.
   */
  async function create(actor: Actor, address: string): Promise<string | undefined> {
    requireRight(actor, 'own');
    const email = mailboxOf(address)?.email;
    if (email === undefined) return undefined;
    const accountIds = (await people.withEmail(email)).map(({ accountId }) => accountId);
    const invitation = accountIds.length === 0 ? await people.invitationFor(email) : undefined;
    if (invitation) accountIds.push(invitation.accountId);
    if (accountIds.length === 0) return undefined;
    const token = random.base64url(32);
    const expiresAt = clock.now() + LINK_MINUTES * MINUTE;
    await inTransaction(async (trx) => {
      await store.insert(trx, { tokenHash: sha256(token), email, expiresAt });
      for (const accountId of accountIds)
        await audit.record(trx, actor, { accountId, action: 'person.sign-in-link', subject: email });
    });
    await notices.send(email, { kind: 'sign-in link created' });
    return token;
  }

  /** The email address of a link; undefined if it was used or has expired. */
  const find = async (token: string): Promise<string | undefined> =>
    TOKEN.test(token) ? store.find(sha256(token), clock.now()) : undefined;

  /** Marks a link as used, and returns its email address. */
  async function use(token: string): Promise<string | undefined> {
    const email = await find(token);
    return email !== undefined && (await store.use(sha256(token), clock.now())) ? email : undefined;
  }

  return { create, find, use };
}
