/**
 * An HTTP client for the Twilio SDK. It replaces the SDK's own client, which supports neither plain http nor a connect
 * timeout, does not report whether a failed request was written, and uses HTTP_PROXY. It uses undici, which needs a third
 * of the CPU time of Node's http module.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Agent, Dispatcher } from 'undici';
import type RequestClient from 'twilio/lib/base/RequestClient.js';
import type { Clock } from '../platform/clock.js';
import { parseJsonObject } from '../platform/json.js';
import { retryAfterSeconds } from '../platform/http/exchange.js';
import { transportError } from './http-failure.js';
import { ProviderError } from './provider.js';
import type { OnReply } from './provider-type.js';
import { codeDetails, toProviderError } from './twilio-errors.js';

const CONNECT_TIMEOUT_MS = 3000;
/**
 * How long an idle connection stays open. Shorter than proxies' idle timeouts, so that no request is sent on a
 * connection that is being closed.
 */
const TWILIO_IDLE_MS = 4000;
/** Maximum number of bytes of a reply. */
const TWILIO_REPLY_LIMIT = 100_000;

type Options<T> = RequestClient.RequestOptions<T>;

interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Sends each request once, with a deadline. Throws every failure as a {@link ProviderError}. */
export class TwilioRequestClient implements Pick<RequestClient, 'request'> {
  #agent: Promise<Agent> | undefined;

  /**
   * `apiUrl` replaces the origin of every request URL. The path in `apiUrl` is added before the path of the request
   * URL.
   */
  constructor(
    readonly timeoutMs: number,
    readonly clock: Clock,
    readonly apiUrl?: string,
    readonly onReply?: OnReply,
  ) {}

  async request<T>(options: Options<T>) {
    const reply = await this.#exchange(options);
    if (options.method === 'post') this.onReply?.(reply);
    const body = parseJsonObject(reply.text);
    const details = { status: reply.status, reply: reply.text };
    if (reply.status < 200 || reply.status > 299) {
      const code = typeof body?.code === 'number' ? body.code : undefined;
      const error = toProviderError(reply.status, code, retryAfterSeconds(reply, this.clock.now()));
      throw error.withDetails(code === undefined ? details : { ...details, ...codeDetails(code) });
    }
    // The status is 2xx, so Twilio has probably accepted the message, although the body is not in Twilio's format.
    if (options.method === 'post' && typeof body?.sid !== 'string')
      throw new ProviderError('unknown', "Twilio's confirmation cannot be read").withDetails(details);
    return { statusCode: reply.status, body: body as T, headers: reply.headers };
  }

  close(): void {
    void this.#agent?.then((agent) => agent.destroy());
  }

  async #exchange<T>(options: Options<T>): Promise<Reply> {
    const url = this.#target(options.uri);
    for (const [name, value] of Object.entries(options.params ?? {})) url.searchParams.set(name, String(value));
    const credentials = Buffer.from(`${options.username}:${options.password}`).toString('base64');
    const body = new URLSearchParams(options.data as Record<string, string> | undefined).toString();
    const agent = await (this.#agent ??= openAgent());
    return exchange(agent, this.timeoutMs, {
      origin: url.origin,
      path: url.pathname + url.search,
      method: options.method.toUpperCase() as Dispatcher.HttpMethod,
      headers: { ...(options.headers as Record<string, string>), Authorization: `Basic ${credentials}` },
      body: body === '' ? null : body,
    });
  }

  #target(uri: string): URL {
    const target = new URL(uri);
    if (this.apiUrl === undefined) return target;
    const base = new URL(this.apiUrl);
    return new URL(base.origin + base.pathname.replace(/\/$/, '') + target.pathname + target.search);
  }
}

async function openAgent(): Promise<Agent> {
  // Imported dynamically, like the SDK, because many processes never need it.
  const { Agent } = await import('undici');
  // With one request at a time per connection and without HTTP/2, undici never repeats a request by itself.
  return new Agent({
    pipelining: 1,
    allowH2: false,
    connect: { timeout: CONNECT_TIMEOUT_MS },
    keepAliveTimeout: TWILIO_IDLE_MS,
    keepAliveMaxTimeout: TWILIO_IDLE_MS,
    // `exchange` has a time limit for the whole reply.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

/** Sends a request once. Throws a {@link ProviderError} if there is no complete reply after `timeoutMs`. */
function exchange(agent: Agent, timeoutMs: number, options: Dispatcher.DispatchOptions): Promise<Reply> {
  return new Promise((resolve, reject) => {
    let started: Dispatcher.DispatchController | undefined;
    let timedOut = false;
    const fail = (error: Error) => {
      clearTimeout(timer);
      const failure = started === undefined ? 'unreachable' : 'noReply';
      reject(transportError('Twilio', { failure, timedOut: timedOut || isConnectTimeout(error) }));
    };
    const timer = setTimeout(() => {
      timedOut = true;
      const error = new Error('no reply in time');
      started?.abort(error);
      fail(error);
    }, timeoutMs);
    let head: Omit<Reply, 'text'>;
    const chunks: Buffer[] = [];
    let length = 0;
    agent.dispatch(options, {
      // From here on, the request may have been written.
      onRequestStart(controller) {
        if (timedOut) return controller.abort(new Error('no connection in time'));
        started = controller;
      },
      onResponseStart: (_controller, status, headers) => void (head = { status, headers }),
      onResponseData(controller, chunk) {
        chunks.push(chunk);
        length += chunk.length;
        if (length > TWILIO_REPLY_LIMIT) controller.abort(new Error('reply too long'));
      },
      onResponseEnd() {
        clearTimeout(timer);
        resolve({ ...head, text: Buffer.concat(chunks).toString('utf8') });
      },
      onResponseError: (_controller, error) => fail(error),
    });
  });
}

const isConnectTimeout = (error: Error): boolean =>
  ['UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT'].includes((error as NodeJS.ErrnoException).code ?? '');
