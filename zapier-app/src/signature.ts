/** Verifies the signature of the service's webhook calls. */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** Zapier may run an event hours after it has received it. Older events are rejected. */
export const MAX_AGE_SECONDS = 86_400;
/** Events that are older than this are accepted only once, because they could be replays. */
export const DELAYED_AFTER_SECONDS = 300;
/** Tolerated difference between clocks. */
const CLOCK_SKEW_SECONDS = 300;

/** Zapier prefixes the headers of a call with `Http-`. */
function signatureOf(headers: Readonly<Record<string, string>>): string {
  const entry = Object.entries(headers).find(([name]) => /^(http-)?passbell-signature$/i.test(name));
  return entry?.[1] ?? '';
}

/** Age of the call in seconds; undefined if it was not signed with this secret within the last day. `body` is the raw body. */
export function signatureAge(
  headers: Readonly<Record<string, string>>,
  body: string,
  secret: string | undefined,
  nowSeconds: number,
): number | undefined {
  const parts = signatureOf(headers).match(/^t=(\d{1,12}),v1=([0-9a-f]{64})$/);
  if (!parts || !secret) return undefined;
  const age = nowSeconds - Number(parts[1]);
  if (age > MAX_AGE_SECONDS || age < -CLOCK_SKEW_SECONDS) return undefined;
  const expected = createHmac('sha256', secret).update(`${parts[1]}.${body}`).digest();
  return timingSafeEqual(expected, Buffer.from(parts[2]!, 'hex')) ? age : undefined;
}
