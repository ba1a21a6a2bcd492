/** Which addresses of the internet may be called on behalf of a stranger. */
import ipaddr from 'ipaddr.js';

/** The internet's unicast space; what lies beside it is not assigned, or leads somewhere inside, such as `::7f00:1`. */
const IPV6_INTERNET = ipaddr.IPv6.parse('2000::');

/** Reached from inside Azure only, where it answers every machine. */
const PLATFORM = new Set(['168.63.129.16']);

/**
 * Whether an address is one of the public internet: not private, loopback, link-local (where clouds keep their metadata),
 * shared, reserved, multicast, nor an IPv6 address that stands for an IPv4 one, which may be any of these.
 */
export function isPublicAddress(text: string): boolean {
  // A zone names a link of this machine.
  if (text.includes('%') || !ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast' || PLATFORM.has(address.toString())) return false;
  return address.kind() === 'ipv4' || (address as ipaddr.IPv6).match(IPV6_INTERNET, 3);
}
