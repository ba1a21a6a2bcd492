/** The worker's part: takes a message, hands it over and records how it went. */
import { ChannelError } from '../../channels/channel.js';
import { SECOND, type Clock } from '../../clock.js';
import { createGroup } from '../../group.js';
import { isDatabaseError } from '../../db/database-errors.js';
import { LEASE_MARGIN_SECONDS, MAX_CRASHED_ATTEMPTS, RETRY_DELAYS_SECONDS, STORE_RETRY_MS } from '../../limits.js';
import { describeError, type Log } from '../../log.js';
import type { Metrics } from '../../metrics.js';
import type { Job, Queue } from '../../queue/queue.js';
import type { Announcements } from '../webhooks/announcements.js';
import type { Attempt, Message, Outcome } from './message.js';
import type { DeliveryStore, End } from './delivery-store.js';
import type { HandOver } from './hand-over.js';
import type { Outcomes } from './outcomes.js';

export interface DeliveryDependencies {
  readonly store: DeliveryStore;
  readonly queue: Queue;
  readonly outcomes: Outcomes;
  readonly handOver: HandOver;
  readonly announcements: Pick<Announcements, 'ofMessage'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  /** The longest that handing over, or asking for what a crash left, may take, in milliseconds. */
  readonly deadlineMs: number;
}

/** A message that this worker holds, and who waits for it. */
type Taken = Message & Pick<Job, 'replyTo'>;

/** Delivers the message of a job, unless another worker has it. */
export type Deliver = (job: Job) => Promise<void>;

export function createDelivery(dependencies: DeliveryDependencies): Deliver {
  const { store, queue, outcomes, handOver, announcements, clock, log, metrics, deadlineMs } = dependencies;
  // Three deadlines: asking for what a crash left, sending, and storing how it went.
  const leaseMs = 3 * deadlineMs + LEASE_MARGIN_SECONDS * SECOND;

  const claim = createGroup((ids: readonly string[]) => {
    const now = clock.now();
    return store.claim(ids, { now, leaseUntil: now + leaseMs });
  });

  const storeEnd = createGroup(async (ends: readonly End[]) => {
    await store.finish(ends);
    return ends.map(() => undefined);
  });

  async function finish(message: Taken, state: Outcome['state'], attempt?: Attempt, providerId?: string) {
    // The channel that succeeded comes first, then the failed ones in the order tried.
    const tried = !attempt
      ? message.tried
      : attempt.success
        ? [attempt, ...message.tried]
        : [...message.tried, attempt];
    const now = clock.now();
    const alongside = await untilStored(() => announcements.ofMessage(message, { state, tried }, now));
    const end = { id: message.id, state, tried, providerId, now, alongside };
    await untilStored(() => storeEnd(end));
    outcomes.announce(message.id, { state, tried }, message.replyTo);
    metrics.delivery(message.channel, state, (now - message.createdAt) / SECOND);
    const { id: messageId, requestId, channel } = message;
    log.info({ requestId, messageId, channel, state, providerId }, 'message finished');
  }

  /** What has been sent must not be sent again because the database was away for a moment. */
  async function untilStored<T>(write: () => Promise<T>): Promise<T> {
    const giveUpAt = clock.now() + deadlineMs;
    for (;;) {
      try {
        return await write();
      } catch (error) {
        if (!isDatabaseError(error) || clock.now() >= giveUpAt) throw error;
        await new Promise<void>((resolve) => clock.after(STORE_RETRY_MS, resolve));
      }
    }
  }

  async function retryLater(message: Taken, error: ChannelError): Promise<boolean> {
    const planned = RETRY_DELAYS_SECONDS[Math.min(message.attempts, RETRY_DELAYS_SECONDS.length) - 1]!;
    const delay = Math.max(error.retryAfterSeconds ?? 0, planned) * SECOND;
    if (clock.now() + delay >= message.expiresAt) return false;
    await store.requeue(message.id, clock.now() + delay);
    clock.after(delay, () => void queue.enqueue(message).catch(() => undefined));
    return true;
  }

  async function onFailure(message: Taken, error: ChannelError): Promise<void> {
    const { id, requestId, channel, plan, attempts } = message;
    const { kind, reason } = error;
    metrics.failedAttempt(channel, kind);
    log.warn({ requestId, messageId: id, channel, attempts, kind, reason }, 'attempt failed');
    if (error.kind === 'passing' && (await retryLater(message, error))) return;
    const attempt = { channel, success: false, message: error.reason };
    const next = plan[plan.indexOf(channel) + 1];
    // An unclear one may have arrived: another channel would send it a second time.
    if (next === undefined || kind === 'unclear') return finish(message, 'failed', attempt);
    await store.nextChannel(id, next, [...message.tried, attempt], clock.now());
    // A job that is lost here is found by the sweeper.
    await queue.enqueue({ id, channel: next, replyTo: message.replyTo }).catch(() => undefined);
  }

  function asChannelError(error: unknown, message: Message): ChannelError {
    if (error instanceof ChannelError) return error;
    log.error({ messageId: message.id, channel: message.channel, err: describeError(error) }, 'delivery broke');
    return new ChannelError('permanent', 'internal error');
  }

  return async ({ id, replyTo }) => {
    const claimed = await claim(id);
    if (!claimed) return;
    const now = clock.now();
    const message = { ...claimed, replyTo };
    if (now >= message.expiresAt) return finish(message, 'expired');
    if (message.crashes >= MAX_CRASHED_ATTEMPTS)
      return finish(message, 'failed', { channel: message.channel, success: false, message: 'workers died over it' });
    let providerId: string;
    try {
      providerId = await handOver(message);
    } catch (error) {
      return onFailure(message, asChannelError(error, message));
    }
    await finish(message, 'sent', { channel: message.channel, success: true, message: 'sent' }, providerId);
  };
}
