/** Recognizes public IP addresses, to keep requests to customers' URLs out of internal networks (SSRF). */
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';

/** The public IPv6 unicast range; the rest is unassigned or internal, such as `::7f00:1`. */
const IPV6_INTERNET = ipaddr.IPv6.parse('2000::');

/** Address of Azure's platform service, which every machine inside Azure can reach. */
const PLATFORM_ADDRESSES = new Set(['168.63.129.16']);

/**
 * Whether an address is on the public internet. Rejects private, loopback, link-local (cloud metadata services),
 * shared, reserved and multicast addresses, and IPv4 addresses in IPv6 form.
 */
export function isPublicAddress(text: string): boolean {
  // A zone index refers to a local network interface.
  if (text.includes('%') || !ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast' || PLATFORM_ADDRESSES.has(address.toString())) return false;
  return address.kind() === 'ipv4' || (address as ipaddr.IPv6).match(IPV6_INTERNET, 3);
}

/**
 * Returns the IP addresses of this machine. Calls to the machine's own public addresses would bypass the firewall in
 * front of it.
 */
export const machineAddresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address));

/** Whether two IP addresses are the same, regardless of notation. */
export const isSameAddress = (a: string, b: string): boolean =>
  ipaddr.isValid(a) && ipaddr.isValid(b) && ipaddr.process(a).toString() === ipaddr.process(b).toString();
