/**
 * Sign-in links, which the operator creates for people who cannot receive a code by email, for example because no email
 * provider is configured.
 */
import { MINUTE, type Clock } from '../../platform/clock.js';
import { random, sha256 } from '../../platform/crypto.js';
import type { InTransaction } from '../../platform/db/transaction.js';
import { requireRight, type Actor } from '../access/actor.js';
import type { AuditService } from '../audit/audit-service.js';
import type { PeopleService } from './people-service.js';
import { mailboxOf, TOKEN_FORMAT, type AccountChoice } from './person.js';
import type { SecurityNotices } from './security-notices.js';
import type { SignInLink, SignInLinksStore } from './sign-in-links-store.js';

/** How long a link is valid: long enough to send it to a person who is waiting for it. */
export const LINK_MINUTES = 15;

interface CreatedLink extends Pick<SignInLink, 'account'> {
  readonly token: string;
}

/** The address has joined, or was invited to, none or several of `accounts`. */
interface RefusedLink {
  readonly token: undefined;
  readonly accounts: readonly string[];
}

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
   * Returns the accounts that a new link for the address can be for: the named one; without a name, all joined ones, or if
   * there are none, all that have invited the address.
   */
  async function choicesOf(email: string, account: string | undefined) {
    const joined = (await people.memberships(email)).map(({ person, ...membership }) => ({
      accountId: person.accountId,
      ...membership,
    }));
    const invited = account === undefined && joined.length > 0 ? [] : await people.accountsInviting(email);
    const isJoined = ({ accountId }: AccountChoice) => joined.some((one) => one.accountId === accountId);
    const all = [...joined, ...invited.filter((choice) => !isJoined(choice))];
    const choices = account === undefined ? all : all.filter((choice) => choice.account === account);
    return { joined, all, choices };
  }

  /**
   * Creates a single-use link that replaces the code by email. The token is stored only as a hash. The link is for one
   * account. Otherwise, the owner of another account could invite the address, and the link might add the person to
   * that account. While no person exists, invites the address as the first owner.
   */
  async function create(actor: Actor, address: string, account?: string): Promise<CreatedLink | RefusedLink> {
    requireRight(actor, 'own');
    const email = mailboxOf(address)?.email;
    if (email === undefined) return { token: undefined, accounts: [] };
    const { joined, all, choices } = await choicesOf(email, account);
    const [choice] = choices;
    if (!choice || choices.length > 1) return { token: undefined, accounts: all.map((one) => one.account) };
    const token = random.base64url(32);
    const expiresAt = clock.now() + LINK_MINUTES * MINUTE;
    await inTransaction(async (trx) => {
      await store.insert(trx, sha256(token), { email, accountId: choice.accountId }, expiresAt);
      // People can switch to their other accounts after the sign-in.
      for (const accountId of new Set([choice, ...joined].map((one) => one.accountId)))
        await audit.record(trx, actor, { accountId, action: 'person.sign-in-link', subject: email });
    });
    await notices.send(email, { kind: 'sign-in link created' });
    return { token, account: choice.account };
  }

  /** Returns the person and the account of a link; undefined if the link was used or has expired. */
  const find = async (token: string): Promise<SignInLink | undefined> =>
    TOKEN_FORMAT.test(token) ? store.find(sha256(token), clock.now()) : undefined;

  /** Marks a link as used, and returns it. */
  async function use(token: string): Promise<SignInLink | undefined> {
    const link = await find(token);
    return link && (await store.use(sha256(token), clock.now())) ? link : undefined;
  }

  return { create, find, use };
}
