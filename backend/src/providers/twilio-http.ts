/**
 * An HTTP client for the Twilio SDK. It replaces the SDK's own client, which supports neither plain http nor a connect
 * timeout, does not report whether a failed request was written, and uses HTTP_PROXY.
 */
import http from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import type RequestClient from 'twilio/lib/base/RequestClient.js';
import { ProviderError } from './provider.js';
import type { OnReply } from './provider-type.js';
import { toProviderError } from './twilio-errors.js';

const CONNECT_TIMEOUT_MS = 3000;
/**
 * How long an idle connection stays open. Shorter than proxies' idle timeouts, so that no request is sent on a
 * connection that is being closed.
 */
const TWILIO_IDLE_MS = 4000;
const TWILIO_REPLY_LIMIT = 100_000;

type Options<T> = RequestClient.RequestOptions<T>;
type Reply = Pick<http.IncomingMessage, 'headers'> & { readonly status: number; readonly text: string };

/** Sends each request once, with a deadline. Throws every failure as a {@link ProviderError}. */
export class TwilioRequestClient implements Pick<RequestClient, 'request'> {
  readonly #agents = {
    'http:': new http.Agent({ keepAlive: true, timeout: TWILIO_IDLE_MS }),
    'https:': new https.Agent({ keepAlive: true, timeout: TWILIO_IDLE_MS }),
  };

  /**
   * `apiUrl` replaces the origin of every request URL. The path in `apiUrl` is added before the path of the request
   * URL.
   */
  constructor(
    readonly timeoutMs: number,
    readonly apiUrl?: string,
    readonly onReply?: OnReply,
  ) {}

  async request<T>(options: Options<T>) {
    const reply = await this.#exchange(options);
    if (options.method === 'post') this.onReply?.(reply);
    const body = parse(reply.text);
    if (reply.status < 200 || reply.status > 299) {
      const code = typeof body?.code === 'number' ? body.code : undefined;
      throw toProviderError(reply.status, code, reply.headers['retry-after']);
    }
    // The status is 2xx, so Twilio has probably accepted the message, although the body is not in Twilio's format.
    if (options.method === 'post' && typeof body?.sid !== 'string')
      throw new ProviderError('unknown', "Twilio's confirmation cannot be read");
    return { statusCode: reply.status, body: body as T, headers: reply.headers };
  }

  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }

  #exchange<T>(options: Options<T>): Promise<Reply> {
    const url = this.#target(options.uri);
    for (const [name, value] of Object.entries(options.params ?? {})) url.searchParams.set(name, String(value));
    const secure = url.protocol === 'https:';
    const body = new URLSearchParams(options.data as Record<string, string> | undefined).toString();
    const credentials = Buffer.from(`${options.username}:${options.password}`).toString('base64');
    return new Promise((resolve, reject) => {
      const request = (secure ? https : http).request(url, {
        method: options.method,
        agent: secure ? this.#agents['https:'] : this.#agents['http:'],
        signal: AbortSignal.timeout(this.timeoutMs),
        headers: {
          ...(options.headers as http.OutgoingHttpHeaders),
          Authorization: `Basic ${credentials}`,
          'Content-Length': Buffer.byteLength(body),
        },
      });
      const written = watchConnection(request, secure);
      const connecting = setTimeout(() => {
        if (!written()) request.destroy(Object.assign(new Error('could not connect in time'), { code: 'ETIMEDOUT' }));
      }, CONNECT_TIMEOUT_MS);
      request.on('close', () => clearTimeout(connecting));
      request.on('error', (error) => reject(transportError(error, written())));
      request.on('response', (response) => {
        readReply(response).then(resolve, (error: Error) => reject(transportError(error, true)));
      });
      request.end(body);
    });
  }

  #target(uri: string): URL {
    const target = new URL(uri);
    if (this.apiUrl === undefined) return target;
    const base = new URL(this.apiUrl);
    return new URL(base.origin + base.pathname.replace(/\/$/, '') + target.pathname + target.search);
  }
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

function transportError(error: Error, written: boolean): ProviderError {
  const timedOut = ['ABORT_ERR', 'ETIMEDOUT'].includes((error as NodeJS.ErrnoException).code ?? '');
  if (written)
    return new ProviderError(
      'unknown',
      timedOut ? 'Twilio did not reply in time' : 'the connection to Twilio was lost',
    );
  return new ProviderError('transient', timedOut ? 'Twilio could not be reached in time' : 'Twilio cannot be reached');
}

async function readReply(response: http.IncomingMessage): Promise<Reply> {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) {
    text += chunk;
    if (text.length > TWILIO_REPLY_LIMIT) throw new Error('reply too long');
  }
  return { status: response.statusCode ?? 0, headers: response.headers, text };
}

function parse(text: string): { readonly code?: unknown; readonly sid?: unknown } | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}
