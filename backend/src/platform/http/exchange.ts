/**
 * Sends HTTP requests to vendors and webhooks. Resolves the host name first, checks every IP address, and connects to a
 * checked address, which prevents DNS rebinding. Connecting and the whole exchange have time limits, replies are limited
 * in size, and redirects are not followed.
 */
import http from 'node:http';
import https from 'node:https';
import type { LookupFunction, Socket } from 'node:net';
import { AddressRejected, createAddressesOf, pinnedTo, untilAborted, type AddressRules } from './checked-address.js';
import { capitalized } from '../capitalized.js';

/** `503 Service unavailable` */
export const statusText = (status: number): string =>
  `${status} ${capitalized((http.STATUS_CODES[status] ?? '').toLowerCase())}`.trim();

/**
 * Time limit for opening a connection: 3 seconds, measured in steps. A single timer could fire late and close a
 * connection that was opened while the process was busy.
 */
const CONNECT_STEP_MS = 500;
const CONNECT_STEPS = 6;
/**
 * How long an idle connection stays open. Shorter than proxies' idle timeouts, so that no request is sent on a
 * connection that is being closed.
 */
const IDLE_MS = 4000;
/** Maximum number of bytes read from a reply, by default. */
const REPLY_LIMIT = 64 * 1024;
/** Maximum number of interim replies such as `103 Early Hints`: an endless series would keep the processor busy. */
const MAX_INTERIM_REPLIES = 10;

export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

export interface HttpReply {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
  readonly bytes: Buffer;
  /** Whether the reply exceeded the size limit or broke off. If so, `text` and `bytes` contain only its beginning. */
  readonly truncated: boolean;
}

/**
 * - `rejectedAddress`: the address may not be called.
 * - `unreachable`: there is no connection, so nothing was sent.
 * - `noReply`: the connection was opened, so the request may have been processed.
 */
export type ExchangeFailure = 'rejectedAddress' | 'unreachable' | 'noReply';

export class ExchangeError extends Error {
  constructor(
    readonly failure: ExchangeFailure,
    readonly timedOut: boolean,
    cause: Error,
    /** The beginning of a reply that broke off. */
    readonly partialReply?: HttpReply,
  ) {
    super(cause.message, { cause });
  }
}

export interface ExchangeOptions {
  /**
   * Whether idle connections are used again. By default, only if private IP addresses are allowed: otherwise, each
   * request must check the addresses to which the host name resolves.
   */
  readonly reuseConnections?: boolean;
  /** Maximum number of bytes read from a reply. */
  readonly replyLimit?: number;
}

export type Exchange = ReturnType<typeof createExchange>;

export function createExchange(
  rules: AddressRules,
  { reuseConnections = rules.allowPrivate, replyLimit = REPLY_LIMIT }: ExchangeOptions = {},
) {
  const addressesOf = createAddressesOf(rules);
  const reuse = { keepAlive: true, timeout: IDLE_MS };
  const agents = reuseConnections ? { http: new http.Agent(reuse), https: new https.Agent(reuse) } : undefined;

  async function resolve(url: URL, signal: AbortSignal): Promise<LookupFunction> {
    try {
      return pinnedTo(await untilAborted(addressesOf(url), signal));
    } catch (error) {
      const failure = error instanceof AddressRejected ? 'rejectedAddress' : 'unreachable';
      throw new ExchangeError(failure, signal.aborted, error as Error);
    }
  }

  /** Whether the URL may be called, based on the IP addresses that its host currently resolves to. */
  const mayCall = (url: URL, timeoutMs: number): Promise<boolean> =>
    resolve(url, AbortSignal.timeout(timeoutMs)).then(
      () => true,
      () => false,
    );

  /** Throws an {@link ExchangeError} if there is no complete reply in time. */
  async function send(request: HttpRequest, timeoutMs: number): Promise<HttpReply> {
    const url = new URL(request.url);
    const secure = url.protocol === 'https:';
    const signal = AbortSignal.timeout(timeoutMs);
    const lookup = await resolve(url, signal);
    const { method, body = '' } = request;
    const length = body === '' && method === 'GET' ? {} : { 'Content-Length': Buffer.byteLength(body) };
    const outgoing = (secure ? https : http).request(url, {
      method,
      agent: agents?.[secure ? 'https' : 'http'] ?? false,
      lookup,
      signal,
      headers: { ...request.headers, ...length },
    });
    return replyTo(outgoing, body, secure, signal, replyLimit);
  }

  function close(): void {
    agents?.http.destroy();
    agents?.https.destroy();
  }

  return { mayCall, send, close };
}

