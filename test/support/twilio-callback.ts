/** Sends status callbacks with a signature like Twilio's. */
import { createHmac } from 'node:crypto';
import type { TestService } from './service.js';

export interface CallbackOptions {
  /** The auth token that signs the callback. */
  readonly authToken: string;
  /** Signs this URL instead of the called URL. */
  readonly url?: string;
  /** Replaces the valid signature; undefined omits it. */
  readonly signature?: string | undefined;
  readonly headers?: Record<string, string>;
}

export const CALLBACK_BASE = 'https://otp.example';

/** Returns the HMAC-SHA1 of the URL and the form fields with their values, sorted by name. */
export function twilioSignature(authToken: string, url: string, form: Readonly<Record<string, string>>): string {
  const fields = Object.keys(form).sort();
  const text = url + fields.map((name) => name + form[name]).join('');
  return createHmac('sha1', authToken).update(text, 'utf8').digest('base64');
}

/** Sends a request as Twilio does. */
export function sendTwilioRequest(
  passbell: TestService,
  path: string,
  form: Readonly<Record<string, string>>,
  options: CallbackOptions,
): Promise<Response> {
  const valid = twilioSignature(options.authToken, options.url ?? `${CALLBACK_BASE}${path}`, form);
  const signature = 'signature' in options ? options.signature : valid;
  return passbell.fetch(
    path,
    { method: 'POST', body: new URLSearchParams(form).toString() },
    {
      headers: {
        'Content-Type': 'application/x-www-form-urlencoded; charset=UTF-8',
        'X-Twilio-Signature': signature,
        ...options.headers,
      },
    },
  );
}

/** Sends a status callback, and returns the HTTP status of the reply. */
export async function sendStatusCallback(
  passbell: TestService,
  id: string,
  form: Readonly<Record<string, string>>,
  options: CallbackOptions,
): Promise<number> {
  const reply = await sendTwilioRequest(passbell, `/callbacks/twilio/${id}`, form, options);
  await reply.arrayBuffer();
  return reply.status;
}
