/** Adds, changes, checks and removes providers. */
import type { Knex } from 'knex';
import type { Clock } from '../../platform/clock.js';
import { random, type Keyring } from '../../platform/crypto.js';
import type { InTransaction } from '../../platform/db/transaction.js';
import type { EnvironmentProvider } from '../../providers/environment.js';
import type { ProviderSettings, ProviderType } from '../../providers/provider-type.js';
import { PROVIDER_TYPES, providerType } from '../../providers/provider-types.js';
import { EditConflictError, requireRight, type Actor } from '../access/actor.js';
import { changesBetween } from '../audit/audit.js';
import type { AuditService } from '../audit/audit-service.js';
import type { ChangeRouting } from './change-routing.js';
import type { LiveProviders } from './live-providers.js';
import {
  assertName,
  assertSettings,
  auditableSettings,
  mergeSettings,
  ProviderSettingsError,
  secretsContext,
  splitSecrets,
  type ProviderSecrets,
  type StoredProvider,
} from './provider-account.js';
import { createProviderChecks } from './provider-checks.js';
import { createProviderPermissions } from './provider-permissions.js';
import {
  environmentViews,
  settingChanges,
  versionOf,
  viewOf,
  withoutSettings,
  type ProviderView,
} from './provider-view.js';
import type { ProvidersStore } from './providers-store.js';

const MAX_PROVIDERS_PER_ACCOUNT = 50;

const NAME_TAKEN = { name: 'is already in use' };

export interface NewProvider {
  readonly type: string;
  readonly name: string;
  readonly settings: ProviderSettings;
}

export interface ProviderChange {
  readonly name?: string | undefined;
  /** New values by field name. An empty value removes the field; other fields are unchanged. */
  readonly settings?: ProviderSettings;
  readonly enabled?: boolean | undefined;
  /** The version that the change is based on. Throws an {@link EditConflictError} if the stored version differs. */
  readonly version?: string | undefined;
}

interface Dependencies {
  readonly store: ProvidersStore;
  readonly changeRouting: ChangeRouting;
  readonly inTransaction: InTransaction;
  readonly environment: readonly EnvironmentProvider[];
  readonly live: LiveProviders;
  readonly isOperatorAccount: (accountId: number) => Promise<boolean>;
  readonly audit: AuditService;
  readonly keyring: Keyring;
  readonly clock: Clock;
}

export type ProvidersService = ReturnType<typeof createProvidersService>;

function findType(name: string): ProviderType {
  const type = providerType(name);
  if (!type) throw new ProviderSettingsError(`there is no provider type ${name}`);
  return type;
}

function openSecrets(keyring: Keyring, { id, secretsSealed }: StoredProvider): ProviderSecrets {
  if (!keyring.canOpen(secretsSealed))
    throw new ProviderSettingsError(
      'SECRET_KEY no longer contains the key that encrypted these credentials: remove the provider',
    );
  return JSON.parse(keyring.open(secretsContext(id), secretsSealed)) as ProviderSecrets;
}

