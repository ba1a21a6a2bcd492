/** The users of an application, for support: describes a person, ends sessions, lifts locks and resets two-factor. */
import type { Knex } from 'knex';
import type { Base } from '../../platform/base.js';
import type { ChannelName } from '../../platform/contract/channels.js';
import { requireRight, type Actor } from '../access/actor.js';
import type { Application } from '../applications/application.js';
import type { AuditService, NewAuditEntry } from '../audit/audit-service.js';
import type { ErasureService } from '../erasure/erasure-service.js';
import type { OtpService } from '../otp/index.js';
import { maskRecipient, parseRecipient, phoneDigits, variantsOf } from '../recipients/recipient.js';
import type { SessionsService } from '../sessions/index.js';
import type { UserRecord } from '../sessions/user.js';
import type { FactorDescription } from '../twofactor/second-factor.js';
import type { TwoFactorService } from '../twofactor/index.js';

const PAGE_SIZE = 20;
/** Counting more users would take too long. */
export const MAX_COUNTED_USERS = 10_000;

export interface SentCode {
  readonly maskId: string;
  readonly channel: ChannelName;
  readonly sentAt: number;
  readonly verifiedAt: number | null;
  readonly state: 'verified' | 'waiting' | 'expired' | 'replaced' | 'canceled';
  /** When the session of the verified code ends; undefined without a valid session. */
  readonly sessionEnd: number | undefined;
}

export interface EndUser {
  readonly address: string;
  /** The verified and the unverified user with this address. Empty if the person never verified a code. */
  readonly users: readonly UserRecord[];
  /** Latest codes, newest first. */
  readonly codes: readonly SentCode[];
  /** When the latest lock after wrong codes ends; 0 without a lock. */
  readonly lockedUntil: number;
  readonly factor: FactorDescription | undefined;
  /** When the person last entered a code; undefined if never. Accurate to a day if that code is no longer stored. */
  readonly lastEnteredAt: number | undefined;
}

export interface ListedUser {
  readonly user: UserRecord;
  /** See {@link EndUser.lastEnteredAt}. */
  readonly lastEnteredAt: number | undefined;
  readonly hasFactor: boolean;
  /** Identifies the person in URLs, without containing the address. */
  readonly reference: string;
}

export interface ListedUsers {
  readonly users: readonly ListedUser[];
  /** The number of users on all pages, at most {@link MAX_COUNTED_USERS}. */
  readonly total: number;
  readonly olderThan: number | undefined;
}

export type EndUsersService = ReturnType<typeof createEndUsers>['service'];

interface Dependencies extends Pick<Base, 'clock' | 'inTransaction' | 'keyring'> {
  readonly sessions: SessionsService;
  readonly otp: OtpService;
  readonly twoFactor: TwoFactorService;
  readonly erasure: ErasureService;
  readonly audit: AuditService;
}

function lastEntered(users: readonly UserRecord[], codes: readonly Pick<SentCode, 'verifiedAt'>[]): number | undefined {
  const times = users.filter(({ verified }) => verified).map(({ lastVerifiedAt }) => lastVerifiedAt);
  const last = Math.max(...times, ...codes.map(({ verifiedAt }) => verifiedAt ?? 0));
  return last > 0 ? last : undefined;
}

const contextOf = ({ id }: Application): string => `end-user:${id}`;

