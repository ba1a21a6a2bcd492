/** Callers rejected by an application's allow-list, and the rules for storing them. */
import { isAuthorized, originOf, type RequestSource } from './allow-list.js';

/**
 * Maximum numbers of stored callers per application and interface: the most frequent callers, and the latest of the
 * remaining callers. Without these limits, anyone could fill the table.
 */
export const MAX_FREQUENT_CALLERS = 10;
export const MAX_LATEST_CALLERS = 10;

/** The interface that rejected the caller. API callers had valid credentials; widget callers need no credentials. */
export type RejectedVia = 'api' | 'widget';

export interface RejectedCaller {
  readonly via: RejectedVia;
  /** Origin such as `https://shop.example`, or the IP address if there is no origin; or {@link OTHER_CALLERS}. */
  readonly caller: string;
  /** IP address of the last API call from this origin; "" for widget calls, and if `caller` is an address. */
  readonly address: string;
  readonly times: number;
  readonly firstAt: number;
  readonly lastAt: number;
}

/** The `caller` value of the entry that counts calls from all callers that are not stored individually. */
export const OTHER_CALLERS = '';

/** Width of the `caller` column. Calls from longer origins are counted as {@link OTHER_CALLERS}. */
const MAX_ORIGIN_LENGTH = 255;

export function callerOf(via: RejectedVia, { origin, referer, ip }: RequestSource) {
  const page = originOf(origin) ?? originOf(referer);
  if (page === undefined) return { caller: ip, address: '' };
  if (page.length > MAX_ORIGIN_LENGTH) return { caller: OTHER_CALLERS, address: '' };
  return { caller: page, address: via === 'api' ? ip : '' };
}

/** Whether the current allow-list accepts a caller that was rejected earlier. */
export function wouldBeAuthorized(entries: readonly string[], { caller, address }: RejectedCaller): boolean {
  const isPage = originOf(caller) !== undefined;
  return isAuthorized(entries, { origin: isPage ? caller : undefined, ip: isPage ? address : caller });
}

/** Returns the callers to delete: all except the most frequent callers and the latest of the remaining callers. */
export function excessCallers<C extends Pick<RejectedCaller, 'times' | 'lastAt'>>(callers: readonly C[]): C[] {
  if (callers.length <= MAX_FREQUENT_CALLERS + MAX_LATEST_CALLERS) return [];
  const frequent = [...callers].sort((a, b) => b.times - a.times || b.lastAt - a.lastAt).slice(0, MAX_FREQUENT_CALLERS);
  const rest = callers.filter((caller) => !frequent.includes(caller));
  return rest.sort((a, b) => b.lastAt - a.lastAt).slice(MAX_LATEST_CALLERS);
}
