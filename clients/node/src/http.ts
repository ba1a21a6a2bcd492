/** Calls the API with time limits. Retries only calls that are safe to repeat. */
import { PassbellError } from './errors.js';
import type { Schemas } from './types.js';
import { VERSION } from './version.js';

/**
 * A send waits up to 3 seconds for its outcome by default (`SEND_WAIT_MS`), so 10 seconds is enough on a slow network.
 */
const TIMEOUT_MS = 10_000;
const MAX_RETRIES = 2;
/** Pause before the first retry. It doubles with every retry. */
const RETRY_PAUSE_MS = 250;
/** The longest pause before a retry. If the service requires a longer pause, the call fails. */
const MAX_PAUSE_SECONDS = 5;

/** Errors after which the same call may succeed soon. */
const TRANSIENT: ReadonlySet<string> = new Set([
  'CONNECTION_FAILED',
  'TIMED_OUT',
  'SERVICE_UNAVAILABLE',
  'OVERLOADED',
  'IDEMPOTENCY_IN_FLIGHT',
]);

export interface CallOptions {
  /** Cancels the call. */
  readonly signal?: AbortSignal | undefined;
  /** Time limit of each attempt, in milliseconds. */
  readonly timeoutMs?: number | undefined;
  /** Identifies the call in the server's log: 8 to 36 letters, digits, dots, dashes and underscores. Random by default. */
  readonly requestId?: string | undefined;
}

export interface SendOptions extends CallOptions {
  /**
   * Identifies the call: repeating the call within 24 hours sends nothing, and returns the same result. By default,
   * each call has a random key, which protects only its own retries.
   */
  readonly idempotencyKey?: string | undefined;
}

export interface HttpOptions {
  /** URL of the service, with or without `/api/v1`. */
  readonly baseUrl: string;
  readonly appKey: string;
  readonly appSecret: string;
  /** Time limit of each attempt, in milliseconds. The default is 10 seconds. */
  readonly timeoutMs?: number | undefined;
  /** Maximum number of retries of a call that is safe to repeat. The default is 2. */
  readonly maxRetries?: number | undefined;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
  /** Called for each problem that did not make a call fail, such as an unknown parameter, with the path of the call. */
  readonly onWarning?: ((warning: string, path: string) => void) | undefined;
}

export interface Request {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  /** Whether the call may be repeated even if it may already have succeeded. */
  readonly repeatable: boolean;
  readonly idempotencyKey?: string | undefined;
}

/** Details of the call, beside the reply's data. */
export interface ReplyMeta {
  /** Identifies the request in the server's log. */
  readonly requestId: string | undefined;
  /** Whether this is the reply to an earlier call with the same Idempotency-Key. */
  readonly replayed: boolean;
  /** Problems that did not make the call fail, such as unknown parameters. */
  readonly warnings: readonly string[];
}

export interface Reply {
  readonly data: unknown;
  readonly meta: ReplyMeta;
}

type Success = Schemas['Success'] & { readonly data?: unknown };
export type Http = (request: Request, options?: CallOptions) => Promise<Reply>;

/** Removes trailing slashes and `/api/v1` from the service URL. */
export const serverUrl = (baseUrl: string): string => baseUrl.replace(/(?<!\/)\/+$/, '').replace(/\/api\/v1$/, '');

export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal!.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}

function parse(status: number, text: string, requestId: string): Success | Schemas['Failure'] {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    // Invalid JSON is reported below.
  }
  if (typeof (body as Success | undefined)?.success === 'boolean') return body as Success | Schemas['Failure'];
  if (status >= 500) throw new PassbellError('CONNECTION_FAILED', `a proxy replied with HTTP ${status}`, { requestId });
  const message = `HTTP ${status} is not a reply from Passbell`;
  throw new PassbellError('UNEXPECTED_REPLY', message, { hint: 'Check baseUrl.', requestId });
}

