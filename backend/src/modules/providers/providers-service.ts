/** Adds, changes, checks and removes providers. */
import type { Knex } from 'knex';
import { random, type Keyring } from '../../platform/crypto.js';
import type { EnvironmentProvider } from '../../providers/environment.js';
import type { ProviderSettings, ProviderType } from '../../providers/provider-type.js';
import { PROVIDER_TYPES, providerType } from '../../providers/provider-types.js';
import { EditConflictError, OPERATOR, requireOperator, requireRight, type Actor } from '../access/actor.js';
import { changesBetween } from '../audit/audit.js';
import type { Shared } from '../audit/audit-service.js';
import type { ChangeRouting } from './change-routing.js';
import type { LiveProviders } from './live-providers.js';
import {
  assertName,
  assertSettings,
  auditableSettings,
  differInCredentials,
  mergeSettings,
  ProviderSettingsError,
  secretsContext,
  splitSecrets,
  type ProviderSecrets,
  type StoredProvider,
} from './provider-account.js';
import type { LoadedProvider, RunCheck, TestedCredentials } from './provider-checks.js';
import { checkCredentials, createProviderChecks } from './provider-checks.js';
import type { ProviderHealth } from './provider-health.js';
import { createProviderPermissions } from './provider-permissions.js';
import type { ProviderView } from './provider-view.js';
import { environmentViews, settingChanges, versionOf, viewOf, withoutSettings } from './provider-view.js';
import { PROVIDER_STATES } from './provider-state.js';
import type { ProvidersStore } from './providers-store.js';

const MAX_PROVIDERS_PER_ACCOUNT = 50;

const NAME_TAKEN = { name: 'is already in use' };

export interface NewProvider {
  readonly type: string;
  readonly name: string;
  readonly settings: ProviderSettings;
  /** By default, the provider gets a random ID, and sends messages. */
  readonly id?: string;
  readonly enabled?: boolean | undefined;
}

export interface ProviderChange {
  readonly name?: string | undefined;
  /** New values by field name. An empty value removes the field; other fields are unchanged. */
  readonly settings?: ProviderSettings;
  readonly enabled?: boolean | undefined;
  /** The version that the change is based on. Throws an {@link EditConflictError} if the stored version differs. */
  readonly version?: string | undefined;
}

interface Dependencies extends Pick<Shared, 'audit' | 'clock' | 'inTransaction' | 'keyring'> {
  readonly store: ProvidersStore;
  readonly changeRouting: ChangeRouting;
  readonly environment: readonly EnvironmentProvider[];
  readonly live: LiveProviders;
  readonly health: ProviderHealth;
  /** The id of the operator's account; undefined if it does not exist yet. */
  readonly operatorAccount: () => Promise<number | undefined>;
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
      'SECRET_KEY no longer contains the key that encrypted these credentials: append that key, or remove the provider',
    );
  return JSON.parse(keyring.open(secretsContext(id), secretsSealed)) as ProviderSecrets;
}

