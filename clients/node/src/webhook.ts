/** Verifies webhook calls. Uses Web Crypto, which all runtimes support. */
import { PassbellError } from './errors.js';
import type { WebhookEvent } from './types.js';

/** Maximum age of a signed call, to prevent replay attacks. */
const TOLERANCE_SECONDS = 300;

/** The headers of a request, as a `Headers` object or as Node's `request.headers`. */
export type RequestHeaders =
  { get(name: string): string | null } | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface WebhookRequestToVerify {
  /** The raw body. Do not parse and serialize it, because the result may differ. */
  readonly body: string | Uint8Array;
  readonly headers: RequestHeaders;
  /** The webhook's secret, or several secrets while you rotate them. */
  readonly secret: string | readonly string[];
}

const encoder = new TextEncoder();

function headerOf(headers: RequestHeaders, name: string): string {
  if (typeof headers.get === 'function') return (headers as Headers).get(name) ?? '';
  const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? [];
  return String(value ?? '');
}

const bytesOf = (hex: string) => Uint8Array.from(hex.match(/../g)!, (byte) => parseInt(byte, 16));

/** Compares in constant time. */
async function isSigned(secret: string, signature: string, text: string): Promise<boolean> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['verify']);
  return crypto.subtle.verify('HMAC', key, bytesOf(signature), encoder.encode(text));
}

/** Returns a webhook call's event. Throws `INVALID_SIGNATURE` unless the call was signed in the last five minutes. */
export async function verifyWebhook({ body, headers, secret }: WebhookRequestToVerify): Promise<WebhookEvent> {
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const header = headerOf(headers, 'passbell-signature');
  const [, t, v1] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(header) ?? [];
  if (t !== undefined && v1 !== undefined && Math.abs(Date.now() / 1000 - Number(t)) <= TOLERANCE_SECONDS)
    for (const each of [secret].flat() as string[])
      if (await isSigned(each, v1, `${t}.${text}`)) return JSON.parse(text) as WebhookEvent;
  throw new PassbellError('INVALID_SIGNATURE', 'the call is not signed with this secret, or is too old');
}
