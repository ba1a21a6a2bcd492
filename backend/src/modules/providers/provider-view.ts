/** Views of providers and of changes to their settings, without secrets. */
import type { ChannelName } from '../../platform/contract/channels.js';
import { versionOf as hashOf } from '../../platform/crypto.js';
import type { EnvironmentProvider } from '../../providers/environment.js';
import type { ProviderSettings, ProviderType } from '../../providers/provider-type.js';
import { changesBetween, type Change } from '../audit/audit.js';
import type { LiveProviders } from './live-providers.js';
import { auditableSettings, withoutVerification, type StoredProvider } from './provider-account.js';
import type { ReadHealth } from './provider-health.js';
import { overallState, type ProviderState, type ProviderStates } from './provider-state.js';

export interface ProviderView extends Pick<StoredProvider, 'id' | 'type' | 'name' | 'enabled' | 'settings'> {
  /** Whether routes may contain the provider. */
  readonly verified: boolean;
  readonly state: ProviderState;
  readonly states: ProviderStates;
  /** Whether environment variables configure the provider. */
  readonly readOnly: boolean;
  readonly channels: readonly ChannelName[];
  /** Names of the secret fields that have a value. */
  readonly secrets: readonly string[];
  /** Undefined for providers configured by environment variables. */
  readonly createdAt: number | undefined;
  /** Hash of the stored provider, to detect edit conflicts. */
  readonly version: string;
  /**
   * The URL for delivery reports, which contains a secret. Undefined if the provider sends no reports, or cannot reach
   * this service.
   */
  readonly callbackUrl?: string | undefined;
  /** The URL for messages from recipients, which contains a secret. */
  readonly inboundUrl?: string | undefined;
}

/** Returns a hash of the stored provider, including its sealed secrets. A test message does not change it. */
export const versionOf = (stored: StoredProvider): string => hashOf(withoutVerification(stored));

/** Removes the settings, which only owners may see: a URL may contain a key. */
export const withoutSettings = ({
  callbackUrl: _callbackUrl,
  inboundUrl: _inboundUrl,
  ...view
}: ProviderView): ProviderView => ({
  ...view,
  settings: {},
  secrets: [],
});

const OFF: Pick<ProviderView, 'state' | 'states'> = { state: { kind: 'off' }, states: {} };

export function viewOf(
  live: LiveProviders,
  stored: StoredProvider,
  isOperators: boolean,
  readHealth: ReadHealth,
): ProviderView {
  const { id, type, name, enabled, settings, createdAt } = stored;
  const verified = stored.verifiedAt !== null;
  const shown = { id, type, name, enabled, verified, readOnly: false, settings, createdAt, version: versionOf(stored) };
  try {
    const opened = live.contextOf(stored, isOperators);
    const providers = opened.type.create(opened.settings, opened.context);
    for (const provider of providers) provider.close?.();
    const callbackUrl = opened.type.capabilities.deliveryReports ? opened.context.callbackUrl?.() : undefined;
    const inboundUrl = opened.type.capabilities.inbound
      ? opened.context.callbackUrl?.(undefined, 'inbound')
      : undefined;
    const channels = providers.map(({ channel }) => channel);
    const states = readHealth({ id, settings: opened.settings }, channels, verified);
    const state = enabled ? { state: overallState(states), states } : OFF;
    return { ...shown, ...state, channels, secrets: opened.secretNames, callbackUrl, inboundUrl };
  } catch {
    // The key that sealed the secrets is no longer listed, or the type no longer exists.
    return { ...shown, ...OFF, channels: [], secrets: [] };
  }
}

/** The operator has configured these providers, so they are used before the first success. */
function environmentView(provider: EnvironmentProvider, readHealth: ReadHealth): ProviderView {
  const { id, type, name, settings, credentials, providers } = provider;
  const channels = providers.map(({ channel }) => channel);
  const states = readHealth({ id, settings: credentials }, channels);
  const fixed = { enabled: true, verified: true, readOnly: true, secrets: [], createdAt: undefined, version: '' };
  return { id, type, name, settings, channels, state: overallState(states), states, ...fixed };
}

/** Leaves out an account without a channel, which only receives delivery reports of earlier messages. */
export const environmentViews = (environment: readonly EnvironmentProvider[], readHealth: ReadHealth): ProviderView[] =>
  environment.map((provider) => environmentView(provider, readHealth)).filter(({ channels }) => channels.length > 0);

/** Lists changed values. Secrets and long texts are listed by name only. */
export function settingChanges(type: ProviderType, before: ProviderSettings, after: ProviderSettings): Change[] {
  const shown = changesBetween(
    { ...withEmptyValues(after), ...auditableSettings(type, before) },
    { ...withEmptyValues(before), ...auditableSettings(type, after) },
  );
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const hidden = [...names].filter(
    (name) => before[name] !== after[name] && !shown.some((change) => change.name === name),
  );
  return [...shown, ...hidden.map((name) => ({ name, before: '', after: 'changed' }))];
}

const withEmptyValues = (settings: ProviderSettings): ProviderSettings =>
  Object.fromEntries(Object.keys(settings).map((name) => [name, '']));
