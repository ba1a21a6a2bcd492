/** Limits the processor time that the regular expressions of a gateway take, because they block the whole process. */
import { MINUTE, type Clock } from '../../platform/clock.js';
import type { RegexpTime } from './conditions.js';

/** A few regular expressions take exponential time on some texts. All others need far less than these limits. */
const REPLY_LIMIT_MS = 250;
/** Limits for a gateway that is not the operator's, for each reply and for all replies within a minute. */
const NON_OPERATOR_REPLY_LIMIT_MS = 80;
const NON_OPERATOR_MINUTE_LIMIT_MS = 1000;
/** How long the regular expressions of such a gateway match nothing after they reached a limit. */
const PAUSE_MS = 10 * MINUTE;

/** Returns a function that reads a reply within the limits. `isOperators`: whether the gateway is the operator's. */
export function createRegexpMeter(clock: Pick<Clock, 'now'>, isOperators: boolean) {
  let minuteEnd = 0;
  let leftInMinute = NON_OPERATOR_MINUTE_LIMIT_MS;
  let pausedUntil = 0;

  function readWithinMinute<T>(read: (time: RegexpTime) => T): T {
    const now = clock.now();
    if (now < pausedUntil) return read({ leftMs: 0 });
    if (now >= minuteEnd) [minuteEnd, leftInMinute] = [now + MINUTE, NON_OPERATOR_MINUTE_LIMIT_MS];
    const grantedMs = Math.min(NON_OPERATOR_REPLY_LIMIT_MS, leftInMinute);
    const time = { leftMs: grantedMs };
    try {
      return read(time);
    } finally {
      leftInMinute -= grantedMs - time.leftMs;
      if (time.leftMs <= 0) [pausedUntil, minuteEnd] = [now + PAUSE_MS, 0];
    }
  }

  return <T>(read: (time: RegexpTime) => T): T =>
    isOperators ? read({ leftMs: REPLY_LIMIT_MS }) : readWithinMinute(read);
}
