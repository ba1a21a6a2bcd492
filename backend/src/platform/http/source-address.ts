/** The address that limits count: one household or server, not one of its 2^64 IPv6 addresses. */
import ipaddr from 'ipaddr.js';

/** An address without the port that some proxies write into `X-Forwarded-For`. */
export function withoutPort(ip: string): string {
  return /^\[(.+)\](?::\d+)?$/.exec(ip)?.[1] ?? /^(\d+(?:\.\d+){3}):\d+$/.exec(ip)?.[1] ?? ip;
}

/** An IPv4 address as it is, also in its IPv6 form; an IPv6 address as its /64. */
export function sourceKey(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv4') return address.toString();
  return `${(address as ipaddr.IPv6).parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}
