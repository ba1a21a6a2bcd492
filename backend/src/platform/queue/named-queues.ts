/** Queues by name, each with its own number of concurrent tasks. A queue is deleted when it is idle. */
import PQueue from 'p-queue';

export function createNamedQueues(concurrency: number) {
  const queues = new Map<string, PQueue>();

  function queueOf(name: string): PQueue {
    let queue = queues.get(name);
    if (queue) return queue;
    queue = new PQueue({ concurrency });
    queue.on('idle', () => queues.delete(name));
    queues.set(name, queue);
    return queue;
  }

  async function onIdle(): Promise<void> {
    await Promise.all([...queues.values()].map((queue) => queue.onIdle()));
  }

  return { queueOf, onIdle };
}
