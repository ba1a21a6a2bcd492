/**
 * Webhooks take turns, so that a slow one delays only its own application: an application has a few turns at a time, and
 * webhooks whose last turn was slow share turns of their own.
 */
import PQueue from 'p-queue';

const TURNS_PER_APPLICATION = 4;
/** Turns that one process runs at a time, of each kind of webhook. */
const CONCURRENT_TURNS = 32;
/** Most webhooks accept an event in a fraction of this. */
const SLOW_TURN_MS = 1000;

/** `serve` gives a webhook one turn, and returns whether it needs another one. */
export function createTurns(serve: (webhookId: number) => Promise<boolean>) {
  const prompt = new PQueue({ concurrency: CONCURRENT_TURNS });
  const slow = new PQueue({ concurrency: CONCURRENT_TURNS });
  const slowWebhooks = new Set<number>();
  /** By application: bounds how many of its turns wait in front of those of other applications. */
  const applications = new Map<number, PQueue>();

  function queueOf(applicationId: number): PQueue {
    let queue = applications.get(applicationId);
    if (queue) return queue;
    queue = new PQueue({ concurrency: TURNS_PER_APPLICATION });
    queue.on('idle', () => applications.delete(applicationId));
    applications.set(applicationId, queue);
    return queue;
  }

  async function measured(webhookId: number): Promise<boolean> {
    const startedAt = performance.now();
    try {
      return await serve(webhookId);
    } finally {
      if (performance.now() - startedAt > SLOW_TURN_MS) slowWebhooks.add(webhookId);
      else slowWebhooks.delete(webhookId);
    }
  }

  /** Waits for a turn of the webhook, and returns the result of it. */
  const run = (webhookId: number, applicationId: number): Promise<boolean> =>
    queueOf(applicationId).add(() => (slowWebhooks.has(webhookId) ? slow : prompt).add(() => measured(webhookId)));

  async function onIdle(): Promise<void> {
    await Promise.all([...applications.values()].map((queue) => queue.onIdle()));
  }

  return { run, onIdle };
}
