/** Sends events to webhooks, at least once: after a crash, another process sends the event again. */
import PQueue from 'p-queue';
import { HOUR, LEASE_MARGIN_SECONDS, SECOND, type Clock } from '../../platform/clock.js';
import { hmac, type Keyring } from '../../platform/crypto.js';
import { describeError, type Log } from '../../platform/log.js';
import { WEBHOOK_TIMEOUT_MS, type CallOut } from './call-out.js';
import { WEBHOOK_HOURS, type OutboxStore } from './outbox-store.js';
import { secretContext, type Delivery, type Webhook } from './webhook.js';

/** Webhooks that one process serves at a time, and concurrent calls to each: a slow webhook delays few others. */
const CONCURRENT_WEBHOOKS = 16;
const CONCURRENT_CALLS = 4;
/** Pauses before the second, third, … attempt; the last one repeats until the event is dropped. */
const RETRY_DELAYS_SECONDS = [5, 30, 120, 600, 1800, 3600] as const;
/** Consecutive failures after which a webhook is paused altogether, for the delays above. */
const FAILURES_BEFORE_PAUSE = 10;

export interface Sender {
  poll(): Promise<void>;
  stop(): Promise<void>;
}

/** The n-th delay, starting with 1, in milliseconds. */
const delay = (n: number): number => RETRY_DELAYS_SECONDS[Math.min(n, RETRY_DELAYS_SECONDS.length) - 1]! * SECOND;

export function createSender(store: OutboxStore, keyring: Keyring, callOut: CallOut, clock: Clock, log: Log): Sender {
  const queue = new PQueue({ concurrency: CONCURRENT_WEBHOOKS });
  /** Ids of the webhooks that are queued or being served. */
  const active = new Set<number>();
  let stopped = false;

  /** Whether the webhook accepted the event. Its address, which may contain a key, and its reply are not logged. */
  async function call({ webhookId, ...webhook }: Webhook, { eventId, body }: Delivery): Promise<boolean> {
    try {
      const secret = keyring.open(secretContext({ webhookId }), webhook.secretSealed);
      const t = Math.floor(clock.now() / SECOND);
      const headers = {
        'User-Agent': 'Passbell',
        'Passbell-Event-Id': eventId,
        'Passbell-Signature': `t=${t},v1=${hmac(secret, `${t}.${body}`)}`,
      };
      const status = await callOut.post(new URL(webhook.url), headers, body);
      if (status >= 200 && status <= 299) return true;
      log.warn({ webhookId, eventId, status }, 'webhook rejected an event');
    } catch (error) {
      log.warn({ webhookId, eventId, err: describeError(error) }, 'webhook could not be reached');
    }
    return false;
  }

  async function send(webhook: Webhook, delivery: Delivery): Promise<boolean> {
    const { id, eventId, attempts, createdAt } = delivery;
    if (await call(webhook, delivery)) {
      await store.remove(id);
      return true;
    }
    const next = clock.now() + delay(attempts);
    if (next < createdAt + WEBHOOK_HOURS * HOUR) await store.postpone(id, next);
    else {
      await store.remove(id);
      log.warn({ webhookId: webhook.webhookId, eventId, attempts }, 'webhook event dropped');
    }
    await store.countFailure(webhook.id);
    return false;
  }

  /** Sends due events as long as the webhook accepts them. After many failures it sends one, then pauses the webhook. */
  async function serve(id: number): Promise<void> {
    while (!stopped) {
      const now = clock.now();
      const webhook = await store.findActive(id, now);
      if (!webhook) return;
      const limit = webhook.failures < FAILURES_BEFORE_PAUSE ? CONCURRENT_CALLS : 1;
      const leaseUntil = now + WEBHOOK_TIMEOUT_MS + LEASE_MARGIN_SECONDS * SECOND;
      const deliveries = await store.claim(id, { now, leaseUntil, limit });
      if (deliveries.length === 0) return;
      const accepted = await Promise.all(deliveries.map((delivery) => send(webhook, delivery)));
      if (accepted.includes(true)) await store.resetFailures(id);
      if (!accepted.includes(false)) continue;
      // Read again: other processes count failures as well.
      const failures = (await store.findActive(id, now))?.failures ?? 0;
      if (failures >= FAILURES_BEFORE_PAUSE)
        await store.pause(id, clock.now() + delay(1 + failures - FAILURES_BEFORE_PAUSE));
      return;
    }
  }

  async function poll(): Promise<void> {
    const due = await store.withDueDeliveries(clock.now());
    for (const id of due.filter((one) => !active.has(one))) {
      active.add(id);
      void queue
        .add(() => serve(id))
        .catch((error: unknown) => log.error({ err: describeError(error) }, 'sending to a webhook failed'))
        .finally(() => active.delete(id));
    }
  }

  async function stop(): Promise<void> {
    stopped = true;
    await queue.onIdle();
  }

  return { poll, stop };
}
