/** When a notification is sent. */
import { DAY, isDay, MINUTE, SECOND } from '../../platform/clock.js';
import { ApiError, shorten } from '../../platform/contract/errors.js';
import { outsideQuietHours } from '../recipients/quiet-hours.js';

export const MAX_SCHEDULED_DAYS = 30;
/** Clocks differ, and workflows take time. An earlier time is probably a mistake, such as a wrong time zone. */
const PAST_TOLERANCE = 5 * MINUTE;

export type SendAt = string | number;

/** Returns epoch milliseconds for Unix seconds or an ISO 8601 text; NaN for an invalid date. */
function millisecondsOf(sendAt: SendAt): number {
  const text = String(sendAt);
  if (/^\d+$/.test(text)) return Number(text) * SECOND;
  return isDay(text.slice(0, 10)) ? Date.parse(text) : NaN;
}

function requestedTime(sendAt: SendAt, now: number): number {
  const ms = millisecondsOf(sendAt);
  const reject = (text: string) =>
    new ApiError('INVALID_PARAMETER', { values: { text }, field: 'sendAt', received: shorten(String(sendAt)) });
  if (Number.isNaN(ms)) throw reject('sendAt is not a valid date');
  if (ms < now - PAST_TOLERANCE) throw reject('sendAt is in the past');
  if (ms > now + MAX_SCHEDULED_DAYS * DAY) throw reject(`sendAt is more than ${MAX_SCHEDULED_DAYS} days from now`);
  return ms;
}

/**
 * Returns when to send a notification; undefined for at once. Quiet hours postpone it. Throws an {@link ApiError} for a time in the
 * past, or more than {@link MAX_SCHEDULED_DAYS} days from now.
 */
export function sendTimeOf(
  sendAt: SendAt | undefined,
  country: string,
  quietHours: string,
  now: number,
): number | undefined {
  const wanted = sendAt === undefined ? now : Math.max(now, requestedTime(sendAt, now));
  const at = outsideQuietHours(wanted, country, quietHours);
  return at > now ? at : undefined;
}
