/**
 * Sign-in links, which the operator creates for people who cannot receive an emailed code, for example because no email
 * provider is configured.
 */
import { MINUTE } from '../../platform/clock.js';
import { random, sha256 } from '../../platform/crypto.js';
import { requireRight, type Actor } from '../access/actor.js';
import type { Shared } from '../audit/audit-service.js';
import type { PeopleService } from './people-service.js';
import { mailboxOf, TOKEN_FORMAT, type AccountChoice } from './person.js';
import type { SecurityNotices } from './security-notices.js';
import type { SignInLink, SignInLinksStore } from './sign-in-links-store.js';

/** How long a link is valid: long enough to send it to a person who wants to sign in now. */
export const LINK_MINUTES = 15;

interface CreatedLink extends Pick<SignInLink, 'account'> {
  readonly token: string;
}

/**
 * No link was created, because the email address can sign in to no account, or to more than one. `accounts`: the
 * accounts to choose from.
 */
interface RejectedLink {
  readonly token: undefined;
  readonly accounts: readonly string[];
}

export function createSignInLinks(
  store: SignInLinksStore,
  people: PeopleService,
  notices: SecurityNotices,
  { inTransaction, audit, clock }: Pick<Shared, 'audit' | 'clock' | 'inTransaction'>,
) {
  /**
   * Finds the accounts to which a link can lead. `joined`: accounts that the address has joined. `all`: also accounts
   * that have invited the address, if `account` is given or the address has not joined any account. `choices`: the same
   * as `all`, or only `account` if it is given.
   */
  async function choicesOf(email: string, account: string | undefined) {
    const joined = (await people.memberships(email)).map(({ person, ...membership }) => ({
      accountId: person.accountId,
      ...membership,
    }));
    const invited = account === undefined && joined.length > 0 ? [] : await people.accountsInviting(email);
    const isJoined = ({ accountId }: AccountChoice) => joined.some((membership) => membership.accountId === accountId);
    const all = [...joined, ...invited.filter((choice) => !isJoined(choice))];
    const choices = account === undefined ? all : all.filter((choice) => choice.account === account);
    return { joined, all, choices };
  }

  /**
   * Creates a single-use link that replaces the emailed code. Only a hash of the token is stored. The link is for one
   * account: otherwise, the owner of another account could invite the address, and the link might add the person to
   * that account. If no person exists yet, invites the address as the first owner.
   */
  async function create(actor: Actor, address: string, account?: string): Promise<CreatedLink | RejectedLink> {
    requireRight(actor, 'own');
    const email = mailboxOf(address)?.email;
    if (email === undefined) return { token: undefined, accounts: [] };
    const { joined, all, choices } = await choicesOf(email, account);
    const [choice] = choices;
    if (!choice || choices.length > 1) return { token: undefined, accounts: all.map(({ account: name }) => name) };
    const token = random.base64url(32);
    const expiresAt = clock.now() + LINK_MINUTES * MINUTE;
    await inTransaction(async (trx) => {
      await store.insert(trx, sha256(token), { email, accountId: choice.accountId }, expiresAt);
      // The link is also recorded in the joined accounts' audit logs, because people can switch accounts after signing
      // in.
      for (const accountId of new Set([choice, ...joined].map(({ accountId: id }) => id)))
        await audit.record(trx, actor, { accountId, action: 'person.sign-in-link', subject: email });
    });
    await notices.send(email, { kind: 'sign-in link created' });
    return { token, account: choice.account };
  }

  /** Returns the link with this token; undefined if the link was used or has expired. */
  const find = async (token: string): Promise<SignInLink | undefined> =>
    TOKEN_FORMAT.test(token) ? store.find(sha256(token), clock.now()) : undefined;

  /** Marks a link as used, and returns it; undefined if the link was used before or has expired. */
  async function use(token: string): Promise<SignInLink | undefined> {
    const link = await find(token);
    return link && (await store.use(sha256(token), clock.now())) ? link : undefined;
  }

  return { create, find, use };
}
