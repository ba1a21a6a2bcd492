import type { Knex } from 'knex';
import { random } from '../../platform/crypto.js';
import type { Settings } from '../../platform/settings-cache.js';
import { EditConflictError, OPERATOR, requireRight, type Actor } from '../access/actor.js';
import type { Shared } from '../audit/audit-service.js';
import { looserValues } from '../settings/bounded-setting.js';
import type { createAccountCeilingsService } from './account-ceilings-service.js';
import type { AccountStatus, Application, ApplicationSettings, KeyPair } from './application.js';
import { ApplicationNotFoundError, OPERATOR_ACCOUNT } from './application.js';
import type { ApplicationChange, EditableApplication } from './application-change.js';
import { applyChange, auditEntryOf, requiredRight } from './application-change.js';
import type { ApplicationSecrets } from './application-secrets.js';
import type { ApplicationsStore } from './applications-store.js';
import { LIMITS } from './application-limits.js';
import { createAuthenticate } from './authenticate.js';
import { challengeSecretContext, changeChallenge } from './challenge-settings.js';
import { APPLICATION_TOPIC, type ChangeApplication } from './change-application.js';
import { newAppSecret, type createCredentialsService } from './credentials-service.js';
import type { createDeletionService } from './deletion-service.js';

const MAX_APPLICATIONS_LISTED = 200;

export type ApplicationsService = ReturnType<typeof createApplicationsService>;

interface NewApplication {
  readonly name: string;
  readonly email?: string;
  readonly accountId?: number;
  readonly externalId?: string;
  /** Settings that differ from the defaults. */
  readonly change?: ApplicationChange;
}

interface Dependencies extends Pick<Shared, 'audit' | 'bus' | 'clock' | 'inTransaction' | 'keyring'> {
  readonly store: ApplicationsStore;
  readonly secrets: ApplicationSecrets;
  readonly credentials: ReturnType<typeof createCredentialsService>;
  readonly ceilings: ReturnType<typeof createAccountCeilingsService>;
  readonly deletion: ReturnType<typeof createDeletionService>;
  readonly changeApplication: ChangeApplication;
  readonly settings: Pick<Settings, 'createCache'>;
}