export function createProvidersService(dependencies: Dependencies) {
  const { store, changeRouting, environment, live, isOperatorAccount, audit, keyring, clock } = dependencies;
  const { assertAllowed, allow, isAllowed, typesFor } = createProviderPermissions(
    store,
    changeRouting,
    isOperatorAccount,
    audit,
  );

  const sealSecrets = (id: string, secrets: ProviderSecrets): string =>
    keyring.seal(secretsContext(id), JSON.stringify(secrets));

  async function find(accountId: number, id: string, trx?: Knex): Promise<StoredProvider> {
    if (environment.some((provider) => provider.id === id))
      throw new ProviderSettingsError("this provider is configured in the server's environment; change it there");
    const found = (await store.list(accountId, trx)).find((provider) => provider.id === id);
    if (!found) throw new ProviderSettingsError(`there is no provider ${id}`);
    return found;
  }

  async function assertFreeName(trx: Knex, accountId: number, name: string, id?: string): Promise<void> {
    assertName(name);
    const others = (await store.list(accountId, trx)).filter((provider) => provider.id !== id);
    if (others.length >= MAX_PROVIDERS_PER_ACCOUNT)
      throw new ProviderSettingsError(`an account has at most ${MAX_PROVIDERS_PER_ACCOUNT} providers`);
    if (others.some((provider) => provider.name === name))
      throw new ProviderSettingsError(`there is already a provider with the name ${name}`, NAME_TAKEN);
  }

  /**
   * Lists an account's providers. The operator's account includes those configured by environment variables. Only
   * owners see settings.
   */
  async function list(actor: Actor, accountId: number): Promise<ProviderView[]> {
    requireRight(actor, 'read');
    const isOperators = await isOperatorAccount(accountId);
    const stored = (await store.list(accountId)).map((provider) => viewOf(live, provider, isOperators));
    const all = [...(isOperators ? environmentViews(environment) : []), ...stored];
    return actor.may('own') ? all : all.map(withoutSettings);
  }

  /** Adds a provider. Until a route is set, it is tried after the account's other providers of the same channels. */
  async function add(actor: Actor, accountId: number, request: NewProvider): Promise<ProviderView> {
    requireRight(actor, 'own');
    const isOperators = await assertAllowed(accountId);
    const type = findType(request.type);
    const settings = mergeSettings({}, request.settings);
    assertSettings(type, settings, isOperators);
    const { plain, secret } = splitSecrets(type, settings);
    const id = `PRV-${random.hex(16)}`;
    const stored: StoredProvider = {
      id,
      accountId,
      type: type.name,
      name: request.name,
      settings: plain,
      enabled: true,
      createdAt: clock.now(),
      secretsSealed: sealSecrets(id, { fields: secret, callbackKey: random.hex(16) }),
    };
    await changeRouting(async (trx) => {
      await assertFreeName(trx, accountId, request.name);
      await store.insert(trx, stored);
      const changes = changesBetween({}, { type: type.name, ...auditableSettings(type, plain) });
      await audit.record(trx, actor, { accountId, action: 'provider.add', subject: request.name, changes });
    });
    return viewOf(live, stored, isOperators);
  }

  async function change(actor: Actor, accountId: number, id: string, request: ProviderChange): Promise<ProviderView> {
    requireRight(actor, 'own');
    const isOperators = await assertAllowed(accountId);
    return changeRouting(async (trx) => {
      const before = await find(accountId, id, trx);
      if (request.version !== undefined && request.version !== versionOf(before)) throw new EditConflictError();
      const type = findType(before.type);
      const secrets = openSecrets(keyring, before);
      const old = { ...before.settings, ...secrets.fields };
      const settings = mergeSettings(old, request.settings ?? {});
      assertSettings(type, settings, isOperators);
      const { name = before.name, enabled = before.enabled } = request;
      await assertFreeName(trx, accountId, name, id);
      const { plain, secret } = splitSecrets(type, settings);
      const secretsSealed = sealSecrets(id, { ...secrets, fields: secret });
      const after: StoredProvider = { ...before, name, enabled, settings: plain, secretsSealed };
      await store.update(trx, after);
      const changes = [
        ...changesBetween({ name: before.name, enabled: before.enabled }, { name, enabled }),
        ...settingChanges(type, old, settings),
      ];
      if (changes.length > 0)
        await audit.record(trx, actor, { accountId, action: 'provider.change', subject: name, changes });
      return viewOf(live, after, isOperators);
    });
  }

  /** Removes a provider, and its entries in the account's routes. */
  async function remove(actor: Actor, accountId: number, id: string): Promise<void> {
    requireRight(actor, 'own');
    await changeRouting(async (trx) => {
      const { name } = await find(accountId, id, trx);
      for (const route of await store.routes(accountId, trx)) {
        const entries = route.entries.filter(({ provider }) => provider !== id);
        if (entries.length === route.entries.length) continue;
        await store.removeRoute(trx, route);
        if (entries.length > 0) await store.insertRoute(trx, { ...route, entries });
      }
      await store.remove(trx, id);
      await audit.record(trx, actor, { accountId, action: 'provider.remove', subject: name });
    });
  }

  async function load(accountId: number, id: string) {
    const isOperators = await assertAllowed(accountId);
    return live.contextOf(await find(accountId, id), isOperators);
  }
  const checks = createProviderChecks(load, dependencies.inTransaction, audit);

  return {
    types: PROVIDER_TYPES,
    typesFor,
    list,
    add,
    change,
    remove,
    allow,
    isAllowed,
    assertAllowed,
    ...checks,
    reseal: () => store.reseal(keyring),
  };
}
