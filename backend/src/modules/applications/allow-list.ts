/** The Authorized Endpoint list: which callers an application accepts. */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export interface Caller {
  readonly origin?: string | undefined;
  readonly referer?: string | undefined;
  readonly ip: string;
}

/** What no host has that is reached by a name or an address; URLs allow more, such as the `*` of a pattern. */
const NO_HOST = /[^\w.:[\]-]/;

/** Host with its port unless it is the scheme's own, in lower case; undefined for `null` and what is no address. */
export function hostOf(text: string): string | undefined {
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  if (!url.hostname || NO_HOST.test(url.host) || url.username || url.password) return undefined;
  const defaultPort = url.port === '80' || url.port === '443';
  return (url.port && !defaultPort ? url.host : url.hostname).replace(/\.(?=:|$)/, '');
}

/** Origin and Referer carry a scheme; anything else (`null`, a bare word) is no address. */
function callerHost(header: string | undefined): string | undefined {
  return header && /^https?:\/\//i.test(header) ? hostOf(header) : undefined;
}

/** The origin that a header names, or a page's address is of; undefined when it is no page on the web. */
export function originOf(header: string | undefined): string | undefined {
  return callerHost(header) === undefined ? undefined : new URL(header!).origin;
}

interface Network {
  readonly base: ipaddr.IPv4 | ipaddr.IPv6;
  readonly bits: number;
}

/** An address or CIDR; an IPv4 network in its IPv6 form counts its bits from the IPv6 start. Undefined for anything else. */
function networkOf(entry: string): Network | undefined {
  const [text = '', bitsText] = entry.split('/');
  const version = isIP(text);
  if (version === 0 || entry.split('/').length > 2) return undefined;
  const base = ipaddr.process(text);
  const width = base.kind() === 'ipv4' ? 32 : 128;
  if (bitsText === undefined) return { base, bits: width };
  const bits = /^\d{1,3}$/.test(bitsText) ? Number(bitsText) - (version === 6 && width === 32 ? 96 : 0) : -1;
  return bits >= 0 && bits <= width ? { base, bits } : undefined;
}

function addressMatches(entry: string, ip: string): boolean {
  const network = networkOf(entry);
  if (!network || !ipaddr.isValid(ip)) return false;
  const address = ipaddr.process(ip);
  return address.kind() === network.base.kind() && address.match(network.base, network.bits);
}

function hostMatches(entry: string, host: string): boolean {
  const wildcard = entry.match(/^(?:[a-z][a-z0-9+.-]*:\/\/)?\*\.(.+)$/i);
  if (!wildcard) return hostOf(entry) === host;
  const base = hostOf(wildcard[1]!);
  return base !== undefined && host.endsWith(`.${base}`);
}

/** The entry that lists any one of Origin, Referer and source address; undefined when none does. */
export function matchingEntry(entries: readonly string[], caller: Caller): string | undefined {
  const hosts = [callerHost(caller.origin), callerHost(caller.referer)].filter((host) => host !== undefined);
  return entries.find((entry) => addressMatches(entry, caller.ip) || hosts.some((host) => hostMatches(entry, host)));
}

/** Whether any one of Origin, Referer and source address is listed. An empty list lets everybody in. */
export function isAuthorized(entries: readonly string[], caller: Caller): boolean {
  return entries.length === 0 || matchingEntry(entries, caller) !== undefined;
}

/** What is wrong with an entry that an operator typed; undefined when nothing is. */
export function entryProblem(entry: string): string | undefined {
  if (networkOf(entry)) return undefined;
  // What looks like a network and is none would be taken for a host, and never match.
  if (/^[\d.]+\/|^(?=(?:[0-9a-f.]*:){2})[0-9a-f:.]*(?:\/|$)/i.test(entry)) return `${entry} is no network`;
  const host = hostOf(entry.replace(/^((?:[a-z][a-z0-9+.-]*:\/\/)?)\*\./i, '$1'));
  return host === undefined ? `${entry} is no origin, host, address or network` : undefined;
}
