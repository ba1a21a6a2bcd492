/** Calls the service, and maps its replies to Zapier's errors. */
import { Readable } from 'node:stream';
import type {
  AfterResponseMiddleware,
  BeforeRequestMiddleware,
  Bundle,
  HttpRequestOptions,
  ZObject,
} from 'zapier-platform-core';
import { normalizeBaseUrl } from './base-url.js';
import { expiredAuthError } from './failures.js';
import type { ERRORS } from './generated/errors.js';
import { adviceFor, SERVER_HINTS } from './hints.js';
import { LABELS, withFieldLabels } from './labels.js';

type ErrorCode = keyof typeof ERRORS;

/** A hanging server would otherwise block the run until Zapier ends it. */
const TIMEOUT_MS = 30_000;

export interface Reply<Data> {
  readonly success: boolean;
  readonly message: string;
  readonly code?: ErrorCode;
  readonly hint?: string;
  /** The parameter that caused the failure. */
  readonly field?: string;
  readonly retryAfterSeconds?: number;
  /** After the last wrong code: seconds for which the verification is locked. */
  readonly lockedForSeconds?: number;
  readonly data: Data;
  /** Whether the service returned the reply to an earlier request with the same Idempotency-Key. */
  readonly repeated?: boolean;
}

export interface Call {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  /** Below the Base URL. */
  readonly path: string;
  readonly params?: Record<string, string>;
  readonly body?: object;
  /** The service performs requests with the same key once. */
  readonly idempotencyKey?: string;
  /** Failures to return to the caller. All others are thrown. */
  readonly accept?: readonly ErrorCode[];
  /** Fields that a successful reply must have, by path. Other servers may also reply with `success`. */
  readonly expects: Readonly<Record<string, FieldType>>;
  /** Labels of fields that differ from those of other actions, by their name in the contract. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** Calls the service. Throws failures as Zapier errors. */
export async function call<Data>(z: ZObject, bundle: Bundle, request: Call): Promise<Reply<Data>> {
  const { method = 'POST', path, params, body, idempotencyKey, accept = [], expects, labels } = request;
  const url = normalizeBaseUrl(bundle.authData.baseUrl ?? '');
  if (url === undefined)
    throw new z.errors.Error(
      'The Base URL is not a valid HTTPS address. Enter an address such as https://auth.example.com.',
      'INVALID_BASE_URL',
      400,
    );
  const options: HttpRequestOptions = {
    method,
    headers: { Accept: 'application/json', ...(idempotencyKey ? { 'Idempotency-Key': idempotencyKey } : {}) },
    middlewareData: { accept, expects, labels },
    timeout: TIMEOUT_MS,
    // The credentials must not follow a redirect to another host.
    redirect: 'manual',
  };
  if (params) options.params = params;
  if (body) {
    const bytes = Buffer.from(JSON.stringify(body));
    options.headers!['Content-Type'] = 'application/json';
    options.headers!['Content-Length'] = String(bytes.length);
    // A stream, because Zapier replaces {{…}} in other bodies and logs them, including the OTP.
    options.body = Readable.from([bytes]);
  }
  const response = await z
    .request<Reply<Data>>({ url: `${url}${path}`, ...options })
    .catch((error: Error & { code?: string; type?: string }) => {
      if (error.name !== 'FetchError') throw error;
      const reason = error.code ?? (error.type === 'system' ? undefined : error.type);
      const problem = `Passbell cannot be reached${reason ? ` (${reason})` : ''}.`;
      throw new z.errors.Error(
        `${problem} Check the Base URL, and make sure that the server is running.`,
        'UNREACHABLE',
        503,
      );
    });
  return { ...response.data, repeated: response.getHeader('Idempotent-Replayed') === 'true' };
}

/** Adds the credentials to every request. */
export const addCredentials: BeforeRequestMiddleware = (request, z, bundle) => {
  const [appKey, appSecret] = [bundle.authData.appKey ?? '', bundle.authData.appSecret ?? ''].map((text) =>
    String(text).trim(),
  ) as [string, string];
  // Other characters are invalid in a header, and the resulting error would quote the secret.
  if (![appKey, appSecret].every((text) => /^[\x21-\x7e]*$/.test(text)))
    throw expiredAuthError(z, 'The App Key or the App Secret contains an invalid character. Copy both again.');
  return { ...request, headers: { ...request.headers, clientId: appKey, clientSecret: appSecret } };
};

type FieldType = 'string' | 'object' | 'array';

function hasField(reply: unknown, path: string, type: FieldType): boolean {
  const value = path
    .split('.')
    .reduce<unknown>((parent, name) => (parent as Record<string, unknown> | null | undefined)?.[name], reply);
  if (type === 'array') return Array.isArray(value);
  return typeof value === type && value !== null && !Array.isArray(value);
}

function parseReply(content: string, expects: Call['expects']): Reply<unknown> | undefined {
  try {
    const reply = JSON.parse(content) as Partial<Reply<unknown>> | null;
    if (typeof reply?.success !== 'boolean' || typeof reply.message !== 'string') return undefined;
    const isComplete = Object.entries(expects).every(([path, type]) => hasField(reply, path, type));
    return !reply.success || isComplete ? (reply as Reply<unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Statuses of proxies whose server does not respond. */
const GATEWAY_STATUSES = [502, 503, 504];

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`.replace(/[^.!?]$/, '$&.');

/** Throws the Zapier error that matches a failure. */
export const checkReply: AfterResponseMiddleware = (response, z) => {
  const {
    accept = [],
    expects = {},
    labels,
  } = (response.request.middlewareData ?? {}) as Partial<Pick<Call, 'accept' | 'expects' | 'labels'>>;
  const reply = parseReply(response.content, expects);
  if (reply === undefined && GATEWAY_STATUSES.includes(response.status))
    throw new z.errors.Error(
      `Passbell did not respond to the proxy in front of it (HTTP status ${response.status}). The server may be down or restarting. If this step sends a message, it may have been sent, but a replay does not send it twice.`,
      'UNREACHABLE',
      response.status,
    );
  if (reply === undefined) {
    const problem =
      response.status >= 300 && response.status < 400
        ? 'redirects to another address'
        : 'does not point to a Passbell server';
    throw new z.errors.Error(
      `The Base URL ${problem} (HTTP status ${response.status}). Check that it is the address of your Passbell server, and that the server is running.`,
      'UNEXPECTED_REPLY',
      response.status,
    );
  }
  const { success, message, code, hint: serverHint = '', field = '', retryAfterSeconds } = reply;
  if (success || (code !== undefined && accept.includes(code))) return response;
  const label = labels?.[field] ?? LABELS[field];
  const emptyField = code === 'MISSING_PARAMETERS' && label !== undefined ? `${label} is empty.` : undefined;
  // The message of a throttled call says how long to wait.
  const ownAdvice = retryAfterSeconds === undefined ? adviceFor(code ?? '') : undefined;
  const advice = SERVER_HINTS.includes(code ?? '') ? withFieldLabels(code, serverHint) : ownAdvice;
  const hint = emptyField ?? advice ?? '';
  const text = `${sentence(withFieldLabels(code, String(message), labels))} ${hint}`.trim();
  if (code === 'INVALID_CREDENTIALS' || code === 'MISSING_CREDENTIALS') throw expiredAuthError(z, text);
  if (retryAfterSeconds !== undefined) throw new z.errors.ThrottledError(text, retryAfterSeconds);
  throw new z.errors.Error(text, code, response.status);
};
