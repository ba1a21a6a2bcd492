/** Applications and their key pairs. */
import { SECOND, type Clock } from '../../clock.js';
import { hmac, random, sameText, sha256, type Keyring } from '../../crypto.js';
import { ApiError } from '../../errors.js';
import { APPLICATION_CACHE_MS } from '../../limits.js';
import type {
  AccountStatus,
  Application,
  ApplicationSecret,
  ApplicationSettings,
  ApplicationStatus,
  WidgetDesign,
} from './application.js';
import type { ApplicationChanges } from './application-changes.js';
import type { ApplicationsStore } from './applications-store.js';

/** Account of an application that was made without one. */
export const OPERATOR_ACCOUNT = 'operator@localhost';

export interface KeyPair {
  readonly appKey: string;
  /** Shown once; only its hash is stored. */
  readonly appSecret: string;
}

export interface ApplicationChange {
  readonly name?: string;
  readonly status?: ApplicationStatus;
  readonly settings?: Partial<Omit<ApplicationSettings, 'limits' | 'design'>>;
  readonly design?: Partial<WidgetDesign>;
  readonly limits?: Partial<ApplicationSettings['limits']>;
}

/** The operator named something that is not there. */
export class NotFoundError extends Error {}

export type ApplicationsService = ReturnType<typeof createApplicationsService>;

/** Compared against when the application is unknown, so that it takes as long as a wrong secret. */
const NO_SECRET = '-'.repeat(64);

const sealContext = (secretHash: string): string => `user-token-key:${secretHash}`;

/** Throws the refusal of an application that cannot be used, in the order decided. */
export function assertActive(application: Application | undefined): asserts application is Application {
  if (!application) throw new ApiError('INVALID_CREDENTIALS');
  if (application.status !== 'active') throw new ApiError('APPLICATION_INACTIVE');
  if (application.accountStatus === 'inactive') throw new ApiError('USER_INACTIVE');
  if (application.accountStatus === 'blocked') throw new ApiError('ACCOUNT_BLOCKED');
}

export interface ApplicationsDependencies {
  readonly store: ApplicationsStore;
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly changes: ApplicationChanges;
}

export function createApplicationsService({ store, keyring, clock, changes }: ApplicationsDependencies) {
  const cache = new Map<string, { application: Application; until: number }>();
  changes.listen((appKey) => void cache.delete(appKey));

  async function cached(appKey: string): Promise<Application | undefined> {
    const hit = cache.get(appKey);
    if (hit && hit.until > clock.now()) return hit.application;
    const application = await store.find(appKey);
    if (application) cache.set(appKey, { application, until: clock.now() + APPLICATION_CACHE_MS });
    else cache.delete(appKey);
    return application;
  }

  function validSecrets(application: Application | undefined): ApplicationSecret[] {
    const now = clock.now();
    return application?.secrets.filter((s) => s.expiresAt === null || s.expiresAt > now) ?? [];
  }

  /** What is kept of an App Secret: enough to know it, and to check what was signed with it, not to tell it. */
  function kept(appSecret: string) {
    const hash = sha256(appSecret);
    return { hash, tokenKeySealed: keyring.seal(sealContext(hash), hmac(appSecret, 'passbell user token')) };
  }

  function secretMatches(application: Application | undefined, secret: string): boolean {
    const hash = sha256(secret);
    const valid = validSecrets(application);
    const hashes = valid.length > 0 ? valid.map((s) => s.hash) : [NO_SECRET];
    return hashes.map((candidate) => sameText(candidate, hash)).includes(true);
  }

  async function existing(appKey: string): Promise<Application> {
    const application = await store.find(appKey);
    if (!application) throw new NotFoundError(`there is no application with the App Key ${appKey}`);
    return application;
  }

  async function accountId(email: string): Promise<number> {
    const account = await store.findAccount(email);
    return account?.id ?? (await store.insertAccount(email, clock.now()));
  }

  return {
    /** The application of a key pair when it and its account are active; else the refusal, in the order decided. */
    async authenticate({ appKey, appSecret }: KeyPair): Promise<Application> {
      const application = await cached(appKey);
      assertActive(secretMatches(application, appSecret) ? application : undefined);
      return application!;
    },

    /** The application of an App Key, for calls that carry no secret; undefined when there is none. */
    find: cached,

    /**
     * Whether `signature` is the HMAC-SHA256 of `text` as hex, under the key that follows from an App Secret of the
     * application: HMAC-SHA256 of "passbell user token" under the secret, as hex.
     */
    signed(application: Application, text: string, signature: string): boolean {
      const keys = validSecrets(application).flatMap(({ hash, tokenKeySealed }) =>
        tokenKeySealed !== null && keyring.canOpen(tokenKeySealed)
          ? [keyring.open(sealContext(hash), tokenKeySealed)]
          : [],
      );
      return keys.map((key) => sameText(hmac(key, text), signature)).includes(true);
    },

    /** Seals with the newest key what an older one sealed; answers how many. */
    async reseal(): Promise<number> {
      const secrets = (await store.list()).flatMap((application) => application.secrets);
      const old = secrets.filter(({ tokenKeySealed: key }) => key && !keyring.isNewest(key) && keyring.canOpen(key));
      for (const { hash, tokenKeySealed } of old) {
        const context = sealContext(hash);
        await store.resealTokenKey(tokenKeySealed!, keyring.seal(context, keyring.open(context, tokenKeySealed!)));
      }
      return old.length;
    },

    list: (): Promise<Application[]> => store.list(),

    async create({ name, email = OPERATOR_ACCOUNT }: { name: string; email?: string }): Promise<KeyPair> {
      const pair = { appKey: `pk_${random.hex(16)}`, appSecret: `sk_${random.base64url(32)}` };
      await store.insert({
        accountId: await accountId(email),
        name,
        appKey: pair.appKey,
        secret: kept(pair.appSecret),
        now: clock.now(),
      });
      return pair;
    },

    /** Changes what is stored, seen and written in one; whatever `change` throws leaves it as it is. */
    async changeSettings(
      appKey: string,
      change: (stored: ApplicationSettings) => ApplicationSettings,
    ): Promise<Application> {
      await existing(appKey);
      await store.update(appKey, change, {});
      await changes.announce(appKey);
      return existing(appKey);
    },

    async update(appKey: string, { settings, design, limits, ...columns }: ApplicationChange): Promise<Application> {
      await existing(appKey);
      const change = (old: ApplicationSettings) => ({
        ...old,
        ...settings,
        design: { ...old.design, ...design },
        limits: { ...old.limits, ...limits },
      });
      await store.update(appKey, change, columns);
      await changes.announce(appKey);
      return existing(appKey);
    },

    /** A new secret; the old one stays valid for `graceSeconds`. */
    async rotateSecret(appKey: string, graceSeconds: number): Promise<KeyPair & { oldSecretValidUntil: number }> {
      const { id } = await existing(appKey);
      const appSecret = `sk_${random.base64url(32)}`;
      const now = clock.now();
      const oldSecretValidUntil = now + graceSeconds * SECOND;
      await store.replaceSecret(id, kept(appSecret), now, oldSecretValidUntil);
      await changes.announce(appKey);
      return { appKey, appSecret, oldSecretValidUntil };
    },

    async createAccount(email: string): Promise<{ email: string }> {
      await accountId(email);
      return { email };
    },

    /** Sets the state of the account that an application belongs to. */
    async setAccountStatus(appKey: string, status: AccountStatus): Promise<void> {
      await existing(appKey);
      await store.setAccountStatus(appKey, status);
      await changes.announce(appKey);
    },
  };
}
