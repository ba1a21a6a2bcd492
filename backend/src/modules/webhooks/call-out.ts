/**
 * A POST to an address that a stranger named. The name is resolved first, every address is checked, and the connection
 * goes to what was checked, so that a name which changes its mind meanwhile leads nowhere else. No redirect is followed.
 */
import { lookup as resolveByDns } from 'node:dns/promises';
import http from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { WEBHOOK_REPLY_LIMIT, WEBHOOK_TIMEOUT_MS } from '../../platform/limits.js';
import { isPublicAddress } from './public-address.js';

export interface Address {
  readonly address: string;
  readonly family: number;
}

/** Finds the addresses of a name; throws when there are none. */
export type Resolve = (name: string) => Promise<readonly Address[]>;

export interface CallOutOptions {
  /** Private addresses are called as well. */
  readonly allowPrivate: boolean;
  readonly resolve?: Resolve;
}

export interface CallOut {
  /** Whether an address may be called, as far as can be told now. */
  mayCall(url: URL): Promise<boolean>;
  /** Answers the status of the reply; throws when there is none in time. */
  post(url: URL, headers: Readonly<Record<string, string>>, body: string): Promise<number>;
}

const systemResolve: Resolve = (name) => resolveByDns(name, { all: true });

export function createCallOut({ allowPrivate, resolve = systemResolve }: CallOutOptions): CallOut {
  /** Where an address leads now; throws when that is nowhere, or a place that may not be called. */
  async function addressesOf(url: URL): Promise<readonly Address[]> {
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const family = isIP(host);
    const addresses = family > 0 ? [{ address: host, family }] : await resolve(host);
    const allowed = allowPrivate || addresses.every(({ address }) => isPublicAddress(address));
    if (addresses.length === 0 || !allowed) throw new Error('the address may not be called');
    return addresses;
  }

  return {
    // Where everything may be called, a name may also be one that is known later.
    mayCall: async (url) =>
      allowPrivate ||
      addressesOf(url).then(
        () => true,
        () => false,
      ),

    async post(url, headers, body) {
      const signal = AbortSignal.timeout(WEBHOOK_TIMEOUT_MS);
      const addresses = await beforeEnd(addressesOf(url), signal);
      return exchange(url, { headers, body, signal, lookup: pinnedTo(addresses) });
    },
  };
}

/** Names are looked up by the system, which has its own idea of how long that takes. */
function beforeEnd<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    work.then(resolve, reject);
  });
}

/** A name service that knows these addresses and nothing else. */
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
      // A connection of its own: one that was kept could lead to an address that is no longer the name's.
      agent: false,
      lookup,
      signal,
      headers: { ...headers, 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) },
    });
    request.on('error', reject);
    request.on('response', (response) => {
      let bytes = 0;
      const end = () => resolve(response.statusCode ?? 0);
      // What it says does not matter; a short reply is heard out, so that its server sees no broken connection.
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
