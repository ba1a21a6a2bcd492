/** Stores refused sends as messages. */
import { HOUR, MINUTE, SECOND, type Clock } from '../../platform/clock.js';
import type { BackgroundWork } from '../../platform/background.js';
import { sha256 } from '../../platform/crypto.js';
import type { Limiter } from '../../platform/rate-limit/limiter.js';
import type { Rule } from '../../platform/rate-limit/rule.js';
import { isWithinLimits } from '../../platform/rate-limit/within-limits.js';
import type { MessagesStore } from './messages-store.js';
import { refusalOf, refusedMessage, type RefusedSend } from './refusal.js';

/** Maximum number of refusals that are stored for an application in an hour, so that an attack cannot fill the database. */
export const MAX_STORED_PER_HOUR = 100;
/** People repeat a request that was refused. Within this time, one message stands for all of them. */
const REPEAT_MS = MINUTE;

/** Limits the stored refusals. Its error is not used: refusals beyond the limits are not stored. */
const atMost = (limit: number, ms: number, key: string): Rule => ({
  key: `refusals:${key}`,
  code: 'TOO_MANY_CALLS',
  windows: [{ limit, seconds: ms / SECOND }],
});

export type RecordRefusal = (error: unknown, send: RefusedSend) => void;

export function createRecordRefusal(
  store: Pick<MessagesStore, 'insertRefused'>,
  limiter: Pick<Limiter, 'take'>,
  background: BackgroundWork,
  clock: Clock,
): RecordRefusal {
  /**
   * Stores a refused send in the background, so that the reply neither waits for it nor fails with it, and so that the
   * response time does not reveal whether it is stored. Ignores errors that are not refusals.
   */
  return function recordRefusal(error, send) {
    const now = clock.now();
    const refusal = refusalOf(error, now);
    if (!refusal) return;
    const { applicationId, recipient } = send;
    const limits = [
      atMost(1, REPEAT_MS, `${applicationId}:${sha256(`${refusal.code}:${recipient}`)}`),
      atMost(MAX_STORED_PER_HOUR, HOUR, String(applicationId)),
    ];
    background.run('refused message', async () => {
      if (await isWithinLimits(limiter, limits)) await store.insertRefused(refusedMessage(send, refusal, now));
    });
  };
}
