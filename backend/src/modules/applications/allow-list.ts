/** The Authorized Endpoint list (allow-list): the callers that an application accepts. */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export interface RequestSource {
  readonly origin?: string | undefined;
  readonly referer?: string | undefined;
  readonly ip: string;
}

/** Characters that URLs allow in a host but DNS does not, such as the `*` of a pattern. */
const INVALID_HOST = /[^\w.:[\]-]/;

/** Lower-case host with any non-default port; undefined for `null` and invalid addresses. */
export function hostOf(text: string): string | undefined {
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  if (!url.hostname || INVALID_HOST.test(url.host) || url.username || url.password) return undefined;
  const defaultPort = url.port === '80' || url.port === '443';
  return (url.port && !defaultPort ? url.host : url.hostname).replace(/\.(?=:|$)/, '');
}

/** The host of an `Origin` or `Referer` header; undefined without a scheme, as in `Origin: null`. */
function hostOfHeader(header: string | undefined): string | undefined {
  return header && /^https?:\/\//i.test(header) ? hostOf(header) : undefined;
}

/** The origin of an `Origin` or `Referer` header or a URL; undefined unless its scheme is http or https. */
export function originOf(header: string | undefined): string | undefined {
  return hostOfHeader(header) === undefined ? undefined : new URL(header!).origin;
}

interface Network {
  readonly base: ipaddr.IPv4 | ipaddr.IPv6;
  readonly bits: number;
}

/** Matches text that starts with a scheme, and hosts with a port. */
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/|:\d+(?=[/?#]|$)/i;

/** Whether a host returned by {@link hostOf} is an IP address. */
export const isAddressHost = (host: string): boolean => isIP(host.replace(/:\d+$/, '')) === 4 || host.startsWith('[');

/** Reads an address or CIDR. In `::ffff:192.0.2.0/120`, the prefix length counts from the start of the IPv6 form. */
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
  // Anyone can send an Origin header, so an IP address only matches an origin if the entry has a scheme or a port.
  if (!wildcard) return hostOf(entry) === host && (ORIGIN.test(entry) || !isAddressHost(host));
  const base = hostOf(wildcard[1]!);
  return base !== undefined && host.endsWith(`.${base}`);
}

/** The first matching entry. Addresses and networks match the source address, other entries the Origin or Referer. */
export function matchingEntry(entries: readonly string[], source: RequestSource): string | undefined {
  const hosts = [hostOfHeader(source.origin), hostOfHeader(source.referer)].filter((host) => host !== undefined);
  return entries.find((entry) => {
    const network = networkOf(entry);
    return network ? addressMatches(network, source.ip) : hosts.some((host) => hostMatches(entry, host));
  });
}

/** Whether the Origin, the Referer or the network address is listed. An empty list accepts all callers. */
export function isAuthorized(entries: readonly string[], source: RequestSource): boolean {
  return entries.length === 0 || matchingEntry(entries, source) !== undefined;
}

/** The entry that accepts the pages of an origin: its host, or the whole origin if the host is an address. */
export function entryForOrigin(origin: string): string {
  const host = hostOf(origin)!;
  return isAddressHost(host) ? origin : host;
}
