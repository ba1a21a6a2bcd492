import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Maximum number of User-Agent characters to parse. Real values have about two hundred. */
export const USER_AGENT_LENGTH = 512;

/** Whether a text is an IPv4 or IPv6 address without a port. */
export const isIpAddress = (text: string): boolean => isIP(text) !== 0;

/** Removes the port that some proxies add in `X-Forwarded-For`. */
export function withoutPort(ip: string): string {
  return /^\[(.+)\](?::\d+)?$/.exec(ip)?.[1] ?? /^(\d+(?:\.\d+){3}):\d+$/.exec(ip)?.[1] ?? ip;
}

/**
 * Returns the key for rate limits: an IPv4 address, or the /64 of an IPv6 address, because a single client usually
 * controls a whole /64.
 */
export function sourceKey(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv4') return address.toString();
  const network = (address as ipaddr.IPv6).parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}