/** Throws an error that names the option if a value cannot be sent in a header. */
function assertHeaderValues(values: object): void {
  for (const [name, value] of Object.entries(values))
    if (value !== undefined && !/^[\x20-\x7e]+$/.test(String(value)))
      throw new TypeError(`Passbell: ${name} must be one or more printable ASCII characters`);
}

const metaOf = (headers: Headers, requestId: string, { warnings = [] }: Success | Schemas['Failure']): ReplyMeta => ({
  requestId: headers.get('x-request-id') ?? requestId,
  replayed: headers.get('idempotent-replayed') === 'true',
  warnings,
});

export function createHttp(options: HttpOptions): Http {
  const { appKey, appSecret, timeoutMs = TIMEOUT_MS, maxRetries = MAX_RETRIES } = options;
  const apiUrl = `${serverUrl(options.baseUrl)}/api/v1`;

  function exchange({ method, path, body, idempotencyKey }: Request, requestId: string, signal: AbortSignal) {
    const headers: Record<string, string> = {
      clientId: appKey,
      clientSecret: appSecret,
      'User-Agent': `passbell-node/${VERSION}`,
      'X-Request-Id': requestId,
    };
    if (body !== undefined) headers['Content-Type'] = 'application/json';
    if (idempotencyKey !== undefined) headers['Idempotency-Key'] = idempotencyKey;
    const init: RequestInit = { method, headers, signal };
    if (body !== undefined) init.body = JSON.stringify(body);
    // A redirect could send the credentials to another server.
    return (options.fetch ?? fetch)(`${apiUrl}${path}`, { ...init, redirect: 'manual' });
  }

  async function attempt(request: Request, requestId: string, call: CallOptions): Promise<Reply> {
    const limit = call.timeoutMs ?? timeoutMs;
    const controller = new AbortController();
    const abort = () => controller.abort();
    const timer = setTimeout(abort, limit);
    call.signal?.addEventListener('abort', abort, { once: true });
    let response: { status: number; headers: Headers; text: string };
    try {
      const reply = await exchange(request, requestId, controller.signal);
      response = { status: reply.status, headers: reply.headers, text: await reply.text() };
    } catch (cause) {
      call.signal?.throwIfAborted();
      const details = { cause, requestId };
      if (controller.signal.aborted) throw new PassbellError('TIMED_OUT', `no reply within ${limit} ms`, details);
      throw new PassbellError('CONNECTION_FAILED', `${apiUrl} could not be reached`, details);
    } finally {
      clearTimeout(timer);
      call.signal?.removeEventListener('abort', abort);
    }
    const body = parse(response.status, response.text, requestId);
    const meta = metaOf(response.headers, requestId, body);
    for (const warning of meta.warnings) options.onWarning?.(warning, request.path);
    if (!body.success) throw new PassbellError(body.code, body.message, { ...body, ...meta });
    return { data: body.data, meta };
  }

  /** Returns the pause before the next attempt in milliseconds; undefined if the call is not retried. */
  function pauseAfter(error: unknown, attempts: number): number | undefined {
    if (!(error instanceof PassbellError) || !TRANSIENT.has(error.code) || attempts > maxRetries) return undefined;
    const { retryAfterSeconds = 0 } = error;
    if (retryAfterSeconds > MAX_PAUSE_SECONDS) return undefined;
    return Math.max(retryAfterSeconds * 1000, RETRY_PAUSE_MS * 2 ** (attempts - 1));
  }

  return async function http(request, call = {}) {
    const { requestId = crypto.randomUUID() } = call;
    assertHeaderValues({ requestId, idempotencyKey: request.idempotencyKey });
    for (let attempts = 1; ; attempts++) {
      call.signal?.throwIfAborted();
      try {
        return await attempt(request, requestId, call);
      } catch (error) {
        const ms = request.repeatable ? pauseAfter(error, attempts) : undefined;
        if (ms === undefined) throw error;
        await pause(ms, call.signal);
      }
    }
  };
}
