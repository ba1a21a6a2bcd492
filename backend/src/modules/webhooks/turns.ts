/**
 * Webhooks take turns, so that a slow webhook delays only its own application. Each application and each account has a
 * few concurrent turns, and webhooks whose last turn was slow share a separate set of turns.
 */
import PQueue from 'p-queue';
import { createNamedQueues } from '../../platform/queue/named-queues.js';

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

/** A webhook or a connected shop with due work. */
export interface Due {
  readonly id: number;
  readonly applicationId: number;
  readonly accountId: number;
}

/** `serve` performs one turn of a webhook, and returns whether it needs another turn. `onError` gets what it throws. */
export function createTurns(serve: (webhookId: number) => Promise<boolean>, onError: (error: unknown) => void) {
  const processQueues = {
    fast: new PQueue({ concurrency: CONCURRENT_TURNS }),
    slow: new PQueue({ concurrency: CONCURRENT_TURNS }),
  };
  const accounts = createNamedQueues(TURNS_PER_ACCOUNT);
  const applications = createNamedQueues(TURNS_PER_APPLICATION);
  const slowWebhooks = new Set<number>();
  /** Ids of the webhooks that are being served or are waiting for their turn. */
  const active = new Set<number>();

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
  const run = ({ id, applicationId, accountId }: Due): Promise<boolean> =>
    applications.queueOf(String(applicationId)).add(() => {
      const kind = slowWebhooks.has(id) ? 'slow' : 'fast';
      return accounts.queueOf(`${kind}:${accountId}`).add(() => processQueues[kind].add(() => serveAndMeasure(id)));
    });

  /** Serves a webhook, turn by turn, until it needs no other turn. Does nothing if it is being served. */
  async function serveAll(due: Due): Promise<void> {
    if (active.has(due.id)) return;
    active.add(due.id);
    try {
      while (await run(due));
    } catch (error) {
      onError(error);
    } finally {
      active.delete(due.id);
    }
  }

  return { serveAll, onIdle: applications.onIdle };
}
