import { createHmac, timingSafeEqual } from 'node:crypto';

/** Older calls are rejected as possible replays. */
const TOLERANCE_SECONDS = 300;

/** Whether `Passbell-Signature: t=<unix seconds>,v1=<hex>` is valid for the raw body and recent. `now` is in milliseconds. */
export function isSigned(header: unknown, body: Buffer, secret: string, now: number): boolean {
  const [, time = '', signature = ''] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(String(header)) ?? [];
  if (!signature || Math.abs(now / 1000 - Number(time)) > TOLERANCE_SECONDS) return false;
  const expected = createHmac('sha256', secret).update(`${time}.`).update(body).digest();
  return timingSafeEqual(Buffer.from(signature, 'hex'), expected);
}
