/** The states of providers. They are derived from the latest results, never from the fact that a provider exists. */
import type { ChannelName } from '../../platform/contract/channels.js';
import type { Failure } from '../../providers/circuit-breaker.js';

/**
 * - `off`: turned off, or it cannot be opened.
 * - `not verified`: no check and no message has succeeded with the current credentials.
 * - `failing`: the latest check or message failed because of the provider.
 * - `live`: the latest check or message succeeded.
 */
export type ProviderState =
  | { readonly kind: 'off' | 'not verified' }
  | { readonly kind: 'live'; readonly lastSuccessAt: number | undefined }
  | ({ readonly kind: 'failing' } & Failure);

export const PROVIDER_STATES: readonly ProviderState['kind'][] = ['not verified', 'live', 'failing', 'off'];

/** The latest results of a provider's checks, or of its messages on one channel. */
export interface Health {
  readonly succeededAt: number | undefined;
  readonly failure: Failure | undefined;
}

export type ProviderStates = Readonly<Partial<Record<ChannelName, ProviderState>>>;

/** Returns the state of a provider that is on. A success of a message also ends a failure of `checks`. */
export function stateOf(isVerified: boolean, checks: Health | undefined, messages: Health | undefined): ProviderState {
  const failure = messages?.failure ?? checks?.failure;
  if (failure) return { kind: 'failing', since: failure.since, reason: failure.reason };
  if (!isVerified) return { kind: 'not verified' };
  const times = [checks, messages].flatMap((health) => health?.succeededAt ?? []);
  return { kind: 'live', lastSuccessAt: times.length > 0 ? Math.max(...times) : undefined };
}

/** Returns the state of a provider with these states on its channels: the failure, if it is failing on one of them. */
export function overallState(states: ProviderStates): ProviderState {
  const all = Object.values(states);
  const failing = all.find(({ kind }) => kind === 'failing');
  if (failing) return failing;
  const times = all.flatMap((state) => (state.kind === 'live' ? (state.lastSuccessAt ?? []) : []));
  if (times.length > 0) return { kind: 'live', lastSuccessAt: Math.max(...times) };
  return all[0] ?? { kind: 'off' };
}

/** `failing since 2026-11-23T10:00:00.000Z because the provider rejected the credentials (401)` */
export const stateText = (state: ProviderState): string =>
  state.kind === 'failing'
    ? `failing since ${new Date(state.since).toISOString()} because ${state.reason}`
    : state.kind;
