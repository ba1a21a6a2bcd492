/** The worker's part: takes a message, hands it over and records how it went. */
import { ChannelError, type ChannelName } from '../../providers/provider.js';
import { SECOND, type Clock } from '../../platform/clock.js';
import { createGroup } from '../../platform/batch.js';
import { isDatabaseError } from '../../platform/db/database-errors.js';
import {
  LEASE_MARGIN_SECONDS,
  MAX_CRASHED_ATTEMPTS,
  PLAN_RETRY_SECONDS,
  RETRY_DELAYS_SECONDS,
  STORE_RETRY_MS,
} from '../../platform/limits.js';
import { describeError, type Log } from '../../platform/log.js';
import type { Metrics } from '../../platform/metrics.js';
import type { Job, Queue } from '../../platform/queue/queue.js';
import type { Announcements } from '../webhooks/announcements.js';
import type { Attempt, EndState, Message, Outcome } from './message.js';
import type { DeliveryStore, End } from './delivery-store.js';
import type { HandOver } from './hand-over.js';
import { historyOfAttempt } from './history.js';
import type { Outcomes } from './outcomes.js';
import type { PriceOf } from './price.js';

export interface DeliveryDependencies {
  readonly store: DeliveryStore;
  readonly queue: Queue;
  readonly outcomes: Outcomes;
  readonly announcements: Pick<Announcements, 'toldOfMessages' | 'ofMessage'>;
  readonly handOver: HandOver;
  readonly priceOf: PriceOf;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  /** The longest that handing over, or asking for what a crash left, may take, in milliseconds. */
  readonly deadlineMs: number;
}

/** A message that this worker holds since `claimedAt`, and who waits for it. */
type Taken = Message & Pick<Job, 'replyTo'> & { readonly claimedAt: number };

/** Delivers the message of a job, unless another worker has it. */
export type Deliver = (job: Job) => Promise<void>;

export function createDelivery(dependencies: DeliveryDependencies): Deliver {
  const { store, queue, outcomes, announcements, handOver, priceOf, clock, log, metrics, deadlineMs } = dependencies;
  // Three deadlines: asking for what a crash left, sending, and storing how it went.
  const leaseMs = 3 * deadlineMs + LEASE_MARGIN_SECONDS * SECOND;

  const claim = createGroup((ids: readonly string[]) => {
    const now = clock.now();
    return store.claim(ids, { now, leaseUntil: now + leaseMs });
  });

  const storeEnd = createGroup((ends: readonly End[]) => store.finish(ends));

  async function finish(message: Taken, state: Outcome['state'], attempt?: Attempt, providerId?: string) {
    const { id: messageId, applicationId, requestId, channel } = message;
    const now = clock.now();
    const price = priceOf(channel, message.recipient);
    // The channel that succeeded comes first, then the failed ones in the order tried.
    const tried = !attempt
      ? message.tried
      : attempt.success
        ? [{ ...attempt, price, startedAt: message.claimedAt, at: now }, ...message.tried]
        : [...message.tried, { ...attempt, startedAt: message.claimedAt, at: now }];
    const end = { id: messageId, claim: message.claim, applicationId, state, channel, price, tried, providerId, now };
    const stored = await untilStored(async () => {
      const told = await announcements.toldOfMessages(applicationId);
      const alongside = (ended: EndState, all: readonly Attempt[]) =>
        announcements.ofMessage({ ...message, tried: all }, ended, { endedAt: now, now }, told);
      return storeEnd({ ...end, alongside });
    });
    const outcome = stored ?? { state, tried };
    outcomes.announce(messageId, outcome, message.replyTo);
    metrics.delivery(channel, outcome.state, (now - message.createdAt) / SECOND);
    log.info({ requestId, messageId, channel, state: outcome.state, providerId }, 'message finished');
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

  /** A worker that died may have sent it, and a provider that cannot be reached does not tell. */
  const perhapsSent = ({ crashes }: Message, kind: ChannelError['kind']): boolean =>
    kind === 'unclear' || (kind === 'passing' && crashes > 0);

  /** The channel that may follow the present one; none where that may have delivered the message. */
  const nextChannel = (message: Message, kind: ChannelError['kind']): ChannelName | undefined =>
    perhapsSent(message, kind) ? undefined : message.plan[message.plan.indexOf(message.channel) + 1];

  /** An attempt whose answer was lost: the provider's reports may yet tell that it has the message. */
  function lost({ channel, recipient }: Message, reason: string): Attempt {
    return { channel, success: false, message: reason, ifSent: priceOf(channel, recipient) };
  }

  async function retryLater(message: Taken, error: ChannelError): Promise<boolean> {
    const planned = RETRY_DELAYS_SECONDS[Math.min(message.attempts, RETRY_DELAYS_SECONDS.length) - 1]!;
    const delay = Math.max(error.retryAfterSeconds ?? 0, planned) * SECOND;
    // Who waits for a code is better served by another channel than by this one a little later.
    const patience =
      nextChannel(message, 'passing') === undefined
        ? message.expiresAt
        : message.createdAt + PLAN_RETRY_SECONDS * SECOND;
    const now = clock.now();
    const dueAt = now + delay;
    if (dueAt >= Math.min(patience, message.expiresAt)) return false;
    const { channel, claimedAt: startedAt } = message;
    const attempt = { channel, success: false, message: error.reason, startedAt, at: now };
    const history = historyOfAttempt(message.history, attempt);
    await untilStored(() => store.requeue(message, dueAt, history));
    clock.after(delay, () => void queue.enqueue(message).catch(() => undefined));
    const queued = { channel, success: true, message: `queued for delivery: ${error.reason}` };
    outcomes.announce(message.id, { state: 'queued', tried: [queued, ...message.tried] }, message.replyTo);
    return true;
  }

  async function onFailure(message: Taken, error: ChannelError): Promise<void> {
    const { id, requestId, channel, attempts } = message;
    const { kind, reason } = error;
    metrics.failedAttempt(channel, kind);
    log.warn({ requestId, messageId: id, channel, attempts, kind, reason }, 'attempt failed');
    if (error.kind === 'passing' && (await retryLater(message, error))) return;
    const attempt = perhapsSent(message, kind) ? lost(message, reason) : { channel, success: false, message: reason };
    const next = nextChannel(message, kind);
    if (next === undefined) return finish(message, 'failed', attempt);
    const now = clock.now();
    const tried = [...message.tried, { ...attempt, startedAt: message.claimedAt, at: now }];
    await untilStored(() => store.nextChannel(message, next, tried, now));
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
    const message = { ...claimed, replyTo, claimedAt: now };
    const perhaps = message.crashes > 0 ? lost(message, 'a worker died over it') : undefined;
    if (now >= message.expiresAt) return finish(message, 'expired', perhaps);
    if (message.crashes >= MAX_CRASHED_ATTEMPTS)
      return finish(message, 'failed', lost(message, 'workers died over it'));
    let providerId: string;
    try {
      providerId = await handOver(message);
    } catch (error) {
      return onFailure(message, asChannelError(error, message));
    }
    await finish(message, 'sent', { channel: message.channel, success: true, message: 'sent' }, providerId);
  };
}
