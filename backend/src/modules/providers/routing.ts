/**
 * Chooses the providers for a message. Providers, routes and prices are cached in memory, and reloaded when their
 * version changes, so that choosing needs no query.
 */
import type { Base } from '../../platform/base.js';
import type { ChannelPrices } from '../../platform/config/prices-file.js';
import { CHANNELS, type ChannelName } from '../../platform/contract/channels.js';
import type { EnvironmentProvider } from '../../providers/environment.js';
import type { Provider } from '../../providers/provider.js';
import { DEV_INBOX_ID } from '../../providers/provider-id.js';
import type { Receiver } from '../../providers/provider-type.js';
import { possibleChannels, type StoredProvider } from './provider-account.js';
import { hiddenSecrets } from './hidden-secrets.js';
import { createLiveProvider, type LiveProvider, type LiveProviders } from './live-providers.js';
import type { LivePrices } from './live-prices.js';
import type { ProviderHealth } from './provider-health.js';
import type { ProvidersStore } from './providers-store.js';
import { automaticOrder, firstShares } from './automatic-order.js';
import type { Outcomes, ProviderScore } from './provider-score.js';
import type { ProviderScores } from './provider-scores.js';
import type { SenderCountries } from './sender-countries.js';
import { ANY_COUNTRY, orderFor, type Route, type RouteEntry, type RouteMode } from './route.js';

/** How often a process checks whether providers, routes or prices have changed. */
export const ROUTING_POLL_MS = 1000;
/** Bus topic for changes to providers, routes and prices. */
export const ROUTING_TOPIC = 'routing';

/** How often a process writes the outcomes of its messages, and reads the scores of all processes. */
export const SCORES_SYNC_MS = 2000;

interface Step extends Pick<RouteEntry, 'weight' | 'price'> {
  readonly live: LiveProvider;
}

interface Steps {
  readonly mode: RouteMode;
  readonly steps: readonly Step[];
}

/** A channel's routes by country. `implicit` is used for countries without a route. */
interface ChannelRoutes {
  readonly implicit: readonly Step[];
  readonly byCountry: ReadonlyMap<string, Steps>;
}

type Scope = ReadonlyMap<ChannelName, ChannelRoutes>;

export type RoutingScope = { readonly accountId: number } | { readonly applicationId: number };

/** The account's provider that could send the message after a check or a test message. */
export interface NotVerified {
  readonly notVerified: string;
}

export interface RoutedMessage {
  readonly id: string;
  readonly applicationId: number;
  readonly channel: ChannelName;
}

interface RoutingOptions extends Pick<Base, 'bus' | 'clock'> {
  readonly store: Pick<ProvidersStore, 'version' | 'readAll'>;
  readonly environment: readonly EnvironmentProvider[];
  readonly live: LiveProviders;
  readonly prices: LivePrices;
  readonly senders: SenderCountries;
  readonly devInbox: { provider(channel: ChannelName): Provider } | undefined;
  /** The id of the operator's account; undefined if it does not exist yet. */
  readonly operatorAccount: () => Promise<number | undefined>;
  readonly health: Pick<ProviderHealth, 'observer' | 'settled'>;
  readonly scores: ProviderScores;
}

/** The outcome of one send, such as an entered code or a delivery report. */
export interface SendOutcome {
  readonly applicationId: number;
  readonly channel: ChannelName;
  readonly country: string;
  readonly provider: string;
  readonly outcomes: Partial<Outcomes>;
}

/** A provider of an automatic route, and for which share of messages it comes first. */
export interface EntryScore {
  readonly share: number;
  readonly score: ProviderScore;
}

export type Routing = ReturnType<typeof createRouting>;

const NO_SECRETS = hiddenSecrets([], {});

type Stored = Awaited<ReturnType<ProvidersStore['readAll']>>;