/** Sends the request and reads the reply. Always settles: at the latest when the signal aborts. */
function replyTo(
  request: http.ClientRequest,
  body: string,
  secure: boolean,
  signal: AbortSignal,
  replyLimit: number,
): Promise<HttpReply> {
  return new Promise((resolve, reject) => {
    const connected = watchConnection(request, secure);
    let connectTimedOut = false;
    let steps = 0;
    const connecting = setInterval(() => {
      if (connected()) return clearInterval(connecting);
      if (++steps < CONNECT_STEPS) return;
      connectTimedOut = true;
      request.destroy(new Error('could not connect in time'));
    }, CONNECT_STEP_MS);
    const fail = (cause: Error, partialReply?: HttpReply) => {
      const failure = connected() ? 'noReply' : 'unreachable';
      reject(new ExchangeError(failure, signal.aborted || connectTimedOut, cause, partialReply));
    };
    let interimReplies = 0;
    let responded = false;
    signal.addEventListener('abort', () => fail(signal.reason as Error), { once: true });
    request.on('error', fail);
    request.on('close', () => {
      clearInterval(connecting);
      if (!responded) fail(new Error('the connection closed without a reply'));
    });
    request.on('information', () => {
      if (++interimReplies > MAX_INTERIM_REPLIES) request.destroy(new Error('too many interim replies'));
    });
    // `101 Switching Protocols`: the connection is no longer HTTP, and no response follows.
    request.on('upgrade', ({ statusCode: status = 101, headers }, socket) => {
      socket.destroy();
      fail(new Error('the server switched protocols'), replyOf(status, headers, Buffer.alloc(0), true));
    });
    request.on('response', (response) => {
      responded = true;
      clearInterval(connecting);
      readReply(response, replyLimit, resolve, fail);
    });
    request.end(body);
  });
}

/**
 * Returns a function that reports whether the connection was opened. From then on, the request may have been written.
 */
function watchConnection(request: http.ClientRequest, secure: boolean): () => boolean {
  let connected = false;
  request.once('socket', (socket: Socket) => {
    connected = request.reusedSocket;
    // A reused connection does not emit the connect event again, so a listener would never be removed.
    if (!connected) socket.once(secure ? 'secureConnect' : 'connect', () => (connected = true));
  });
  return () => connected;
}

/** Decodes the text only when it is read, because a reply may be a large file. */
const replyOf = (status: number, headers: http.IncomingHttpHeaders, bytes: Buffer, truncated: boolean): HttpReply => ({
  status,
  headers,
  bytes,
  get text() {
    return bytes.toString('utf8');
  },
  truncated,
});

function readReply(
  response: http.IncomingMessage,
  limit: number,
  done: (reply: HttpReply) => void,
  fail: (cause: Error, partialReply: HttpReply) => void,
): void {
  const { statusCode: status = 0, headers } = response;
  const chunks: Buffer[] = [];
  let length = 0;
  const reply = (truncated: boolean): HttpReply =>
    replyOf(status, headers, Buffer.concat(chunks).subarray(0, limit), truncated);
  response.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    length += chunk.length;
    if (length <= limit) return;
    done(reply(true));
    response.destroy();
  });
  response.on('end', () => done(reply(false)));
  response.on('error', (error) => fail(error, reply(true)));
}

/** Returns the pause in the reply's Retry-After header; undefined without a valid header. */
export function retryAfterSeconds({ headers }: Pick<HttpReply, 'headers'>, now: number): number | undefined {
  const value = headers['retry-after'];
  if (!value) return undefined;
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - now) / 1000;
  return Number.isFinite(seconds) ? Math.max(1, Math.ceil(seconds)) : undefined;
}
