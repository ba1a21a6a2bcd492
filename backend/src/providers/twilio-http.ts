/**
 * How the Twilio SDK's requests travel. In place of the SDK's own way, which covers neither plain http nor the time
 * that connecting takes, cannot tell a request that left from one that did not, and reads HTTP_PROXY.
 */
import http from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import RequestClient from 'twilio/lib/base/RequestClient.js';
import { CONNECT_TIMEOUT_MS, TWILIO_IDLE_MS, TWILIO_REPLY_LIMIT } from '../platform/limits.js';
import { ChannelError } from './provider.js';
import { refusal } from './twilio-errors.js';

type Options<T> = RequestClient.RequestOptions<T>;
type Reply = Pick<http.IncomingMessage, 'headers'> & { readonly status: number; readonly text: string };

/** The SDK's way out: one attempt a request, one deadline over all of it, every failure a {@link ChannelError}. */
export class TwilioRequestClient extends RequestClient {
  readonly #agents = {
    'http:': new http.Agent({ keepAlive: true, timeout: TWILIO_IDLE_MS }),
    'https:': new https.Agent({ keepAlive: true, timeout: TWILIO_IDLE_MS }),
  };

  /** `apiUrl` replaces the origin of every request; a path in it goes before theirs. */
  constructor(
    readonly timeoutMs: number,
    readonly apiUrl?: string,
  ) {
    super();
  }

  override async request<T>(options: Options<T>) {
    const reply = await this.#exchange(options);
    const body = parse(reply.text);
    if (reply.status < 200 || reply.status > 299) {
      const code = typeof body?.code === 'number' ? body.code : undefined;
      throw refusal({ status: reply.status, code, retryAfter: reply.headers['retry-after'] });
    }
    // A 2xx means that it was taken, whoever said so.
    if (options.method === 'post' && typeof body?.sid !== 'string')
      throw new ChannelError('unclear', "Twilio's confirmation cannot be read");
    return { statusCode: reply.status, body: body as T, headers: reply.headers };
  }

  /** Lets go of the connections. */
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
      const left = watchDeparture(request, secure);
      const connecting = setTimeout(() => {
        if (!left()) request.destroy(Object.assign(new Error('no connection in time'), { code: 'ETIMEDOUT' }));
      }, CONNECT_TIMEOUT_MS);
      request.on('close', () => clearTimeout(connecting));
      request.on('error', (error) => reject(transportFailure(error, left())));
      request.on('response', (response) => {
        readReply(response).then(resolve, (error: Error) => reject(transportFailure(error, true)));
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

/** Tells whether the request may have left: nothing is written before its connection stands. */
function watchDeparture(request: http.ClientRequest, secure: boolean): () => boolean {
  let connected = false;
  request.once('socket', (socket: Socket) => {
    connected = request.reusedSocket;
    // A connection that stands says so no more: the listener would stay on it for ever.
    if (!connected) socket.once(secure ? 'secureConnect' : 'connect', () => (connected = true));
  });
  return () => connected;
}

function transportFailure(error: Error, left: boolean): ChannelError {
  const late = ['ABORT_ERR', 'ETIMEDOUT'].includes((error as NodeJS.ErrnoException).code ?? '');
  if (left)
    return new ChannelError('unclear', late ? 'Twilio did not answer in time' : 'the connection to Twilio broke');
  return new ChannelError('passing', late ? 'Twilio could not be reached in time' : 'Twilio cannot be reached');
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