export function createRouting(options: RoutingOptions) {
  const { store, environment, live, prices, senders, devInbox, operatorAccount, bus, clock, health, scores } = options;
  const environmentSteps = environment.flatMap(({ id, name, providers, credentials, secrets }) => {
    const observe = health.observer({ id, settings: credentials });
    const hidden = hiddenSecrets(secrets, credentials);
    return providers.map((provider): Step => ({
      live: createLiveProvider(id, name, provider, hidden, clock, observe),
    }));
  });
  const inboxes = new Map(
    devInbox
      ? CHANNELS.map((channel) => [
          channel,
          createLiveProvider(DEV_INBOX_ID, 'dev inbox', devInbox.provider(channel), NO_SECRETS, clock, () => undefined),
        ])
      : [],
  );
  /**
   * The operator's first provider on each channel, or the dev inbox, for decisions that do not concern a particular
   * message.
   */
  const operatorProviders = new Map<ChannelName, Provider>();
  let version: number | undefined;
  let operatorId: number | undefined;
  let hasAutomatic = false;
  let operators: Scope = new Map();
  let tenants: ReadonlyMap<number, Scope> = new Map();
  let unverified: readonly StoredProvider[] = [];
  let accountOf: ReadonlyMap<number, number> = new Map();
  let newestApplication = 0;
  let reading: Promise<void> | undefined;
  let closed = false;

  async function read(): Promise<void> {
    const stored = await store.readAll();
    operatorId = await operatorAccount();
    hasAutomatic = stored.routes.some(({ mode }) => mode === 'automatic');
    if (hasAutomatic) await scores.read();
    live.update(stored.providers, (accountId) => accountId === operatorId);
    prices.update(stored.prices, stored.currency, operatorId);
    senders.update(stored.providers, stored.allowedAccounts, operatorId);
    operators = scopeOf(live, operatorId, stored, environmentSteps);
    tenants = new Map([...stored.allowedAccounts].map((id) => [id, tenantScope(live, id, stored)]));
    unverified = stored.providers.filter(
      ({ accountId, enabled, verifiedAt }) =>
        enabled && verifiedAt === null && (accountId === operatorId || stored.allowedAccounts.has(accountId)),
    );
    ({ version, accountOf, newestApplication } = stored);
    operatorProviders.clear();
    for (const channel of CHANNELS) {
      const routes = operators.get(channel);
      const step = routes && (routes.byCountry.get(ANY_COUNTRY)?.steps ?? routes.implicit)[0];
      const provider = step?.live.provider ?? inboxes.get(channel)?.provider;
      if (provider) operatorProviders.set(channel, provider);
    }
  }

  /** Reloads everything. Calls during a reload share a single further reload. */
  async function reload(): Promise<void> {
    await reading?.catch(() => undefined);
    if (closed) return;
    reading ??= read().finally(() => (reading = undefined));
    await reading;
  }

  async function poll(): Promise<void> {
    if ((await store.version()) !== version) await reload();
  }
  bus.subscribe(ROUTING_TOPIC, () => void reload().catch(() => undefined));

  /**
   * Returns the account's id if it has its own providers on the channel; undefined if it uses the operator's providers.
   */
  function ownAccount(scope: RoutingScope, channel: ChannelName): number | undefined {
    const accountId = 'accountId' in scope ? scope.accountId : accountOf.get(scope.applicationId);
    return accountId !== undefined && tenants.get(accountId)?.has(channel) ? accountId : undefined;
  }

  function routesOf(scope: RoutingScope, channel: ChannelName): ChannelRoutes | undefined {
    const own = ownAccount(scope, channel);
    // An account's own providers never fall back to the operator's providers, which would send the account's messages
    // through another vendor than it chose, at the operator's cost.
    return (own === undefined ? operators : tenants.get(own))?.get(channel);
  }

  /** `country` is called only if a route or a provider depends on it. */
  function stepsFor(scope: RoutingScope, channel: ChannelName, country: () => string): Steps {
    const routes = routesOf(scope, channel);
    const inbox = inboxes.get(channel);
    if (!routes) return { mode: 'ordered', steps: inbox ? [{ live: inbox }] : [] };
    const { byCountry, implicit } = routes;
    const isSpecific = byCountry.size > (byCountry.has(ANY_COUNTRY) ? 1 : 0);
    const stored = (isSpecific ? byCountry.get(country()) : undefined) ?? byCountry.get(ANY_COUNTRY);
    const { mode, steps } = stored ?? { mode: 'ordered', steps: implicit };
    if (steps.every(({ live: { countries } }) => countries === undefined)) return { mode, steps };
    return { mode, steps: steps.filter(({ live: { countries } }) => countries?.includes(country()) ?? true) };
  }

  /** Returns the account whose providers send the messages. */
  const senderOf = (scope: RoutingScope, channel: ChannelName): number | undefined =>
    ownAccount(scope, channel) ?? operatorId;

  function orderedSteps(message: RoutedMessage, country: () => string): readonly Step[] {
    const { mode, steps } = stepsFor(message, message.channel, country);
    const accountId = senderOf(message, message.channel);
    if (mode === 'ordered' || steps.length < 2 || accountId === undefined) return orderFor(steps, message.id);
    const group = { accountId, channel: message.channel, country: country() };
    const candidates = steps.map((step) => ({ ...step, score: scores.scoreIn(group, step.live.id) }));
    return automaticOrder(candidates, message.id);
  }

  /** Writes the outcomes of this process, and reads the scores if a route needs them. */
  async function syncScores(): Promise<void> {
    await scores.write();
    if (hasAutomatic) await scores.read();
  }

  /** Returns an account's provider that would send on the channel if it was verified. */
  function notVerified(accountId: number, channel: ChannelName): NotVerified | undefined {
    const found = unverified.find(
      (stored) => stored.accountId === accountId && live.get(stored.id)?.channels.has(channel),
    );
    return found && { notVerified: found.name };
  }

  return {
    operatorProviders: operatorProviders as ReadonlyMap<ChannelName, Provider>,
    version: () => version,
    load: reload,
    poll,

    /** Returns the providers for a message, in the order in which they are tried. */
    route: (message: RoutedMessage, country: () => string): readonly LiveProvider[] =>
      orderedSteps(message, country).map((step) => step.live),

    recordOutcome({ applicationId, channel, country, provider, outcomes }: SendOutcome): void {
      const accountId = senderOf({ applicationId }, channel);
      if (accountId !== undefined) scores.record({ accountId, channel, country }, provider, outcomes);
    },

    syncScores,

    /** Returns how well the providers of an automatic route deliver, in the order of its entries. */
    entryScores({ accountId, channel, country, entries }: Omit<Route, 'mode'>): readonly EntryScore[] {
      const found = entries.map(({ provider, price }) => ({
        price,
        score:
          country === ANY_COUNTRY && channel !== 'EMAIL'
            ? scores.totalOf({ accountId, channel }, provider)
            : scores.scoreIn({ accountId, channel, country: channel === 'EMAIL' ? '' : country }, provider),
      }));
      const shares = firstShares(found);
      return found.map(({ score }, n) => ({ score, share: shares[n]! }));
    },

    hasOneProvider: (scope: RoutingScope, channel: ChannelName): boolean =>
      routesOf(scope, channel)?.implicit.length === 1,

    /**
     * Returns a provider for an account's new messages; undefined if the channel has no provider for the country; if the
     * account has its own providers on the channel, but none that is verified, the name of the one to verify, or
     * `unusable` if all of them are off or cannot be opened.
     */
    providerFor(
      accountId: number,
      channel: ChannelName,
      country: string,
    ): Provider | NotVerified | 'unusable' | undefined {
      if (tenants.get(accountId)?.get(channel)?.implicit.length === 0)
        return notVerified(accountId, channel) ?? 'unusable';
      return stepsFor({ accountId }, channel, () => country).steps[0]?.live.provider ?? notVerified(accountId, channel);
    },

    /** Reloads the routes if an application is new, because its account may have its own providers. */
    async reloadForNew(applicationIds: readonly number[]): Promise<void> {
      if (tenants.size > 0 && applicationIds.some((id) => id > newestApplication)) await reload();
    },

    /** Whether a vendor may charge for the account's messages on the channel. */
    isPaid: (scope: RoutingScope, channel: ChannelName): boolean =>
      channel !== 'EMAIL' && routesOf(scope, channel) !== undefined,

    /**
     * Returns the account's own prices if it has its own providers on the channel, and the operator's prices otherwise.
     */
    pricesFor: (scope: RoutingScope, channel: ChannelName): ChannelPrices | undefined =>
      prices.of(ownAccount(scope, channel), channel),

    /** Whether the account's messages only reach the dev inbox, which is free. */
    isFree: (scope: RoutingScope, channel: ChannelName): boolean =>
      ownAccount(scope, channel) === undefined && operatorProviders.get(channel)?.standIn === true,

    currency: prices.currency,

    senderCountries: senders.of,

    receiver: (id: string): Receiver | undefined =>
      environment.find((provider) => provider.id === id)?.receiver ?? live.get(id),

    /** Waits for a reload and writes in progress, and closes all connections. */
    async close(): Promise<void> {
      closed = true;
      await reading?.catch(() => undefined);
      for (const {
        live: { provider },
      } of environmentSteps)
        provider.close?.();
      live.closeAll();
      await health.settled();
    },
  };
}

