/** Callers rejected by an application's allow-list, and the rules for storing them. */
import { isAuthorized, originOf, type RequestSource } from './allow-list.js';

/**
 * Callers stored per application, separately for the API and the widget: the most frequent ones and the latest ones.
 * Bounded, because anyone can call.
 */
export const MOST_FREQUENT = 10;
export const LATEST = 10;

/** `api`: the caller had valid API credentials. `widget`: no credentials are needed, so anyone can call. */
export type RejectedVia = 'api' | 'widget';

export interface RejectedCaller {
  readonly via: RejectedVia;
  /** Origin such as `https://shop.example`, else the network address; {@link OTHER_CALLERS} for all other callers. */
  readonly caller: string;
  /** Network address of the last call from this origin; "" for the widget, whose visitors are not recorded. */
  readonly address: string;
  readonly times: number;
  readonly firstAt: number;
  readonly lastAt: number;
}

export const OTHER_CALLERS = '';

/** The longest DNS name with scheme and port. Allow-list entries are no longer than this. */
const LONGEST_ORIGIN = 255;

export function callerOf(via: RejectedVia, { origin, referer, ip }: RequestSource) {
  const page = originOf(origin) ?? originOf(referer);
  if (page === undefined) return { caller: ip, address: '' };
  if (page.length > LONGEST_ORIGIN) return { caller: OTHER_CALLERS, address: '' };
  return { caller: page, address: via === 'api' ? ip : '' };
}

export function wouldPass(entries: readonly string[], { caller, address }: RejectedCaller): boolean {
  const isPage = originOf(caller) !== undefined;
  return isAuthorized(entries, { origin: isPage ? caller : undefined, ip: isPage ? address : caller });
}

/** Returns the callers to delete, which are not among the most frequent or the latest ones. */
export function excessCallers<C extends Pick<RejectedCaller, 'times' | 'lastAt'>>(callers: readonly C[]): C[] {
  if (callers.length <= MOST_FREQUENT + LATEST) return [];
  const frequent = [...callers].sort((a, b) => b.times - a.times || b.lastAt - a.lastAt).slice(0, MOST_FREQUENT);
  const rest = callers.filter((caller) => !frequent.includes(caller));
  return rest.sort((a, b) => b.lastAt - a.lastAt).slice(LATEST);
}
