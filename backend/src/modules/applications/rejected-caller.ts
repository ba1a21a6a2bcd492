/** A caller that an application's allow-list kept out, and which of them are remembered. */
import { REFUSED_FREQUENT, REFUSED_LATEST } from '../../platform/limits.js';
import { isAuthorized, originOf, type Caller } from './allow-list.js';

/** Where it was refused: the API, whose callers have the key pair, or the widget, which anybody can call. */
export type RefusedVia = 'api' | 'widget';

export interface RefusedCaller {
  readonly via: RefusedVia;
  /** Its origin such as `https://shop.example`, or its address when it said none; {@link OTHERS} for all that are not kept. */
  readonly caller: string;
  /** Where the last call with this origin came from; "" for the widget, whose visitors are none of our business. */
  readonly address: string;
  readonly times: number;
  /** Epoch milliseconds. */
  readonly firstAt: number;
  readonly lastAt: number;
}

/** Stands for all callers that are counted and not kept. */
export const OTHERS = '';

/** As long as DNS has a name, with scheme and port; nobody can list a longer one. */
const LONGEST = 255;

/** How a refused call is remembered. */
export function nameOf(via: RefusedVia, { origin, referer, ip }: Caller): Pick<RefusedCaller, 'caller' | 'address'> {
  const page = originOf(origin) ?? originOf(referer);
  if (page === undefined) return { caller: ip, address: '' };
  if (page.length > LONGEST) return { caller: OTHERS, address: '' };
  return { caller: page, address: via === 'api' ? ip : '' };
}

/** Whether the next call of a caller would pass this list. */
export function wouldPass(entries: readonly string[], { caller, address }: RefusedCaller): boolean {
  const isPage = originOf(caller) !== undefined;
  return isAuthorized(entries, { origin: isPage ? caller : undefined, ip: isPage ? address : caller });
}

type Seen = Pick<RefusedCaller, 'times' | 'lastAt'>;

/** Those that are forgotten when there are too many: what stays are the most frequent ones, and the latest ones. */
export function tooMany<C extends Seen>(callers: readonly C[]): C[] {
  if (callers.length <= REFUSED_FREQUENT + REFUSED_LATEST) return [];
  const frequent = [...callers].sort((a, b) => b.times - a.times || b.lastAt - a.lastAt).slice(0, REFUSED_FREQUENT);
  const rest = callers.filter((caller) => !frequent.includes(caller));
  return rest.sort((a, b) => b.lastAt - a.lastAt).slice(REFUSED_LATEST);
}