/**
 * Returns an account's routes, which contain verified providers only. `first`: providers that come first in each route
 * that does not name them.
 */
function scopeOf(
  live: Pick<LiveProviders, 'get'>,
  accountId: number | undefined,
  { providers, routes }: Stored,
  first: readonly Step[],
): Scope {
  const own = providers.filter(
    (provider) => provider.accountId === accountId && provider.enabled && provider.verifiedAt !== null,
  );
  const scope = new Map<ChannelName, ChannelRoutes>();
  for (const channel of CHANNELS) {
    const fixed = first.filter(({ live: { provider } }) => provider.channel === channel);
    const steps = [...fixed, ...own.flatMap(({ id }) => stepsOf(live.get(id)?.channels.get(channel)))];
    if (steps.length === 0) continue;
    const byCountry = routes
      .filter((route) => route.accountId === accountId && route.channel === channel)
      .map(({ country, mode, entries }) => [country, { mode, steps: routeSteps(entries, steps, fixed) }] as const)
      .filter(([, route]) => route.steps.length > 0);
    scope.set(channel, { implicit: steps, byCountry: new Map(byCountry) });
  }
  return scope;
}

/**
 * Returns the routes of an account that is not the operator's. A channel whose providers are all off or cannot be opened
 * has an empty route.
 */
