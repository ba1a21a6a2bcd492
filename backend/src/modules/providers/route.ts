/** Routes: the providers for a channel and country, in the order in which they are tried. */
import { CHANNELS, type ChannelName } from '../../platform/contract/channels.js';

/** Matches all countries without a route of their own. */
export const ANY_COUNTRY = '*';
/** Maximum number of providers in a route: more would not be tried within the time limit of a delivery. */
export const MAX_ROUTE_LENGTH = 5;
const MAX_WEIGHT = 1000;
const MAX_PRICE = 1000;

/** `automatic`: the provider whose codes are entered most often comes first. */
export const ROUTE_MODES = ['ordered', 'automatic'] as const;
export type RouteMode = (typeof ROUTE_MODES)[number];

export interface RouteEntry {
  /** Id of a provider. */
  readonly provider: string;
  /**
   * Relative share of messages for which this provider is tried first. In a route with weights, entries without one are
   * only fallbacks.
   */
  readonly weight?: number;
  /**
   * What a message costs with this provider, to choose between equally good providers of an automatic route. Bills use the
   * prices of the channel.
   */
  readonly price?: number;
}

export interface Route {
  readonly accountId: number;
  readonly channel: ChannelName;
  /** ISO 3166 code, or {@link ANY_COUNTRY}. */
  readonly country: string;
  readonly mode: RouteMode;
  readonly entries: readonly RouteEntry[];
}

/** Returns the problem with a route; undefined if it is valid. */
export function routeProblem({ channel, country, mode, entries }: Omit<Route, 'accountId'>): string | undefined {
  if (!CHANNELS.includes(channel)) return `the channel must be one of ${CHANNELS.join(', ')}`;
  if (country !== ANY_COUNTRY && (channel === 'EMAIL' || !/^[A-Z]{2}$/.test(country)))
    return channel === 'EMAIL' ? 'emails have no country: use *' : 'the country must be an ISO code such as IN, or *';
  if (entries.length === 0 || entries.length > MAX_ROUTE_LENGTH)
    return `a route must have between one and ${MAX_ROUTE_LENGTH} providers`;
  if (new Set(entries.map(({ provider }) => provider)).size < entries.length)
    return 'a route can contain each provider only once';
  if (entries.some(({ price = 0 }) => !(price >= 0 && price <= MAX_PRICE)))
    return `a price must be a number from 0 to ${MAX_PRICE}`;
  if (mode === 'ordered' && entries.some(({ price }) => price !== undefined))
    return 'only an automatic route has prices';
  if (mode === 'automatic' && entries.some(({ weight }) => weight !== undefined))
    return 'an automatic route cannot have weights';
  const weights = entries.flatMap(({ weight }) => (weight === undefined ? [] : [weight]));
  if (weights.some((weight) => !Number.isInteger(weight) || weight < 0 || weight > MAX_WEIGHT))
    return `a weight must be a whole number from 0 to ${MAX_WEIGHT}`;
  return weights.length > 0 && weights.every((weight) => weight === 0)
    ? 'at least one weight must be above 0'
    : undefined;
}

/**
 * Returns the entries in the order in which they are tried for a message. The first entry is chosen by weight. The
 * choice is derived from the message's random hexadecimal id, so that it is the same in each attempt.
 */
export function orderFor<Entry extends Pick<RouteEntry, 'weight'>>(
  entries: readonly Entry[],
  messageId: string,
): readonly Entry[] {
  const total = entries.reduce((sum, { weight = 0 }) => sum + weight, 0);
  if (total === 0) return entries;
  let rest = (Number.parseInt(messageId.slice(0, 8), 16) / 2 ** 32) * total;
  const first = entries.find(({ weight = 0 }) => (rest -= weight) < 0) ?? entries[0]!;
  return [first, ...entries.filter((entry) => entry !== first)];
}