export function createProvidersService(dependencies: Dependencies) {
  const { store, changeRouting, environment, live, health, operatorAccount, audit, keyring, clock } = dependencies;
  const isOperatorAccount = async (id: number): Promise<boolean> => id === (await operatorAccount());
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
      throw new ProviderSettingsError(
        "this provider is configured in the server's environment; change its environment variables",
      );
    const found = (await store.list(accountId, trx)).find((provider) => provider.id === id);
    if (!found) throw new ProviderSettingsError(`there is no provider ${id}`);
    return found;
  }

  async function assertFreeName(trx: Knex | undefined, accountId: number, name: string, id?: string): Promise<void> {
    assertName(name);
    const others = (await store.list(accountId, trx)).filter((provider) => provider.id !== id);
    if (others.length >= MAX_PROVIDERS_PER_ACCOUNT)
      throw new ProviderSettingsError(`an account can have at most ${MAX_PROVIDERS_PER_ACCOUNT} providers`);
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
    const stored = await store.list(accountId);
    const readHealth = await health.read([...environment, ...stored].map(({ id }) => id));
    const views = stored.map((provider) => viewOf(live, provider, isOperators, readHealth));
    const all = [...(isOperators ? environmentViews(environment, readHealth) : []), ...views];
    return actor.may('own') ? all : all.map(withoutSettings);
  }

  const storedView = async (stored: StoredProvider, isOperators: boolean): Promise<ProviderView> =>
    viewOf(live, stored, isOperators, await health.read([stored.id]));

  /** Returns the result of a check, and the time if it shows that the provider works. */
  async function verification(stored: StoredProvider, isOperators: boolean, runCheck: RunCheck) {
    const provider = live.contextOf(stored, isOperators);
    const checked = await runCheck(provider);
    return { provider, checked, verifiedAt: checked !== 'unsupported' && checked.ok ? clock.now() : null };
  }

  async function recordCheck({ stored, settings }: LoadedProvider, checked: TestedCredentials): Promise<void> {
    if (checked !== 'unsupported') await health.recordCheck({ id: stored.id, settings }, checked);
  }

  /** Returns the type and the settings of a new provider. Throws a {@link ProviderSettingsError} if they are invalid. */
  async function validate(accountId: number, request: NewProvider) {
    const isOperators = await assertAllowed(accountId);
    const type = findType(request.type);
    const settings = mergeSettings({}, request.settings);
    assertSettings(type, settings, isOperators);
    await assertFreeName(undefined, accountId, request.name);
    return { type, settings, isOperators };
  }

  /**
   * Adds a provider, and checks its credentials if its type can. Without a successful check, it sends no messages until
   * a test message has succeeded. Until a route is set, it is tried after the account's other providers of the same
   * channels.
   */
  async function add(
    actor: Actor,
    accountId: number,
    request: NewProvider,
    runCheck: RunCheck = checkCredentials,
  ): Promise<ProviderView> {
    requireRight(actor, 'own');
    const { type, settings, isOperators } = await validate(accountId, request);
    const { plain, secret } = splitSecrets(type, settings);
    const { id = `PRV-${random.hex(16)}`, enabled = true } = request;
    const unverified: StoredProvider = {
      id,
      accountId,
      type: type.name,
      name: request.name,
      settings: plain,
      enabled,
      verifiedAt: null,
      createdAt: clock.now(),
      secretsSealed: sealSecrets(id, { fields: secret, callbackKey: random.hex(16) }),
    };
    const { provider, checked, verifiedAt } = await verification(unverified, isOperators, runCheck);
    const stored = { ...unverified, verifiedAt };
    await changeRouting(async (trx) => {
      await assertFreeName(trx, accountId, request.name);
      await store.insert(trx, stored);
      const changes = changesBetween({}, { type: type.name, ...auditableSettings(type, plain) });
      await audit.record(trx, actor, { accountId, action: 'provider.add', subject: request.name, changes });
    });
    await recordCheck(provider, checked);
    return storedView(await find(accountId, id), isOperators);
  }

  /** Returns the provider as it would be stored, and the settings before and after the change. */
  function changed(before: StoredProvider, request: ProviderChange, isOperators: boolean) {
    const type = findType(before.type);
    const secrets = openSecrets(keyring, before);
    const old = { ...before.settings, ...secrets.fields };
    const settings = mergeSettings(old, request.settings ?? {});
    assertSettings(type, settings, isOperators);
    const { name = before.name, enabled = before.enabled } = request;
    const { plain, secret } = splitSecrets(type, settings);
    const secretsSealed = sealSecrets(before.id, { ...secrets, fields: secret });
    return { type, old, settings, after: { ...before, name, enabled, settings: plain, secretsSealed } };
  }

  /**
   * Returns the provider as it would be stored. Throws an {@link EditConflictError} if the version differs, and a
   * {@link ProviderSettingsError} if the change is invalid.
   */
  async function validateChange(accountId: number, id: string, request: ProviderChange) {
    const isOperators = await assertAllowed(accountId);
    const before = await find(accountId, id);
    const version = request.version ?? versionOf(before);
    if (version !== versionOf(before)) throw new EditConflictError();
    const result = changed(before, request, isOperators);
    await assertFreeName(undefined, accountId, result.after.name, id);
    return { isOperators, before, version, ...result };
  }

  /**
   * Changes a provider. New credentials are checked before they are stored, so that a provider that works keeps sending
   * during the check.
   */
  async function change(
    actor: Actor,
    accountId: number,
    id: string,
    request: ProviderChange,
    runCheck: RunCheck = checkCredentials,
  ): Promise<ProviderView> {
    requireRight(actor, 'own');
    const validated = await validateChange(accountId, id, request);
    const { isOperators, before, version, type, old, settings, after } = validated;
    const changes = [
      ...changesBetween({ name: before.name, enabled: before.enabled }, { name: after.name, enabled: after.enabled }),
      ...settingChanges(type, old, settings),
    ];
    // Sealing the same secrets again would change the version.
    if (changes.length === 0) return storedView(before, isOperators);
    const mustCheck = differInCredentials(type, old, settings);
    const check = mustCheck ? await verification(after, isOperators, runCheck) : undefined;
    const stored = await changeRouting(async (trx) => {
      const current = await find(accountId, id, trx);
      if (versionOf(current) !== version)
        throw new EditConflictError('the provider was changed by someone else; nothing was saved');
      const { name } = after;
      await assertFreeName(trx, accountId, name, id);
      // A provider without a credentials check stays in its routes, where its first message shows whether it works.
      const isChecked = check !== undefined && check.checked !== 'unsupported';
      const changedProvider = { ...after, verifiedAt: isChecked ? check.verifiedAt : current.verifiedAt };
      await store.update(trx, changedProvider);
      await audit.record(trx, actor, { accountId, action: 'provider.change', subject: name, changes });
      return changedProvider;
    });
    if (check) await recordCheck(check.provider, check.checked);
    return storedView(stored, isOperators);
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
  const checks = createProviderChecks(load, dependencies.inTransaction, audit, health, clock);

  async function operatorsStates() {
    const accountId = await operatorAccount();
    const all = accountId === undefined ? [] : await list(OPERATOR, accountId);
    return all.flatMap(({ name, state: { kind } }) =>
      PROVIDER_STATES.map((state) => ({ provider: name, state, isCurrent: state === kind })),
    );
  }

  /** Checks a provider's credentials with the vendor, without sending a message. */
  async function check(actor: Actor, accountId: number, id: string): Promise<TestedCredentials> {
    const fixed = environment.find((provider) => provider.id === id);
    if (!fixed) return checks.check(actor, accountId, id);
    requireOperator(actor);
    const checked = await fixed.check();
    await health.recordCheck({ id, settings: fixed.credentials }, checked);
    return checked;
  }

  return {
    types: PROVIDER_TYPES,
    typesFor,
    list,
    validate,
    validateChange,
    add,
    change,
    remove,
    allow,
    isAllowed,
    assertAllowed,
    check,
    isOperatorAccount,
    operatorsStates,
    sendTest: checks.sendTest,
    dryRun: checks.dryRun,
    reseal: () => store.reseal(keyring),
  };
}
