/** Sends events to webhooks. At least once: a process that dies after a call leaves the event to the next one. */
import PQueue from 'p-queue';
import { HOUR, SECOND, type Clock } from '../../platform/clock.js';
import { hmac, type Keyring } from '../../platform/crypto.js';
import {
  LEASE_MARGIN_SECONDS,
  WEBHOOK_CALLS,
  WEBHOOK_CONCURRENCY,
  WEBHOOK_DELAYS_SECONDS,
  WEBHOOK_FAILURES_BEFORE_REST,
  WEBHOOK_HOURS,
  WEBHOOK_TIMEOUT_MS,
} from '../../platform/limits.js';
import { describeError, type Log } from '../../platform/log.js';
import type { CallOut } from './call-out.js';
import type { Delivery, OutboxStore } from './outbox-store.js';
import { sealContext } from './webhooks-service.js';
import type { Webhook } from './webhooks-store.js';

export interface SenderDependencies {
  readonly store: OutboxStore;
  readonly keyring: Keyring;
  readonly callOut: CallOut;
  readonly clock: Clock;
  readonly log: Log;
}

export interface Sender {
  /** Begins to send what is due; to be called now and then. */
  poll(): Promise<void>;
  /** Ends the calls in progress and begins no more. */
  stop(): Promise<void>;
}

/** The n-th pause, from 1, in milliseconds. */
const pause = (n: number): number => WEBHOOK_DELAYS_SECONDS[Math.min(n, WEBHOOK_DELAYS_SECONDS.length) - 1]! * SECOND;

export function createSender({ store, keyring, callOut, clock, log }: SenderDependencies): Sender {
  const lanes = new PQueue({ concurrency: WEBHOOK_CONCURRENCY });
  /** Webhooks that have a lane, or wait for one. */
  const served = new Set<number>();
  let stopped = false;

  /** Whether the webhook has taken the event. Its address, which can hold a key, and its reply are not logged. */
  async function call(webhook: Webhook, { eventId, body }: Delivery): Promise<boolean> {
    try {
      const secret = keyring.open(sealContext(webhook), webhook.secretSealed);
      const t = Math.floor(clock.now() / SECOND);
      const headers = {
        'User-Agent': 'Passbell',
        'Passbell-Event-Id': eventId,
        'Passbell-Signature': `t=${t},v1=${hmac(secret, `${t}.${body}`)}`,
      };
      const status = await callOut.post(new URL(webhook.url), headers, body);
      if (status >= 200 && status <= 299) return true;
      log.warn({ webhookId: webhook.webhookId, eventId, status }, 'the webhook refused an event');
    } catch (error) {
      log.warn({ webhookId: webhook.webhookId, eventId, err: describeError(error) }, 'the webhook was not reached');
    }
    return false;
  }

  async function send(webhook: Webhook, delivery: Delivery): Promise<boolean> {
    const { id, eventId, attempts, createdAt } = delivery;
    if (await call(webhook, delivery)) {
      await store.remove(id);
      return true;
    }
    const next = clock.now() + pause(attempts);
    if (next < createdAt + WEBHOOK_HOURS * HOUR) await store.postpone(id, next);
    else {
      await store.remove(id);
      log.warn({ webhookId: webhook.webhookId, eventId, attempts }, 'an event was given up');
    }
    await store.countFailure(webhook.id);
    return false;
  }

  /** Sends a few events at a time while the webhook takes them. One that fails for long is tried with one, then rests. */
  async function serve(id: number): Promise<void> {
    while (!stopped) {
      const now = clock.now();
      const webhook = await store.awake(id, now);
      if (!webhook) return;
      const limit = webhook.failures < WEBHOOK_FAILURES_BEFORE_REST ? WEBHOOK_CALLS : 1;
      const leaseUntil = now + WEBHOOK_TIMEOUT_MS + LEASE_MARGIN_SECONDS * SECOND;
      const deliveries = await store.claim(id, { now, leaseUntil, limit });
      const taken = await Promise.all(deliveries.map((delivery) => send(webhook, delivery)));
      if (deliveries.length === 0) return;
      if (taken.includes(true)) await store.recover(id);
      if (!taken.includes(false)) continue;
      // Counted anew: other processes call it as well.
      const failures = (await store.awake(id, now))?.failures ?? 0;
      if (failures >= WEBHOOK_FAILURES_BEFORE_REST)
        await store.rest(id, clock.now() + pause(1 + failures - WEBHOOK_FAILURES_BEFORE_REST));
      return;
    }
  }

  return {
    async poll() {
      const waiting = await store.waiting(clock.now());
      for (const id of waiting.filter((one) => !served.has(one))) {
        served.add(id);
        void lanes
          .add(() => serve(id))
          .catch((error: unknown) => log.error({ err: describeError(error) }, 'sending to a webhook broke'))
          .finally(() => served.delete(id));
      }
    },

    async stop() {
      stopped = true;
      await lanes.onIdle();
    },
  };
}
