/** One call of the service: what goes out, and what a reply means to Zapier. */
import { Readable } from 'node:stream';
import type {
  AfterResponseMiddleware,
  BeforeRequestMiddleware,
  Bundle,
  HttpRequestOptions,
  ZObject,
} from 'zapier-platform-core';
import { mendBaseUrl } from './base-url.js';
import { expiredAuth } from './failures.js';
import { HINTS, type ErrorCode } from './hints.js';
import { inWordsOfTheForm } from './words.js';

export interface Reply<Data> {
  readonly success: boolean;
  readonly message: string;
  readonly code?: ErrorCode;
  readonly retryAfterSeconds?: number;
  readonly data: Data;
}

export interface Call {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  /** Below the Base URL. */
  readonly path: string;
  readonly params?: Record<string, string>;
  readonly body?: object;
  /** Names the send: the service does it once, however often it is asked. */
  readonly idempotencyKey?: string;
  /** Failures that are an answer to the caller; every other one is thrown. */
  readonly accept?: readonly ErrorCode[];
}

/** Calls the service. Throws what Zapier has to know when it did not succeed. */
export async function call<Data>(z: ZObject, bundle: Bundle, request: Call): Promise<Reply<Data>> {
  const { method = 'POST', path, params, body, idempotencyKey, accept = [] } = request;
  const url = mendBaseUrl(bundle.authData.baseUrl ?? '');
  if (url === undefined)
    throw new z.errors.Error(
      'The Base URL is not an address that can be used. Enter one like https://auth.example.com.',
      'INVALID_BASE_URL',
      400,
    );
  const options: HttpRequestOptions = {
    method,
    headers: { Accept: 'application/json', ...(idempotencyKey ? { 'Idempotency-Key': idempotencyKey } : {}) },
    middlewareData: { accept },
    // Another host must not get the key pair.
    redirect: 'manual',
  };
  if (params) options.params = params;
  if (body) {
    const bytes = Buffer.from(JSON.stringify(body));
    options.headers!['Content-Type'] = 'application/json';
    options.headers!['Content-Length'] = String(bytes.length);
    // As a stream, because everything else is searched for {{…}} and written to Zapier's log with the code in it.
    options.body = Readable.from([bytes]);
  }
  const response = await z
    .request<Reply<Data>>({ url: `${url}${path}`, ...options })
    .catch((error: Error & { code?: string }) => {
      if (error.name !== 'FetchError') throw error;
      const problem = `The service cannot be reached${error.code ? ` (${error.code})` : ''}.`;
      throw new z.errors.Error(`${problem} Check the Base URL, and that the service runs.`, 'UNREACHABLE', 503);
    });
  return response.data;
}

/** Puts the key pair on every request. */
export const addCredentials: BeforeRequestMiddleware = (request, z, bundle) => {
  const [appKey, appSecret] = [bundle.authData.appKey ?? '', bundle.authData.appSecret ?? ''].map((text) =>
    String(text).trim(),
  ) as [string, string];
  // Anything else cannot be sent in a header, and the error that says so would quote it.
  if (![appKey, appSecret].every((text) => /^[\x21-\x7e]*$/.test(text)))
    throw expiredAuth(z, 'The App Key or the App Secret has a character that no key has. Copy both again.');
  return { ...request, headers: { ...request.headers, clientId: appKey, clientSecret: appSecret } };
};

function parseReply(content: string): Reply<unknown> | undefined {
  try {
    const reply = JSON.parse(content) as Partial<Reply<unknown>> | null;
    return typeof reply?.success === 'boolean' ? (reply as Reply<unknown>) : undefined;
  } catch {
    return undefined;
  }
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`.replace(/[^.!?]$/, '$&.');

/** Turns what is no success into the error that makes Zapier do the right thing. */
export const checkReply: AfterResponseMiddleware = (response, z) => {
  const reply = parseReply(response.content);
  if (reply === undefined) {
    const problem =
      response.status >= 300 && response.status < 400 ? 'leads to another address' : 'does not answer as Passbell does';
    throw new z.errors.Error(
      `The Base URL ${problem} (HTTP status ${response.status}). Check it, and that the service runs.`,
      'UNEXPECTED_REPLY',
      response.status,
    );
  }
  const { success, message, code, retryAfterSeconds } = reply;
  const accept = (response.request.middlewareData?.accept ?? []) as readonly ErrorCode[];
  if (success || (code !== undefined && accept.includes(code))) return response;
  const hint = (code && HINTS[code]) ?? '';
  const text = `${sentence(inWordsOfTheForm(code, String(message)))} ${hint}`.trim();
  if (code === 'INVALID_CREDENTIALS' || code === 'MISSING_CREDENTIALS') throw expiredAuth(z, text);
  if (retryAfterSeconds !== undefined) throw new z.errors.ThrottledError(text, retryAfterSeconds);
  throw new z.errors.Error(text, code, response.status);
};
