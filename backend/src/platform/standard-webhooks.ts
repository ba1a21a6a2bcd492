/** Verifies requests that are signed according to Standard Webhooks (standardwebhooks.com). */
import { SECOND } from './clock.js';
import { constantTimeEqual, hmacBase64 } from './crypto.js';

/** Maximum age of a signed request, to prevent replay attacks. */
const TOLERANCE_SECONDS = 300;

export interface SignedRequest {
  /** Returns a header's value; "" if the header is missing. */
  header(name: string): string;
  /** The body as it was received, because the signature covers every byte. */
  readonly body: string | Uint8Array;
}

/** Whether a request was signed with the key in the last five minutes. The signature covers id, time and body. */
export function hasStandardSignature({ header, body }: SignedRequest, key: Uint8Array, now: number): boolean {
  const id = header('webhook-id');
  const timestamp = header('webhook-timestamp');
  const age = Math.abs(now / SECOND - Number(timestamp));
  const signed = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), Buffer.from(body)]);
  const expected = `v1,${hmacBase64(key, signed)}`;
  // Supabase separates the signatures of several secrets with a comma and a space.
  const signatures = header('webhook-signature').split(/,? /);
  const isSigned = signatures.map((signature) => constantTimeEqual(signature, expected)).includes(true);
  return isSigned && /^\d+$/.test(timestamp) && age <= TOLERANCE_SECONDS;
}
