/**
 * Resolves host names, checks every IP address, and pins connections to the checked addresses. This stops requests to
 * customer-configured URLs from reaching internal networks, and prevents DNS rebinding.
 */
import { lookup as systemLookup, Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { isLoopback } from '../config/config.js';
import { isPublicAddress, isSameAddress, machineAddresses } from './public-address.js';

/** Time limit for each of the two attempts to query a DNS server. */
const DNS_TIMEOUT_MS = 2000;

export interface Address {
  readonly address: string;
  readonly family: number;
}

/** Resolves a host name. Throws if it has no IP address. */
export type Resolve = (name: string) => Promise<readonly Address[]>;

/** The host has no IP address, or an IP address that must not be called. */
export class AddressRejected extends Error {
  constructor() {
    super('connections to this address are not allowed');
  }
}

export interface AddressRules {
  readonly allowPrivate: boolean;
  /** Whether requests to `localhost` and to loopback IP addresses are allowed; not to other names that resolve to them. */
  readonly allowLoopback?: boolean;
  readonly resolve?: Resolve;
  readonly ownAddresses?: () => readonly string[];
  readonly isPublic?: (address: string) => boolean;
}

/** Uses the system's resolver, which also resolves local host names and container names. */
const resolveBySystem: Resolve = (name) => systemLookup(name, { all: true });

/**
 * Queries the DNS servers directly. The system's resolver uses threads that the whole process shares, so a few names
 * with unresponsive DNS servers would delay every other lookup, such as for the mail server.
 */
const resolveByDns: Resolve = async (name) => {
  const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: 2 });
  const families = await Promise.allSettled([
    resolver.resolve4(name).then((found) => found.map((address) => ({ address, family: 4 }))),
    resolver.resolve6(name).then((found) => found.map((address) => ({ address, family: 6 }))),
  ]);
  return families.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
};

/**
 * Returns a function that resolves a URL's host. The function throws {@link AddressRejected} if the host has no IP
 * address, or if any of its addresses is not allowed.
 */
export function createAddressesOf({
  allowPrivate,
  allowLoopback = false,
  resolve = allowPrivate ? resolveBySystem : resolveByDns,
  ownAddresses = machineAddresses,
  isPublic = isPublicAddress,
}: AddressRules) {
  return async function addressesOf(url: URL): Promise<readonly Address[]> {
    const host = url.hostname.replace(/^\[|\]$/g, '');
    // DNS servers do not resolve `localhost`.
    if (allowLoopback && isLoopback(host)) return resolveBySystem(host);
    const family = isIP(host);
    const addresses = family > 0 ? [{ address: host, family }] : await resolve(host);
    const own = ownAddresses();
    const isAllowed = ({ address }: Address) =>
      isPublic(address) && !own.some((other) => isSameAddress(address, other));
    const allowed = allowPrivate || addresses.every(isAllowed);
    if (addresses.length === 0 || !allowed) throw new AddressRejected();
    return addresses;
  };
}

/**
 * Settles like `work`, but rejects when the signal aborts, because a DNS lookup may exceed the time limit of the call.
 */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    work.then(resolve, reject);
  });
}

/** Returns a DNS lookup function that always returns these IP addresses, which were checked before. */
export function pinnedTo(addresses: readonly Address[]): LookupFunction {
  return (_name, { all }, done) => {
    if (all) return done(null, [...addresses]);
    const [{ address, family }] = addresses as [Address];
    done(null, address, family);
  };
}
