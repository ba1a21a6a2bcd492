/** Sends events to webhooks, at least once: after a crash, another process sends the event again. */
import type { Base } from '../../platform/base.js';
import { HOUR, LEASE_MARGIN_SECONDS, SECOND } from '../../platform/clock.js';
import { ExchangeError } from '../../platform/http/exchange.js';
import { describeError } from '../../platform/log.js';
import type { AttemptsStore, NewAttempt } from './attempts-store.js';
import { WEBHOOK_TIMEOUT_MS, type CallOut } from './call-out.js';
import type { OutboxStore } from './outbox-store.js';
import { createTurns } from './turns.js';
import {
  isAccepted,
  secretContext,
  signedHeaders,
  signingSecrets,
  WEBHOOK_HOURS,
  type Delivery,
  type Webhook,
} from './webhook.js';

/** Maximum number of concurrent calls to one webhook, which is also the number of events per turn. */
const CONCURRENT_CALLS = 4;
/** Delays before the second, third, … attempt. The last delay repeats until the event is dropped. */
const RETRY_DELAYS_SECONDS = [5, 30, 120, 600, 1800, 3600] as const;
/** Consecutive failures after which the whole webhook is paused, for the delays in {@link RETRY_DELAYS_SECONDS}. */
const FAILURES_BEFORE_PAUSE = 10;

/** Texts for the webhook's log, for calls without a reply. */
const NO_REPLY = `The server did not reply within ${WEBHOOK_TIMEOUT_MS / SECOND} seconds.`;
const UNREACHABLE = 'The server could not be reached.';

/** Time limit for stopping. Calls have a shorter time limit, so this limit only applies if something else hangs. */
const STOP_MS = 2 * WEBHOOK_TIMEOUT_MS;

export interface Sender {
  poll(): Promise<void>;
  stop(): Promise<void>;
}

/** Returns the n-th retry delay in milliseconds, starting with 1. */
const retryDelay = (n: number): number => RETRY_DELAYS_SECONDS[Math.min(n, RETRY_DELAYS_SECONDS.length) - 1]! * SECOND;

export interface SenderDependencies extends Pick<Base, 'clock' | 'keyring' | 'log'> {
  readonly store: OutboxStore;
  readonly attempts: Pick<AttemptsStore, 'insert'>;
  readonly callOut: CallOut;
}

export function createSender({ store, attempts, keyring, callOut, clock, log }: SenderDependencies): Sender {
  const turns = createTurns(serve, (error) => log.error({ err: describeError(error) }, 'sending to a webhook failed'));
  let stopped = false;

  /**
   * Sends an event. Returns the call, which is stored in the webhook's log. The server's log contains neither the reply
   * nor the URL, which may contain a key.
   */
  async function call(webhook: Webhook, delivery: Delivery): Promise<NewAttempt> {
    const { webhookId } = webhook;
    const { eventId, body, attempts: attempt } = delivery;
    const calledAt = clock.now();
    const called = () => ({
      webhookId: webhook.id,
      eventId,
      body,
      attempt,
      calledAt,
      durationMs: clock.now() - calledAt,
    });
    try {
      const sealed = signingSecrets(webhook, clock.now());
      const secrets = sealed.map((secret) => keyring.open(secretContext({ webhookId }), secret));
      const t = Math.floor(clock.now() / SECOND);
      const headers = { 'User-Agent': 'Passbell', ...signedHeaders(secrets, { eventId, body }, t) };
      const { status, text } = await callOut.post(new URL(webhook.url), headers, body);
      if (!isAccepted(status)) log.warn({ webhookId, eventId, status }, 'webhook rejected an event');
      return { ...called(), status, reply: text };
    } catch (error) {
      log.warn(
        { webhookId, eventId, err: describeError((error as Error).cause ?? error) },
        'webhook could not be reached',
      );
      const isLate = error instanceof ExchangeError && error.failure === 'noReply' && error.timedOut;
      return { ...called(), status: null, reply: isLate ? NO_REPLY : UNREACHABLE };
    }
  }

  async function send(webhook: Webhook, delivery: Delivery): Promise<NewAttempt> {
    const { id, eventId, attempts, createdAt } = delivery;
    const called = await call(webhook, delivery);
    if (isAccepted(called.status)) {
      await store.remove(id);
      return called;
    }
    const next = clock.now() + retryDelay(attempts);
    if (next < createdAt + WEBHOOK_HOURS * HOUR) await store.postpone(id, next);
    else {
      await store.remove(id);
      log.warn({ webhookId: webhook.webhookId, eventId, attempts }, 'webhook event dropped');
    }
    await store.countFailure(webhook.id);
    return called;
  }

  /**
   * Sends a few due events, or only one if the webhook has failed many times in a row. Pauses the webhook if it fails
   * again. Returns whether more events may be due.
   */
  async function serve(id: number): Promise<boolean> {
    const now = clock.now();
    const webhook = stopped ? undefined : await store.findActive(id, now);
    if (!webhook) return false;
    const limit = webhook.failures < FAILURES_BEFORE_PAUSE ? CONCURRENT_CALLS : 1;
    const leaseUntil = now + WEBHOOK_TIMEOUT_MS + LEASE_MARGIN_SECONDS * SECOND;
    const deliveries = await store.claim(id, { now, leaseUntil, limit });
    if (deliveries.length === 0) return false;
    const calls = await Promise.all(deliveries.map((delivery) => send(webhook, delivery)));
    await attempts.insert(calls);
    const accepted = calls.map(({ status }) => isAccepted(status));
    if (accepted.includes(true) && (webhook.failures > 0 || accepted.includes(false))) await store.resetFailures(id);
    if (!accepted.includes(false)) return true;
    // The failure count is read again, because other processes count failures as well.
    const failures = (await store.findActive(id, now))?.failures ?? 0;
    if (failures >= FAILURES_BEFORE_PAUSE)
      await store.pause(webhook, clock.now() + retryDelay(1 + failures - FAILURES_BEFORE_PAUSE));
    return false;
  }

  async function poll(): Promise<void> {
    for (const webhook of await store.withDueDeliveries(clock.now())) void turns.serveAll(webhook);
  }

  /** Waits for calls in progress, up to a time limit. Unfinished events are sent again after their leases expire. */
  async function stop(): Promise<void> {
    stopped = true;
    await new Promise<void>((resolve) => {
      const cancel = clock.after(STOP_MS, resolve);
      void turns.onIdle().finally(() => {
        cancel();
        resolve();
      });
    });
  }

  return { poll, stop };
}
