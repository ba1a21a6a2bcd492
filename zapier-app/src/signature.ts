/** Verifies the signature of the service's webhook calls. */
import { createHmac, timingSafeEqual } from 'node:crypto';

const TOLERANCE_SECONDS = 300;

/** Zapier prefixes the headers of a call with `Http-`. */
function signatureOf(headers: Readonly<Record<string, string>>): string {
  const entry = Object.entries(headers).find(([name]) => /^(http-)?passbell-signature$/i.test(name));
  return entry?.[1] ?? '';
}

/** Whether the call was signed with this secret in the last five minutes. `body` is the raw body. */
export function isSigned(
  headers: Readonly<Record<string, string>>,
  body: string,
  secret: string | undefined,
  nowSeconds: number,
): boolean {
  const parts = signatureOf(headers).match(/^t=(\d{1,12}),v1=([0-9a-f]{64})$/);
  if (!parts || !secret || Math.abs(nowSeconds - Number(parts[1])) > TOLERANCE_SECONDS) return false;
  const expected = createHmac('sha256', secret).update(`${parts[1]}.${body}`).digest();
  return timingSafeEqual(expected, Buffer.from(parts[2]!, 'hex'));
}
