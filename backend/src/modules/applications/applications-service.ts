/** Applications and their key pairs. */
import { SECOND, type Clock } from '../../platform/clock.js';
import { random, type Keyring } from '../../platform/crypto.js';
import { ApiError } from '../../platform/contract/errors.js';
import { APPLICATION_CACHE_MS, APPLICATIONS_LISTED, LAST_USED_NOTED_SECONDS } from '../../platform/limits.js';
import { createRecall } from '../../platform/cache.js';
import {
  DEFAULT_SETTINGS,
  type Application,
  type ApplicationSettings,
  type ApplicationStatus,
  type WidgetDesign,
} from './application.js';
import { createApplicationSecrets } from './application-secrets.js';
import { createAccounts } from './accounts.js';
import { createKeyPairs, type KeyPair } from './key-pairs.js';
import type { ApplicationChanges } from './application-changes.js';
import type { ApplicationsStore, StoredApplication } from './applications-store.js';

/** Account of an application that was made without one. */
export const OPERATOR_ACCOUNT = 'operator@localhost';

export type { KeyPair };

export interface ApplicationChange {
  readonly name?: string;
  readonly status?: ApplicationStatus;
  readonly settings?: Partial<Omit<ApplicationSettings, 'limits' | 'design'>>;
  readonly design?: Partial<WidgetDesign>;
  readonly limits?: Partial<ApplicationSettings['limits']>;
}

/** Somebody else has changed what was about to be changed. */
export class StaleError extends Error {}

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
  const recall = createRecall({ clock, ms: APPLICATION_CACHE_MS, read: (appKey: string) => store.find(appKey) });
  changes.listen(recall.forget);
  const secrets = createApplicationSecrets({ keyring, clock });

  /** When the use of each application was last noted. */
  const noted = new Map<string, number>();

  /** Notes now and then that an application is in use; no call waits for it, nor fails with it. */
  function noteUse({ id, appKey }: Application): void {
    const now = clock.now();
    if (now - (noted.get(appKey) ?? 0) < LAST_USED_NOTED_SECONDS * SECOND) return;
    noted.set(appKey, now);
    store.used(id, now).catch(() => undefined);
  }

  async function existing(appKey: string): Promise<Application> {
    const application = await store.find(appKey);
    if (!application) throw new NotFoundError(`there is no application with the App Key ${appKey}`);
    return application;
  }

  const accounts = createAccounts({ store, clock, changes, existing });

  return {
    ...accounts,
    ...createKeyPairs({ store, secrets, clock, changes, existing }),

    /** The application of a key pair when it and its account are active; else the refusal, in the order decided. */
    async authenticate({ appKey, appSecret }: KeyPair): Promise<Application> {
      const application = await recall.get(appKey);
      const known = secrets.matches(application, appSecret) ? application : undefined;
      if (known) noteUse(known);
      assertActive(known);
      return known;
    },

    /** The application of an App Key, for calls that carry no secret; undefined when there is none. */
    find: recall.get,

    /** Whether a text was signed for the application; see {@link createApplicationSecrets}. */
    signed: secrets.signed,

    list: (): Promise<Application[]> => store.list(),

    /** The applications of an account, the oldest first. */
    ofAccount: (accountId: number): Promise<Application[]> => store.ofAccount(accountId, APPLICATIONS_LISTED),

    /** An application of this account as it is stored now; undefined where the account has none with this App Key. */
    async ofAccountWith(accountId: number, appKey: string): Promise<Application | undefined> {
      const application = await store.find(appKey);
      return application?.accountId === accountId ? application : undefined;
    },

    /** Makes an application of an account: the one with this id, or with this address, which is made if need be. */
    async create({ name, ...owner }: { name: string; email?: string; accountId?: number }): Promise<KeyPair> {
      const pair = { appKey: `pk_${random.hex(16)}`, appSecret: `sk_${random.base64url(32)}` };
      await store.insert({
        accountId: owner.accountId ?? (await accounts.accountId(owner.email ?? OPERATOR_ACCOUNT)),
        name,
        appKey: pair.appKey,
        secret: secrets.kept(pair.appSecret),
        now: clock.now(),
      });
      return pair;
    },

    /** An application of the service itself, without a secret; the one that is there when there is one. */
    async createInternal(
      own: Pick<Application, 'accountId' | 'name' | 'appKey'>,
      settings: Partial<ApplicationSettings>,
      limits: Partial<ApplicationSettings['limits']>,
    ): Promise<Application> {
      const all = { ...settings, limits: { ...DEFAULT_SETTINGS.limits, ...limits } };
      await store.insertInternal({ ...own, settings: all, now: clock.now() });
      return existing(own.appKey);
    },

    /** Changes what is stored, unless that is no longer what the caller expects; then it throws a {@link StaleError}. */
    async update(
      appKey: string,
      { settings, design, limits, ...columns }: ApplicationChange,
      isExpected: (stored: StoredApplication) => boolean = () => true,
    ): Promise<Application> {
      await existing(appKey);
      const change = (stored: StoredApplication): ApplicationSettings => {
        if (!isExpected(stored)) throw new StaleError('the application has changed meanwhile');
        const old = stored.settings;
        return {
          ...old,
          ...settings,
          design: { ...old.design, ...design },
          limits: { ...old.limits, ...limits },
        };
      };
      await store.update(appKey, change, columns);
      await changes.announce(appKey);
      return existing(appKey);
    },

    /** The application of an App Key that an operator names, as it is stored; throws a {@link NotFoundError}. */
    existing,
  };
}
