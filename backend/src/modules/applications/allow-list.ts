/** The Authorized Endpoint list (allow-list): the callers that an application accepts. */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { parseUrl } from '../../platform/url.js';

/** The origin, referer and IP address by which an allow-list recognizes a caller. */
export interface RequestSource {
  readonly origin?: string | undefined;
  readonly referer?: string | undefined;
  readonly ip: string;
}

/** A character that is allowed in the host of a URL but not in DNS names or IP addresses, such as `*`. */
const INVALID_HOST_CHARACTER = /[^\w.:[\]-]/;

/** The lower-case host of a URL or host name, with any port other than 80 and 443; undefined if it is invalid. */
export function hostOf(text: string): string | undefined {
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  const url = parseUrl(address);
  if (!url?.hostname || INVALID_HOST_CHARACTER.test(url.host) || url.username || url.password) return undefined;
  const defaultPort = url.port === '80' || url.port === '443';
  return (url.port && !defaultPort ? url.host : url.hostname).replace(/\.(?=:|$)/, '');
}

/** The host of an `Origin` or `Referer` header; undefined for `null` and for schemes other than http and https. */
function hostOfHeader(header: string | undefined): string | undefined {
  return header && /^https?:\/\//i.test(header) ? hostOf(header) : undefined;
}

/** The origin of a URL or of an `Origin` or `Referer` header; undefined unless its scheme is http or https. */
export function originOf(header: string | undefined): string | undefined {
  return hostOfHeader(header) === undefined ? undefined : new URL(header!).origin;
}

interface Network {
  readonly base: ipaddr.IPv4 | ipaddr.IPv6;
  readonly bits: number;
}

/** Matches entries that start with a scheme or have a port. */
const SCHEME_OR_PORT = /^[a-z][a-z0-9+.-]*:\/\/|:\d+(?=[/?#]|$)/i;

/** Whether a host returned by {@link hostOf} is an IP address. */
export const isAddressHost = (host: string): boolean => isIP(host.replace(/:\d+$/, '')) === 4 || host.startsWith('[');

/** Parses an IP address or CIDR. In `::ffff:192.0.2.0/120`, the prefix length includes the 96 bits of `::ffff:`. */
function networkOf(entry: string): Network | undefined {
  const [text = '', bitsText] = entry.replace(/^\[([^\]]*)\]/, '$1').split('/');
  const version = isIP(text);
  if (version === 0 || entry.split('/').length > 2) return undefined;
  const base = ipaddr.process(text);
  const width = base.kind() === 'ipv4' ? 32 : 128;
  if (bitsText === undefined) return { base, bits: width };
  const bits = /^\d{1,3}$/.test(bitsText) ? Number(bitsText) - (version === 6 && width === 32 ? 96 : 0) : -1;
  return bits >= 0 && bits <= width ? { base, bits } : undefined;
}

export const isNetwork = (entry: string): boolean => networkOf(entry) !== undefined;

function addressMatches(network: Network, ip: string): boolean {
  if (!ipaddr.isValid(ip)) return false;
  const address = ipaddr.process(ip);
  return address.kind() === network.base.kind() && address.match(network.base, network.bits);
}

function hostMatches(entry: string, host: string): boolean {
  const wildcard = entry.match(/^(?:[a-z][a-z0-9+.-]*:\/\/)?\*\.(.+)$/i);
  // Anyone can send an Origin header, so an IP address entry matches an origin only if it has a scheme or port.
  if (!wildcard) return hostOf(entry) === host && (SCHEME_OR_PORT.test(entry) || !isAddressHost(host));
  const base = hostOf(wildcard[1]!);
  return base !== undefined && host.endsWith(`.${base}`);
}

/** The first matching entry. Addresses and CIDRs are compared with `ip`, hosts with `origin` and `referer`. */
export function matchingEntry(entries: readonly string[], source: RequestSource): string | undefined {
  const hosts = [hostOfHeader(source.origin), hostOfHeader(source.referer)].filter((host) => host !== undefined);
  return entries.find((entry) => {
    const network = networkOf(entry);
    return network ? addressMatches(network, source.ip) : hosts.some((host) => hostMatches(entry, host));
  });
}

/** Whether an entry matches the origin, referer or IP address. An empty list accepts all callers. */
export function isAuthorized(entries: readonly string[], source: RequestSource): boolean {
  return entries.length === 0 || matchingEntry(entries, source) !== undefined;
}

/** Returns the entry that accepts an origin: its host, or the whole origin if the host is an IP address. */
export function entryForOrigin(origin: string): string {
  const host = hostOf(origin)!;
  return isAddressHost(host) ? origin : host;
}
