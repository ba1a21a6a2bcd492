/** Views of channels, with their states and routes. */
import type { ChannelName } from '../../platform/contract/channels.js';
import type { ProviderState } from './provider-state.js';
import type { ProviderView } from './provider-view.js';
import { ANY_COUNTRY, type Route, type RouteEntry, type RouteMode } from './route.js';
import type { EntryScore } from './routing.js';

export interface RouteView {
  /** ISO 3166 code, or `*`. */
  readonly country: string;
  readonly mode: RouteMode;
  /**
   * The stored entries. Undefined without a stored route: providers are then tried in the order in which they were
   * added.
   */
  readonly stored: readonly RouteEntry[] | undefined;
  /** The providers in the order in which they are tried; for an automatic route, most messages first. */
  readonly entries: readonly RouteEntry[];
  /** For an automatic route, how well its providers deliver, in the order of `entries`. */
  readonly scores?: readonly EntryScore[];
}

/**
 * - `own`: the provider in `through` sends the messages.
 * - `waiting`: the provider in `through` would send the messages if it was verified.
 * - `operator`: the operator's providers send the messages.
 * - `devInbox`: messages are only shown to developers.
 * - `unusable`: the account's own providers are off or cannot be opened, so no messages are sent.
 * - `off`: the channel has no provider.
 */
export type ChannelState =
  | {
      readonly kind: 'own';
      readonly through: ProviderView;
      readonly state: ProviderState;
      /** The names of the providers that are tried next. */
      readonly fallbacks: readonly string[];
    }
  | {
      readonly kind: 'waiting';
      readonly through: ProviderView;
      readonly state: ProviderState;
      /** Whether the dev inbox shows the messages; otherwise, sends fail. */
      readonly inDevInbox: boolean;
    }
  /** Without the reason: it concerns the operator. */
  | { readonly kind: 'operator'; readonly state: Pick<ProviderState, 'kind'> }
  | { readonly kind: 'devInbox' | 'unusable' | 'off' };

export interface ChannelView {
  readonly channel: ChannelName;
  readonly state: ChannelState;
  /** The route for all countries comes first. Empty if the account has no providers of its own for the channel. */
  readonly routes: readonly RouteView[];
}

export const sendsOn =
  (channel: ChannelName) =>
  ({ enabled, verified, channels }: ProviderView): boolean =>
    enabled && verified && channels.includes(channel);

/**
 * Returns a channel's routes. Providers configured by environment variables come first in each route that does not name
 * them.
 */
export function routesOf(
  channel: ChannelName,
  providers: readonly ProviderView[],
  routes: readonly Omit<Route, 'accountId'>[],
): readonly RouteView[] {
  const usable = providers.filter(sendsOn(channel));
  const implicit = usable.map(({ id }): RouteEntry => ({ provider: id }));
  const own = routes.filter((route) => route.channel === channel);
  const routeOf = ({ country, mode, entries: stored }: Omit<Route, 'accountId'>): RouteView => {
    const isNamed = (id: string) => stored.some(({ provider }) => provider === id);
    const first = usable.filter(({ id, readOnly }) => readOnly && !isNamed(id));
    return { country, mode, stored, entries: [...first.map(({ id }) => ({ provider: id })), ...stored] };
  };
  const everywhere = own.find(({ country }) => country === ANY_COUNTRY);
  if (!everywhere && own.length === 0 && implicit.length === 0) return [];
  return [
    everywhere ? routeOf(everywhere) : { country: ANY_COUNTRY, mode: 'ordered', stored: undefined, entries: implicit },
    ...own.filter((route) => route !== everywhere).map(routeOf),
  ];
}

/** Returns the providers in the order in which they are tried for countries without a route of their own. */
export function providersInOrder(
  [everywhere]: readonly RouteView[],
  channel: ChannelName,
  providers: readonly ProviderView[],
): readonly ProviderView[] {
  const usable = providers.filter(sendsOn(channel));
  const named = everywhere?.entries.flatMap(({ provider }) => usable.find(({ id }) => id === provider) ?? []);
  return named?.length ? named : usable.slice(0, 1);
}