export function createApplicationsService(dependencies: Dependencies) {
  const { store, secrets, changeApplication, inTransaction, audit, bus, keyring, clock } = dependencies;
  const cache = dependencies.settings.createCache((appKey: string) => store.find(appKey));
  const cacheById = dependencies.settings.createCache((id: number) => store.findById(id));
  bus.subscribe(APPLICATION_TOPIC, cache.forget);
  const { authenticate, authenticateCodeRequest } = createAuthenticate(cache.get, secrets, store, clock);

  /** Reads an application from the database, not from the cache. Throws an {@link ApplicationNotFoundError}. */
  async function load(appKey: string): Promise<Application> {
    const application = await store.find(appKey);
    if (!application) throw new ApplicationNotFoundError(appKey);
    return application;
  }

  /**
   * Reads an application from the database, by its App Key or by the ID that a caller chose for it; undefined if the account
   * does not own it.
   */
  async function findInAccount(accountId: number, reference: string): Promise<Application | undefined> {
    const application = await store.find(reference);
    if (application) return application.accountId === accountId ? application : undefined;
    return store.findByExternalId(accountId, reference);
  }

  /** Returns the id of the account with this email address. Creates the account if it does not exist. */
  async function findOrCreateAccount(trx: Knex, actor: Actor, email: string): Promise<number> {
    const existingId = await store.findAccountId(email, trx);
    if (existingId !== undefined) return existingId;
    const accountId = await store.insertAccount(trx, email, clock.now());
    await audit.record(trx, actor, { accountId, action: 'account.create', subject: email });
    return accountId;
  }

  async function createAccount(actor: Actor, email: string): Promise<number> {
    requireRight(actor, 'own');
    return inTransaction((trx) => findOrCreateAccount(trx, actor, email));
  }

  const setAccountStatus = (actor: Actor, appKey: string, status: AccountStatus): Promise<void> =>
    changeApplication(actor, 'own', appKey, async (trx, { accountId, accountEmail, accountStatus }) => {
      await store.setAccountStatus(trx, accountId, status);
      const changes = [{ name: 'status', before: accountStatus, after: status }];
      await audit.record(trx, actor, { accountId, action: 'account.status', subject: accountEmail, changes });
    });

  async function changeIn(trx: Knex, actor: Actor, stored: Application, change: ApplicationChange): Promise<void> {
    await dependencies.ceilings.allowLimits(trx, actor, stored, change.limits ?? {});
    const { challenge } = stored.settings;
    const changed = applyChange(stored, change, changeChallenge(keyring, stored.id, challenge, change.challenge ?? {}));
    const entry = auditEntryOf(stored, changed);
    if (!entry) return;
    await store.update(trx, stored.id, changed);
    await audit.record(trx, actor, { accountId: stored.accountId, subject: changed.name, ...entry });
  }

  /**
   * Creates an application in the account with this id or email address. Creates the account if no account has the
   * email address. Throws a {@link SettingError} if the account has reached its maximum number of applications, and an
   * {@link EditConflictError} if an application of the account has this `externalId`.
   */
  async function create(actor: Actor, { name, email = OPERATOR_ACCOUNT, ...other }: NewApplication): Promise<KeyPair> {
    requireRight(actor, 'own');
    const { externalId, change = {} } = other;
    const pair = { appKey: `pk_${random.hex(16)}`, appSecret: newAppSecret() };
    await inTransaction(async (trx) => {
      const accountId = other.accountId ?? (await findOrCreateAccount(trx, actor, email));
      if (externalId !== undefined && (await store.findByExternalId(accountId, externalId, trx)))
        throw new EditConflictError(`there is already an application with the ID ${externalId}`);
      await dependencies.ceilings.allowApplication(trx, actor, accountId);
      const application = { accountId, externalId, name, appKey: pair.appKey, settings: {} };
      const id = await store.insert(trx, application, clock.now());
      await store.insertSecret(trx, id, secrets.storedForm(pair.appSecret), clock.now());
      await audit.record(trx, actor, { accountId, action: 'application.create', subject: name });
      await changeIn(trx, actor, (await store.find(pair.appKey, trx))!, change);
    });
    return pair;
  }

  /** Returns the application with this App Key. Creates it, without a secret, if it does not exist. */
  async function createInternal(
    actor: Actor,
    { email, ...application }: { email: string; name: string; appKey: string; settings: Partial<ApplicationSettings> },
  ): Promise<Application> {
    await inTransaction(async (trx) => {
      if (await store.find(application.appKey, trx)) return;
      const accountId = await findOrCreateAccount(trx, actor, email);
      await store.insert(trx, { accountId, ...application }, clock.now());
    });
    return load(application.appKey);
  }

  /** Throws a {@link SettingError} if an owner may not make this change. Changes nothing. */
  function checkChange({ id, settings, ceilings }: Application, { limits = {}, challenge = {} }: ApplicationChange) {
    looserValues(LIMITS, limits, ceilings.limits, false);
    changeChallenge(keyring, id, settings.challenge, challenge);
  }

  /**
   * Changes an application. Throws an {@link EditConflictError} if `isExpected` returns false for the stored
   * application, and a {@link SettingError} if an owner sets a limit that is looser than the account's ceiling, or if a
   * key of the challenge is missing.
   */
  async function update(
    actor: Actor,
    appKey: string,
    change: ApplicationChange,
    isExpected: (stored: EditableApplication) => boolean = () => true,
  ): Promise<Application> {
    await changeApplication(actor, requiredRight(change), appKey, async (trx, stored) => {
      if (!isExpected(stored)) throw new EditConflictError(`the application ${appKey} has changed`);
      await changeIn(trx, actor, stored, change);
    });
    return load(appKey);
  }

  /** Reseals the secret key of an application's challenge with the newest key. Returns the number of resealed keys. */
  const resealChallenge = (appKey: string): Promise<number> =>
    changeApplication(OPERATOR, 'own', appKey, async (trx, stored) => {
      const { challenge } = stored.settings;
      const secretSealed = keyring.reseal(challengeSecretContext(stored.id), challenge.secretSealed);
      if (secretSealed === undefined) return 0;
      await store.update(trx, stored.id, applyChange(stored, {}, { ...challenge, secretSealed }));
      return 1;
    });

  /** Reseals all secrets with the newest key. Returns the number of resealed secrets. */
  async function reseal(): Promise<number> {
    let resealed = await dependencies.credentials.reseal();
    for (const { appKey, settings } of await store.list())
      if (settings.challenge.secretSealed !== '') resealed += await resealChallenge(appKey);
    return resealed;
  }

  return {
    ...dependencies.credentials,
    reseal,
    ...dependencies.deletion,
    ceilings: dependencies.ceilings.ceilings,
    setCeilings: dependencies.ceilings.setCeilings,
    createAccount,
    setAccountStatus,
    authenticate,
    authenticateCodeRequest,
    load,
    findInAccount,
    create,
    createInternal,
    checkChange,
    update,
    accountId: (email: string): Promise<number | undefined> => store.findAccountId(email),
    find: cache.get,
    byId: cacheById.get,
    brandingOf: store.findBranding,
    list: store.list,
    /** Lists an account's applications, oldest first. `after`: the App Key of the last application of the previous page. */
    listInAccount: (accountId: number, limit = MAX_APPLICATIONS_LISTED, after?: string): Promise<Application[]> =>
      store.listInAccount(accountId, limit, after),
    isSignedBy: secrets.isSignedBy,
    codeRequestKeys: secrets.codeRequestKeys,
  };
}