function tenantScope(live: Pick<LiveProviders, 'get'>, accountId: number, stored: Stored): Scope {
  const own = stored.providers.filter((provider) => provider.accountId === accountId);
  const claimed = own.flatMap(({ id, type }) => [...(live.get(id)?.channels.keys() ?? possibleChannels(type))]);
  const empty = claimed.map((channel) => [channel, { implicit: [], byCountry: new Map() }] as const);
  return new Map([...empty, ...scopeOf(live, accountId, stored, [])]);
}

const stepsOf = (found: LiveProvider | undefined): Step[] => (found ? [{ live: found }] : []);

/** Returns a route's enabled providers. Providers in `fixed` that the route does not name come first. */
function routeSteps(entries: readonly RouteEntry[], steps: readonly Step[], fixed: readonly Step[]): readonly Step[] {
  const named = entries.flatMap(({ provider, weight, price }): Step[] => {
    const step = steps.find(({ live: { id } }) => id === provider);
    if (!step) return [];
    return [
      { live: step.live, ...(weight === undefined ? {} : { weight }), ...(price === undefined ? {} : { price }) },
    ];
  });
  const unnamed = fixed.filter(({ live: { id } }) => !entries.some(({ provider }) => provider === id));
  // An unnamed provider is always tried first, so weights have no effect.
  return unnamed.length > 0 ? [...unnamed, ...named.map((step) => ({ live: step.live }))] : named;
}
