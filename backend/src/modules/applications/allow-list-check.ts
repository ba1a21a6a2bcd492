/** Checks whether an allow-list accepts a caller, and explains the result to people who edit the list. */
import { isIP } from 'node:net';
import { entryForOrigin, hostOf, isAddressHost, matchingEntry, originOf } from './allow-list.js';

export interface CallerVerdict {
  readonly caller: string;
  readonly kind: 'origin' | 'address';
  readonly api: boolean;
  /** Whether the widget accepts this caller. The widget checks the page origin, never an IP address. */
  readonly widget: boolean;
  /** The first entry that matches the caller. */
  readonly entry: string | undefined;
  readonly reason: string;
  /** The entry that would accept the caller; undefined if the caller is accepted. */
  readonly missing: string | undefined;
}

type CheckedCaller = Pick<CallerVerdict, 'caller' | 'kind'>;

/** Parses an origin (even without a scheme), a page URL or an IP address. Returns an error message for other text. */
function parseCaller(text: string): CheckedCaller | string {
  const typed = text.trim();
  if (typed === '') return 'Enter an origin such as https://shop.example, or an IP address such as 203.0.113.7.';
  if (typed.toLowerCase() === 'null')
    return 'Browsers send the origin “null” for local files and sandboxed frames. It cannot be allowed. Open the page at a web address instead.';
  const address = typed.replace(/^\[(.+)\]$/, '$1');
  if (isIP(address)) return { caller: address, kind: 'address' };
  if (typed.includes('*')) return 'Enter one host, such as www.shop.example, instead of a pattern.';
  if (isIP(address.split('/')[0]!)) return 'Enter one IP address instead of a network.';
  const origin = originOf(/^[a-z][a-z0-9+.-]*:\/\//i.test(typed) ? typed : `https://${typed}`);
  return origin === undefined || /[\s,]/.test(typed)
    ? `“${typed.slice(0, 100)}” is neither an origin such as https://shop.example nor an IP address such as 203.0.113.7.`
    : { caller: origin, kind: 'origin' };
}

const withoutScheme = (entry: string): string => entry.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '').toLowerCase();

/** Explains why the first similar entry does not match the host; undefined if no entry is similar. */
function nearMiss(entries: readonly string[], host: string): string | undefined {
  const name = host.replace(/:\d+$/, '');
  for (const entry of entries) {
    const pattern = withoutScheme(entry);
    const listed = hostOf(pattern.replace(/^\*\./, ''));
    if (listed === undefined) continue;
    const listedName = listed.replace(/:\d+$/, '');
    if (isAddressHost(host) && listed === host)
      return `“${entry}” is compared with the caller's IP address, not with the origin of a page.`;
    if (pattern.startsWith('*.') && listed === host)
      return `“${entry}” allows the subdomains of ${host}, but not ${host} itself.`;
    if (listedName === name && listed !== host) return `“${entry}” has a different port. The port must be the same.`;
    if (!pattern.startsWith('*.') && name.endsWith(`.${listedName}`))
      return `“${entry}” allows only this host, not its subdomains. “*.${listedName}” allows all of them.`;
    if (!pattern.startsWith('*.') && listedName.endsWith(`.${name}`))
      return `“${entry}” allows a subdomain of ${name}, but not ${name} itself.`;
  }
  return undefined;
}

function reasonForAcceptance({ caller, kind }: CheckedCaller, entry: string): string {
  if (kind === 'origin') return `The entry “${entry}” allows ${new URL(caller).host}.`;
  return `The entry “${entry}” allows this address. For the two-factor widget, only the origin of the page counts, never an IP address.`;
}

/** Checks a caller typed by a person. Returns an error message if the text is not valid. */
export function checkCaller(entries: readonly string[], text: string): CallerVerdict | string {
  const checked = parseCaller(text);
  if (typeof checked === 'string') return checked;
  const { caller, kind } = checked;
  if (entries.length === 0) {
    const reason = 'The list is empty, so all sites and servers are allowed.';
    return { ...checked, api: true, widget: true, entry: undefined, reason, missing: undefined };
  }
  const origin = kind === 'origin' ? caller : undefined;
  const entry = matchingEntry(entries, { origin, ip: origin === undefined ? caller : '' });
  if (entry !== undefined) {
    const reason = reasonForAcceptance(checked, entry);
    return { ...checked, api: true, widget: kind === 'origin', entry, reason, missing: undefined };
  }
  const missing = origin === undefined ? caller : entryForOrigin(origin);
  const near = origin === undefined ? undefined : nearMiss(entries, hostOf(origin)!);
  const reason = near ?? `No entry allows ${kind === 'origin' ? 'this host' : 'this address'}.`;
  return { ...checked, api: false, widget: false, entry: undefined, reason, missing };
}