export function createEndUsers(dependencies: Dependencies) {
  const { inTransaction, sessions, otp, twoFactor, erasure, audit, keyring, clock } = dependencies;

  /** Returns a reference to a person, for URLs. */
  const referenceTo = (application: Application, address: string): string =>
    keyring.seal(contextOf(application), address);

  /** Returns the address of a reference; undefined if the reference is not valid for the application. */
  const addressOf = (application: Application, reference: string): string | undefined =>
    keyring.openIfValid(contextOf(application), reference);

  /** Returns a page of users, newest first. `before`: `olderThan` of the page before it. */
  async function list(application: Application, before?: number): Promise<ListedUsers> {
    const { users, olderThan } = await sessions.usersPage(application.id, PAGE_SIZE, before);
    // Second factors are stored under addresses in lower case.
    const addressIn = ({ identity }: UserRecord) => identity.toLowerCase();
    const withFactor = await twoFactor.withFactor(application, users.map(addressIn));
    const listed = users.map(async (user) => {
      const { codes } = await otp.describe(application.id, user.identity);
      const lastEnteredAt = user.verified ? lastEntered([user], codes) : undefined;
      const reference = referenceTo(application, user.identity);
      return { user, reference, lastEnteredAt, hasFactor: withFactor.includes(addressIn(user)) };
    });
    const total = await sessions.countUsers(application.id, MAX_COUNTED_USERS);
    return { users: await Promise.all(listed), total, olderThan };
  }

  /**
   * Finds a person by user id, phone number or email address, and returns a reference. A person who never verified a
   * code is found by address only. Returns undefined for an unknown user id, and for text that is no address.
   */
  async function find(application: Application, text: string): Promise<string | undefined> {
    const trimmed = text.trim();
    const user = trimmed.startsWith('USR-') ? await sessions.findUser(trimmed) : undefined;
    if (user?.applicationId === application.id) return referenceTo(application, user.identity);
    const address = parseRecipient(trimmed)?.address ?? phoneDigits(trimmed);
    if (address === undefined) return undefined;
    for (const variant of variantsOf(address))
      if ((await sessions.usersOf(application.id, variant)).length > 0) return referenceTo(application, variant);
    return referenceTo(application, address);
  }

  async function describe(application: Application, address: string): Promise<EndUser> {
    const now = clock.now();
    const users = await sessions.usersOf(application.id, address);
    const endedAt = Math.max(0, ...users.map(({ sessionsEndedAt }) => sessionsEndedAt));
    const stored = await otp.describe(application.id, address);
    const codes = stored.codes.map(async ({ maskId, channel, createdAt, expiresAt, state, verifiedAt }) => ({
      maskId,
      channel,
      verifiedAt,
      sentAt: createdAt,
      state:
        state === 'live'
          ? expiresAt > now
            ? ('waiting' as const)
            : ('expired' as const)
          : ({ verified: 'verified', ended: 'replaced', canceled: 'canceled' } as const)[state],
      sessionEnd: verifiedAt === null ? undefined : await sessions.sessionEndOf(maskId, verifiedAt, endedAt),
    }));
    const factor = address.includes('@') ? await twoFactor.describe(application, address) : undefined;
    const locks = [stored.lockedUntil, factor?.lockedUntil ?? 0];
    const live = stored.codes.filter(({ state }) => state === 'live');
    const lockedUntil = Math.max(...locks, ...live.map((code) => code.lockedUntil));
    return {
      address,
      users,
      factor,
      lastEnteredAt: lastEntered(users, stored.codes),
      codes: await Promise.all(codes),
      lockedUntil: lockedUntil > now ? lockedUntil : 0,
    };
  }

  /** Makes a change and its audit entry in one transaction. The entry contains the masked address. */
  function change<T>(
    actor: Actor,
    { accountId, name }: Application,
    action: NewAuditEntry['action'],
    address: string,
    work: (trx: Knex) => Promise<T>,
  ): Promise<T> {
    requireRight(actor, 'own');
    const changes = [{ name: 'application', before: '', after: name }];
    return inTransaction(async (trx) => {
      await audit.record(trx, actor, { accountId, action, subject: maskRecipient(address), changes });
      return work(trx);
    });
  }

  /** Revokes all tokens of a person, also two-factor tokens. Returns false if the person has no user. */
  const endSessions = (actor: Actor, application: Application, address: string): Promise<boolean> =>
    change(
      actor,
      application,
      'user.end-sessions',
      address,
      async (trx) => (await sessions.endSessions(trx, application, address)) > 0,
    );

  /** Lifts all locks after wrong codes. Limits per day still apply. */
  const unlock = (actor: Actor, application: Application, address: string): Promise<void> =>
    change(actor, application, 'user.unlock', address, async (trx) => {
      await otp.unlock(trx, application.id, address);
      if (address.includes('@')) await twoFactor.unlock(trx, application, address);
    });

  return {
    service: {
      addressOf,
      referenceTo,
      list,
      find,
      describe,
      endSessions,
      unlock,
      resetTwoFactor: twoFactor.resetAs,
      erase: (actor: Actor, application: Application, address: string) => erasure.erase(actor, [application], address),
    },
  };
}
