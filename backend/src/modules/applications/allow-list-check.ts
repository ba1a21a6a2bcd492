/** Whether a caller would pass an allow-list, and why, in words for who keeps the list. */
import { isIP } from 'node:net';
import { hostOf, matchingEntry, originOf } from './allow-list.js';

export interface Verdict {
  /** The origin or address as it was understood. */
  readonly caller: string;
  readonly kind: 'origin' | 'address';
  /** Whether calls of the API pass that come from there. */
  readonly api: boolean;
  /** Whether the widget works there; an address alone never lets it. */
  readonly widget: boolean;
  /** The entry that lets it in; undefined when the list is empty, or when none does. */
  readonly entry: string | undefined;
  /** One or two sentences. */
  readonly why: string;
  /** What to add to the list, so that it passes; undefined when it does. */
  readonly missing: string | undefined;
}

type Asked = Pick<Verdict, 'caller' | 'kind'>;

/** An origin with or without its scheme, the address of a page, or the address of a machine; else what is wrong. */
function understood(text: string): Asked | string {
  const typed = text.trim();
  if (typed === '') return 'Type an origin such as https://shop.example, or an address such as 203.0.113.7.';
  if (typed.toLowerCase() === 'null')
    return 'Browsers say “null” for files and sandboxed frames. It cannot be listed: serve the page from a web address.';
  const address = typed.replace(/^\[(.+)\]$/, '$1');
  if (isIP(address)) return { caller: address, kind: 'address' };
  if (typed.includes('*')) return 'Ask about one host, such as www.shop.example, rather than about a pattern.';
  if (isIP(address.split('/')[0]!)) return 'Ask about one address rather than about a network.';
  const origin = originOf(/^[a-z][a-z0-9+.-]*:\/\//i.test(typed) ? typed : `https://${typed}`);
  return origin === undefined || /[\s,]/.test(typed)
    ? `“${typed.slice(0, 100)}” is neither an origin such as https://shop.example nor an address such as 203.0.113.7.`
    : { caller: origin, kind: 'origin' };
}

const withoutScheme = (entry: string): string => entry.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '').toLowerCase();

/** An entry that looks as if it were meant, and why it is not. */
function nearMiss(entries: readonly string[], host: string): string | undefined {
  const name = host.replace(/:\d+$/, '');
  for (const entry of entries) {
    const pattern = withoutScheme(entry);
    const listed = hostOf(pattern.replace(/^\*\./, ''));
    if (listed === undefined) continue;
    const listedName = listed.replace(/:\d+$/, '');
    if (pattern.startsWith('*.') && listed === host)
      return `“${entry}” covers the hosts below ${host}, not ${host} itself.`;
    if (listedName === name && listed !== host)
      return `“${entry}” is another port of the same host, and ports have to be the same.`;
    if (!pattern.startsWith('*.') && name.endsWith(`.${listedName}`))
      return `“${entry}” covers that host alone, not the ones below it; “*.${listedName}” would.`;
    if (!pattern.startsWith('*.') && listedName.endsWith(`.${name}`))
      return `“${entry}” is a host below ${name}, which is another one.`;
  }
  return undefined;
}

function passes({ caller, kind }: Asked, entry: string): string {
  if (kind === 'origin') return `“${entry}” is on the list and covers ${new URL(caller).host}.`;
  return `“${entry}” is on the list and covers this address. The widget goes by the page it is on, never by an address.`;
}

/** Judges what a person typed; a text says what is wrong with it. */
export function checkCaller(entries: readonly string[], text: string): Verdict | string {
  const asked = understood(text);
  if (typeof asked === 'string') return asked;
  const { caller, kind } = asked;
  if (entries.length === 0) {
    const why = 'The list is empty, so every caller is let in.';
    return { ...asked, api: true, widget: true, entry: undefined, why, missing: undefined };
  }
  const origin = kind === 'origin' ? caller : undefined;
  const entry = matchingEntry(entries, { origin, ip: origin === undefined ? caller : '' });
  if (entry !== undefined) {
    const why = passes(asked, entry);
    return { ...asked, api: true, widget: kind === 'origin', entry, why, missing: undefined };
  }
  const missing = origin === undefined ? caller : hostOf(origin)!;
  const near = origin === undefined ? undefined : nearMiss(entries, missing);
  const why = near ?? `No entry covers ${kind === 'origin' ? 'this host' : 'this address'}.`;
  return { ...asked, api: false, widget: false, entry: undefined, why, missing };
}
