/** The worker's part: takes a message, renders it, hands it to its channel and records how it went. */
import {
  ChannelError,
  type Channel,
  type ChannelName,
  type Content,
  type OutgoingMessage,
} from '../../channels/channel.js';
import { SECOND, type Clock } from '../../clock.js';
import type { Keyring } from '../../crypto.js';
import { isDatabaseError } from '../../db/database-errors.js';
import { LEASE_MARGIN_SECONDS, MAX_CRASHED_ATTEMPTS, RETRY_DELAYS_SECONDS, STORE_RETRY_MS } from '../../limits.js';
import { describeError, type Log } from '../../log.js';
import type { Metrics } from '../../metrics.js';
import type { Job, Queue } from '../../queue/queue.js';
import type { Attempt, Message, Outcome } from './message.js';
import type { MessagesStore } from './messages-store.js';
import { sealContext } from './messages-service.js';
import type { Outcomes } from './outcomes.js';

export interface DeliveryDependencies {
  readonly store: MessagesStore;
  readonly queue: Queue;
  readonly outcomes: Outcomes;
  readonly channels: ReadonlyMap<ChannelName, Channel>;
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Renders a message for its present channel. */
  readonly contentOf: (message: Message, variables: Readonly<Record<string, string>>) => Promise<Content>;
  /** The longest that one attempt may take, in milliseconds; a channel that is silent for longer is given up. */
  readonly deadlineMs: number;
}

/** A message that this worker holds, and who waits for it. */
type Taken = Message & Pick<Job, 'replyTo'>;

export type Deliver = (job: Job) => Promise<void>;

export function createDelivery(dependencies: DeliveryDependencies): Deliver {
  const { store, queue, outcomes, channels, keyring, clock, log, metrics, contentOf, deadlineMs } = dependencies;
  // Three deadlines: asking for what a crash left, sending, and storing how it went.
  const leaseMs = 3 * deadlineMs + LEASE_MARGIN_SECONDS * SECOND;

  async function finish(message: Taken, state: Outcome['state'], attempt?: Attempt, providerId?: string) {
    // The channel that succeeded comes first, then the failed ones in the order tried.
    const tried = !attempt
      ? message.tried
      : attempt.success
        ? [attempt, ...message.tried]
        : [...message.tried, attempt];
    const end = { state, tried, now: clock.now(), ...(providerId ? { providerId } : {}) };
    await untilStored(() => store.finish(message.id, end));
    outcomes.announce(message.id, { state, tried }, message.replyTo);
    metrics.delivery(message.channel, state, (end.now - message.createdAt) / SECOND);
    const { id: messageId, requestId, channel } = message;
    log.info({ requestId, messageId, channel, state, providerId }, 'message finished');
  }

  /** What has been sent must not be sent again because the database was away for a moment. */
  async function untilStored(write: () => Promise<void>): Promise<void> {
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

  function withDeadline<T>(sending: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const cancel = clock.after(deadlineMs, () => reject(new ChannelError('unclear', 'the provider did not answer')));
      sending.then(resolve, reject).finally(cancel);
    });
  }

  /** What a process that died may have sent. A provider that cannot tell now is asked again; one that never can has nothing. */
  async function findBefore(channel: Channel, outgoing: OutgoingMessage, message: Message) {
    try {
      return await channel.find?.(outgoing, message.createdAt);
    } catch (error) {
      log.warn({ messageId: message.id, err: describeError(error) }, 'the provider did not tell what it has');
      if (error instanceof ChannelError && error.kind === 'permanent') return undefined;
      throw new ChannelError('passing', 'the provider did not tell whether it has the message already');
    }
  }

  async function hand(message: Message): Promise<string> {
    const channel = channels.get(message.channel);
    if (!channel) throw new ChannelError('permanent', 'the channel is not set up on this server');
    const variables = JSON.parse(keyring.open(sealContext(message.id), message.payload ?? '')) as Record<
      string,
      string
    >;
    const content = await contentOf(message, variables);
    const outgoing = { id: message.id, to: message.recipient, content };
    const before = message.crashes > 0 ? await withDeadline(findBefore(channel, outgoing, message)) : undefined;
    const { providerId } = before ?? (await withDeadline(channel.send(outgoing)));
    return providerId;
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
    const now = clock.now();
    const claimed = await store.claim(id, now, now + leaseMs);
    if (!claimed) return;
    const message = { ...claimed, replyTo };
    if (now >= message.expiresAt) return finish(message, 'expired');
    if (message.crashes >= MAX_CRASHED_ATTEMPTS)
      return finish(message, 'failed', { channel: message.channel, success: false, message: 'workers died over it' });
    let providerId: string;
    try {
      providerId = await hand(message);
    } catch (error) {
      return onFailure(message, asChannelError(error, message));
    }
    await finish(message, 'sent', { channel: message.channel, success: true, message: 'sent' }, providerId);
  };
}
