/** The Authorized Endpoint list: which callers an application accepts. */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export interface Caller {
  readonly origin?: string | undefined;
  readonly referer?: string | undefined;
  readonly ip: string;
}

/** Host with its port unless it is the scheme's own, in lower case; undefined for `null` and what is no address. */
function hostOf(text: string): string | undefined {
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  if (!url.hostname || url.username || url.password) return undefined;
  const defaultPort = url.port === '80' || url.port === '443';
  return (url.port && !defaultPort ? url.host : url.hostname).replace(/\.(?=:|$)/, '');
}

/** Origin and Referer carry a scheme; anything else (`null`, a bare word) is no address. */
function callerHost(header: string | undefined): string | undefined {
  return header && /^https?:\/\//i.test(header) ? hostOf(header) : undefined;
}

function addressMatches(entry: string, ip: string): boolean {
  if (!ipaddr.isValid(ip)) return false;
  const address = ipaddr.process(ip);
  const [base, bits] = entry.split('/');
  if (!base || !isIP(base)) return false;
  const network = ipaddr.process(base);
  if (network.kind() !== address.kind()) return false;
  const width = network.kind() === 'ipv4' ? 32 : 128;
  // An IPv4 network written in IPv6 form counts its bits from the IPv6 start.
  const mapped = width === 32 && base.includes(':') ? 96 : 0;
  return address.match(network, bits === undefined ? width : Number(bits) - mapped);
}

function hostMatches(entry: string, host: string): boolean {
  const wildcard = entry.match(/^(?:[a-z][a-z0-9+.-]*:\/\/)?\*\.(.+)$/i);
  if (!wildcard) return hostOf(entry) === host;
  const base = hostOf(wildcard[1]!);
  return base !== undefined && host.endsWith(`.${base}`);
}

/** Whether any one of Origin, Referer and source address is listed. An empty list lets everybody in. */
export function isAuthorized(entries: readonly string[], caller: Caller): boolean {
  if (entries.length === 0) return true;
  const hosts = [callerHost(caller.origin), callerHost(caller.referer)].filter((host) => host !== undefined);
  return entries.some((entry) => addressMatches(entry, caller.ip) || hosts.some((host) => hostMatches(entry, host)));
}

/** What is wrong with an entry that an operator typed; undefined when nothing is. */
export function entryProblem(entry: string): string | undefined {
  const [base, bits, ...rest] = entry.split('/');
  if (base && isIP(base)) {
    const width = isIP(base) === 4 ? 32 : 128;
    if (bits === undefined) return undefined;
    return /^\d+$/.test(bits) && Number(bits) <= width && rest.length === 0 ? undefined : `${entry} is no network`;
  }
  const host = hostOf(entry.replace(/^((?:[a-z][a-z0-9+.-]*:\/\/)?)\*\./i, '$1'));
  return host === undefined || /[*,\s]/.test(host) ? `${entry} is no origin, host, address or network` : undefined;
}
