/** Applications and their key pairs. */
import { SECOND, type Clock } from '../../clock.js';
import { random, type Keyring } from '../../crypto.js';
import { ApiError } from '../../errors.js';
import { APPLICATION_CACHE_MS, APPLICATIONS_LISTED } from '../../limits.js';
import type {
  AccountStatus,
  Application,
  ApplicationSettings,
  ApplicationStatus,
  WidgetDesign,
} from './application.js';
import { createApplicationSecrets } from './application-secrets.js';
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
  const secrets = createApplicationSecrets({ keyring, clock });
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
      assertActive(secrets.matches(application, appSecret) ? application : undefined);
      return application!;
    },

    /** The application of an App Key, for calls that carry no secret; undefined when there is none. */
    find: cached,

    /** Whether a text was signed for the application; see {@link createApplicationSecrets}. */
    signed: secrets.signed,

    /** Seals with the newest key what an older one sealed; answers how many. */
    async reseal(): Promise<number> {
      const all = (await store.list()).flatMap((application) => application.secrets);
      const old = all.map(secrets.resealed).filter((seal) => seal !== undefined);
      for (const { from, to } of old) await store.resealTokenKey(from, to);
      return old.length;
    },

    list: (): Promise<Application[]> => store.list(),

    /** The applications of an account, the oldest first. */
    ofAccount: (accountId: number): Promise<Application[]> => store.ofAccount(accountId, APPLICATIONS_LISTED),

    /** An application of this account as it is stored now; undefined where the account has none with this App Key. */
    async ofAccountWith(accountId: number, appKey: string): Promise<Application | undefined> {
      const application = await store.find(appKey);
      return application?.accountId === accountId ? application : undefined;
    },

    async create({ name, email = OPERATOR_ACCOUNT }: { name: string; email?: string }): Promise<KeyPair> {
      const pair = { appKey: `pk_${random.hex(16)}`, appSecret: `sk_${random.base64url(32)}` };
      await store.insert({
        accountId: await accountId(email),
        name,
        appKey: pair.appKey,
        secret: secrets.kept(pair.appSecret),
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
      await store.replaceSecret(id, secrets.kept(appSecret), now, oldSecretValidUntil);
      await changes.announce(appKey);
      return { appKey, appSecret, oldSecretValidUntil };
    },

    /** The id of an account, which is made where there is none. */
    accountId,

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
