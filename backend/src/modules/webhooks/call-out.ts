/**
 * Sends POST requests to URLs that customers configured. Resolves the host name first, checks every IP address, and
 * connects to a checked address, which prevents DNS rebinding. Does not follow redirects.
 */
import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { printable } from '../../platform/control-characters.js';
import { createAddressesOf, pinnedTo, untilAborted, type AddressRules } from '../../platform/http/checked-address.js';

/** Time limit for a request to a webhook; servers should accept the event and process it later. */
export const WEBHOOK_TIMEOUT_MS = 5000;
/** Maximum number of bytes read from a webhook's reply. */
const WEBHOOK_REPLY_LIMIT = 10_000;
/** Number of characters of a reply that are stored for the log. */
const STORED_REPLY_LENGTH = 500;
/** Maximum number of interim replies such as `103 Early Hints`: an endless series would keep the processor busy. */
const MAX_INTERIM_REPLIES = 10;

export interface CallReply {
  readonly status: number;
  /** The start of the reply as text. */
  readonly text: string;
}

export interface CallOut {
  /** Whether the URL may be called, based on the IP addresses that its host currently resolves to. */
  mayCall(url: URL): Promise<boolean>;
  /** Throws if there is no reply in time. */
  post(url: URL, headers: Readonly<Record<string, string>>, body: string): Promise<CallReply>;
}

export function createCallOut(options: AddressRules): CallOut {
  const { allowPrivate } = options;
  const addressesOf = createAddressesOf(options);

  return {
    // If private addresses are allowed, the host name does not have to resolve yet.
    mayCall: async (url) =>
      allowPrivate ||
      untilAborted(addressesOf(url), AbortSignal.timeout(WEBHOOK_TIMEOUT_MS)).then(
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

interface Exchange {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
  readonly lookup: LookupFunction;
}

/**
 * Sends a request and returns the reply. Always settles: after a complete reply, when the connection
 * closes, and at the latest when the signal aborts.
 */
function exchange(url: URL, { headers, body, signal, lookup }: Exchange): Promise<CallReply> {
  return new Promise((resolve, reject) => {
    let status: number | undefined;
    let start = Buffer.alloc(0);
    let interimReplies = 0;
    const settle = () => {
      if (status !== undefined) resolve({ status, text: startOfReply(start) });
      else reject(new Error('the connection closed without a reply'));
    };
    const request = (url.protocol === 'https:' ? https : http).request(url, {
      method: 'POST',
      // Always a new connection: a reused connection could go to an address that the name no longer resolves to.
      agent: false,
      lookup,
      signal,
      headers: { ...headers, 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) },
    });
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    request.on('error', reject);
    request.on('close', settle);
    request.on('information', () => {
      if (++interimReplies > MAX_INTERIM_REPLIES) request.destroy(new Error('too many interim replies'));
    });
    // `101 Switching Protocols`: the connection is no longer HTTP, and no response follows.
    request.on('upgrade', ({ statusCode }, socket) => {
      socket.destroy();
      status = statusCode;
      settle();
    });
    request.on('response', (response) => {
      status = response.statusCode;
      let bytes = 0;
      // A short reply is read completely, so that the server does not see a broken connection.
      response.on('data', (chunk: Buffer) => {
        // Keeps enough bytes: a character has up to four.
        if (bytes < 4 * STORED_REPLY_LENGTH) start = Buffer.concat([start, chunk]);
        bytes += chunk.length;
        if (bytes > WEBHOOK_REPLY_LIMIT) response.destroy();
      });
      response.on('close', settle);
      response.on('error', settle);
    });
    request.end(body);
  });
}

/** Returns the start of a reply, without control characters. Replaces digits that could be a code with `…`. */
function startOfReply(reply: Buffer): string {
  const text = printable(reply.toString('utf8')).replace(/\d{4,}/g, '…');
  return text.length > STORED_REPLY_LENGTH ? `${text.slice(0, STORED_REPLY_LENGTH)}…` : text;
}
