/** Creates providers from their stored settings, and reuses each until its settings change. */
import type { Base } from '../../platform/base.js';
import { MINUTE, type Clock } from '../../platform/clock.js';
import type { ChannelName } from '../../platform/contract/channels.js';
import { describeError } from '../../platform/log.js';
import { createCircuitBreaker, type CircuitBreaker } from '../../providers/circuit-breaker.js';
import type { ContextParts } from '../../providers/environment.js';
import type { Provider } from '../../providers/provider.js';
import type { ProviderSettings, Receiver } from '../../providers/provider-type.js';
import { providerType } from '../../providers/provider-types.js';
import { hiddenSecrets, type HiddenSecrets } from './hidden-secrets.js';
import type { Observe, ProviderHealth } from './provider-health.js';
import type { ProviderSecrets, StoredProvider } from './provider-account.js';
import { secretsContext, splitSecrets, withDefaults, withoutVerification } from './provider-account.js';

/** How long a replaced provider has to finish sending before its connections are closed. */
const CLOSE_AFTER_MS = 2 * MINUTE;

/** Placeholder for the message id in callback URLs that have a further path segment but no message. */
export const NO_MESSAGE = '-';

export interface LiveProvider {
  readonly id: string;
  readonly name: string;
  readonly provider: Provider;
  readonly breaker: CircuitBreaker;
  /** The secrets to hide in the provider's replies. */
  readonly secrets: HiddenSecrets;
  /** ISO 3166 codes of the countries that the vendor sends to; undefined for all. */
  readonly countries?: readonly string[] | undefined;
}

/** A stored provider that is ready to send and to receive delivery reports. */
export interface OpenProvider extends Receiver {
  readonly stored: StoredProvider;
  readonly channels: ReadonlyMap<ChannelName, LiveProvider>;
}

interface LiveProvidersOptions extends Pick<Base, 'clock' | 'keyring' | 'log'> {
  readonly parts: ContextParts;
  /** The public service URL; undefined if vendors cannot reach this service. */
  readonly callbackBase: string | undefined;
  readonly health: ProviderHealth;
}

export type LiveProviders = ReturnType<typeof createLiveProviders>;

export function createLiveProvider(
  id: string,
  name: string,
  provider: Provider,
  secrets: HiddenSecrets,
  clock: Clock,
  observe: Observe,
): LiveProvider {
  return {
    id,
    name,
    provider,
    secrets,
    breaker: createCircuitBreaker(clock, (result) => observe(provider.channel, result)),
  };
}

export function createLiveProviders({ parts, callbackBase, keyring, clock, log, health }: LiveProvidersOptions) {
  let current = new Map<string, { readonly key: string; readonly open: OpenProvider | undefined }>();
  /** Replaced providers that may still be sending, with the functions that cancel their timers. */
  const retired = new Map<OpenProvider, () => void>();

  function callbackUrl(id: string, key: string) {
    if (callbackBase === undefined) return undefined;
    return (messageId?: string, path?: string): string => {
      const parts = [callbackBase, 'callbacks/provider', id, messageId ?? (path && NO_MESSAGE), path];
      return `${parts.filter(Boolean).join('/')}?key=${key}`;
    };
  }

  /** Throws if the secrets cannot be decrypted, or the provider type no longer exists. */
  function contextOf(stored: StoredProvider, isOperators: boolean) {
    const type = providerType(stored.type);
    if (!type) throw new Error(`there is no provider type ${stored.type}`);
    const secrets = JSON.parse(keyring.open(secretsContext(stored.id), stored.secretsSealed)) as ProviderSecrets;
    const settings = withDefaults(type, { ...stored.settings, ...secrets.fields });
    const { id, name } = stored;
    const { callbackKey } = secrets;
    const context = { ...parts, id, name, publicOnly: !isOperators, callbackUrl: callbackUrl(id, callbackKey) };
    return { stored, type, settings, context, callbackKey, secretNames: Object.keys(secrets.fields) };
  }

  /** Ignores results of replaced providers: calls with old settings can still fail after the settings were corrected. */
  function observerOf(stored: StoredProvider, settings: ProviderSettings): Observe {
    const observe = health.observer({ id: stored.id, settings });
    return (channel, result) => {
      if (current.get(stored.id)?.open?.stored === stored) observe(channel, result);
    };
  }

  function open(stored: StoredProvider, isOperators: boolean): OpenProvider | undefined {
    try {
      const opened = contextOf(stored, isOperators);
      const { type, settings, context } = opened;
      const observe = observerOf(stored, settings);
      const secrets = hiddenSecrets(Object.values(splitSecrets(type, settings).secret), settings);
      const live = type.create(settings, context).map((provider): [ChannelName, LiveProvider] => [
        provider.channel,
        {
          ...createLiveProvider(stored.id, stored.name, provider, secrets, clock, observe),
          countries: type.capabilities.countries,
        },
      ]);
      return { ...opened, channels: new Map(live) };
    } catch (error) {
      log.error(
        { provider: stored.id, err: describeError(error) },
        'a provider cannot be used; remove it and add it again',
      );
      return undefined;
    }
  }

  function close(opened: OpenProvider): void {
    retired.get(opened)?.();
    retired.delete(opened);
    for (const { provider } of opened.channels.values()) provider.close?.();
  }

  function retire(opened: OpenProvider): void {
    retired.set(
      opened,
      clock.after(CLOSE_AFTER_MS, () => close(opened)),
    );
  }

  return {
    contextOf,

    /** Opens the stored providers. Unchanged providers keep their connections and circuit breakers. */
    update(stored: readonly StoredProvider[], isOperators: (accountId: number) => boolean): void {
      const next: typeof current = new Map();
      for (const provider of stored) {
        const key = JSON.stringify(withoutVerification(provider));
        const known = current.get(provider.id);
        next.set(
          provider.id,
          known?.key === key ? known : { key, open: open(provider, isOperators(provider.accountId)) },
        );
      }
      for (const [id, { open: opened }] of current) if (opened && next.get(id)?.open !== opened) retire(opened);
      current = next;
    },

    get: (id: string): OpenProvider | undefined => current.get(id)?.open,

    closeAll(): void {
      for (const { open: opened } of current.values()) if (opened) close(opened);
      for (const opened of [...retired.keys()]) close(opened);
    },
  };
}
