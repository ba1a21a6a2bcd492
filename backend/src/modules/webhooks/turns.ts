/**
 * Webhooks take turns, so that a slow webhook delays only its own application. Each application and each account has a
 * few concurrent turns, and webhooks whose last turn was slow share a separate set of turns.
 */
import PQueue from 'p-queue';
import { createNamedQueues } from '../../platform/queue/named-queues.js';
import type { DueWebhook } from './webhook.js';

const TURNS_PER_APPLICATION = 4;
/**
 * Maximum number of concurrent turns for an account's fast webhooks, and for its slow webhooks. Prevents an account
 * with many applications from using up all turns.
 */
const TURNS_PER_ACCOUNT = 8;
/** Maximum number of concurrent turns per process, for fast webhooks and for slow webhooks. */
const CONCURRENT_TURNS = 32;
/** Duration above which a turn counts as slow. Most webhooks accept an event in a fraction of this time. */
const SLOW_TURN_MS = 1000;

/** `serve` performs one turn of a webhook, and returns whether it needs another turn. */
export function createTurns(serve: (webhookId: number) => Promise<boolean>) {
  const processQueues = {
    fast: new PQueue({ concurrency: CONCURRENT_TURNS }),
    slow: new PQueue({ concurrency: CONCURRENT_TURNS }),
  };
  const accounts = createNamedQueues(TURNS_PER_ACCOUNT);
  const applications = createNamedQueues(TURNS_PER_APPLICATION);
  const slowWebhooks = new Set<number>();

  async function serveAndMeasure(webhookId: number): Promise<boolean> {
    const startedAt = performance.now();
    try {
      return await serve(webhookId);
    } finally {
      if (performance.now() - startedAt > SLOW_TURN_MS) slowWebhooks.add(webhookId);
      else slowWebhooks.delete(webhookId);
    }
  }

  /** Waits for the webhook's next turn, and returns its result. */
  const run = ({ id, applicationId, accountId }: DueWebhook): Promise<boolean> =>
    applications.queueOf(String(applicationId)).add(() => {
      const kind = slowWebhooks.has(id) ? 'slow' : 'fast';
      return accounts.queueOf(`${kind}:${accountId}`).add(() => processQueues[kind].add(() => serveAndMeasure(id)));
    });

  return { run, onIdle: applications.onIdle };
}
