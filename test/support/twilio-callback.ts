/** Twilio's status call-backs, signed as Twilio documents it. */
import { createHmac } from 'node:crypto';
import type { TestService } from './service.js';

export interface CallbackOptions {
  /** The account's, unless somebody else signs. */
  readonly authToken: string;
  /** Signed for this address in place of the one that is called. */
  readonly url?: string;
  /** In place of the right signature; undefined leaves it out. */
  readonly signature?: string | undefined;
  readonly headers?: Record<string, string>;
}

export const CALLBACK_BASE = 'https://otp.example';

/** The address and every field with its value in the order of their names, as HMAC-SHA1. */
export function twilioSignature(authToken: string, url: string, form: Readonly<Record<string, string>>): string {
  const fields = Object.keys(form).sort();
  const text = url + fields.map((name) => name + form[name]).join('');
  return createHmac('sha1', authToken).update(text, 'utf8').digest('base64');
}

/** Answers the status of the reply. */
export async function callBack(
  passbell: TestService,
  id: string,
  form: Readonly<Record<string, string>>,
  options: CallbackOptions,
): Promise<number> {
  const path = `/callbacks/twilio/${id}`;
  const right = twilioSignature(options.authToken, options.url ?? `${CALLBACK_BASE}${path}`, form);
  const signature = 'signature' in options ? options.signature : right;
  const reply = await passbell.fetch(
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
  await reply.arrayBuffer();
  return reply.status;
}
