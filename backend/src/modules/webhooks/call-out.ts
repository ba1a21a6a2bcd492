/**
 * Sends a POST request to an address that a customer configured. The host name is resolved first, every IP address is checked, and
 * the connection goes to a checked address, which prevents DNS rebinding. Redirects are not followed.
 */
import { lookup as resolveByDns } from 'node:dns/promises';
import http from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from './public-address.js';

/** Time limit for a request to a webhook; servers should accept the event and process it later. */
export const WEBHOOK_TIMEOUT_MS = 5000;
/** Bytes read of a webhook's reply, which is ignored. */
const WEBHOOK_REPLY_LIMIT = 10_000;

export interface Address {
  readonly address: string;
  readonly family: number;
}

/** Resolves a host name; throws when it has no address. */
export type Resolve = (name: string) => Promise<readonly Address[]>;

export interface CallOutOptions {
  /** Also call private and loopback addresses. */
  readonly allowPrivate: boolean;
  readonly resolve?: Resolve;
}

export interface CallOut {
  /** Whether the URL may be called, by the IP addresses to which its host resolves now. */
  mayCall(url: URL): Promise<boolean>;
  /** Returns the status of the reply; throws when there is none in time. */
  post(url: URL, headers: Readonly<Record<string, string>>, body: string): Promise<number>;
}

const systemResolve: Resolve = (name) => resolveByDns(name, { all: true });

export function createCallOut({ allowPrivate, resolve = systemResolve }: CallOutOptions): CallOut {
  /** Resolves and checks the address; throws when it has no IP address, or one that may not be called. */
  async function addressesOf(url: URL): Promise<readonly Address[]> {
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const family = isIP(host);
    const addresses = family > 0 ? [{ address: host, family }] : await resolve(host);
    const allowed = allowPrivate || addresses.every(({ address }) => isPublicAddress(address));
    if (addresses.length === 0 || !allowed) throw new Error('the address may not be called');
    return addresses;
  }

  return {
    // Where private addresses are allowed, a name may not resolve yet.
    mayCall: async (url) =>
      allowPrivate ||
      addressesOf(url).then(
        () => true,
        () => false,
      ),

    async post(url, headers, body) {
      const signal = AbortSignal.timeout(WEBHOOK_TIMEOUT_MS);
      const addresses = await untilAborted(addressesOf(url), signal);
      return exchange(url, { headers, body, signal, lookup: pinnedTo(addresses) });
    },
  };
}

/** The system resolver has no time limit of its own. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    work.then(resolve, reject);
  });
}

/** A DNS lookup that always returns the checked addresses. */
function pinnedTo(addresses: readonly Address[]): LookupFunction {
  return (_name, { all }, done) => {
    if (all) return done(null, [...addresses]);
    const [{ address, family }] = addresses as [Address];
    done(null, address, family);
  };
}

interface Exchange {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
  readonly lookup: LookupFunction;
}

function exchange(url: URL, { headers, body, signal, lookup }: Exchange): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? https : http).request(url, {
      method: 'POST',
      // A new connection each time: a reused one could go to an address to which the name no longer resolves.
      agent: false,
      lookup,
      signal,
      headers: { ...headers, 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) },
    });
    request.on('error', reject);
    request.on('response', (response) => {
      let bytes = 0;
      const end = () => resolve(response.statusCode ?? 0);
      // The reply is ignored, but a short one is read to its end, so that the server sees no broken connection.
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > WEBHOOK_REPLY_LIMIT) response.destroy();
      });
      response.on('close', end);
      response.on('error', end);
    });
    request.end(body);
  });
}
