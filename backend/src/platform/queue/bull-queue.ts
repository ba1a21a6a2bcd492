/**
 * A queue that several processes share, based on Bull and Redis. Each channel has its own queue, so that a slow
 * provider does not delay messages on other channels.
 */
import Bull from 'bull';
import { createBatcher } from '../batch.js';
import { SECOND, STOP_SECONDS } from '../clock.js';
import { CHANNELS, type ChannelName } from '../contract/channels.js';
import { random } from '../crypto.js';
import type { RedisConnections } from '../redis.js';
import { inTime, type RedisClient } from '../redis-client.js';
import { createChannelSlots } from './channel-slots.js';
import type { Job, Pace, Queue } from './queue.js';

/**
 * How often Bull checks for jobs of crashed workers. Messages that a crashed worker claimed are retried only after its
 * lease expires.
 */
const STALLED_CHECK_MS = 5000;

/** How long a job waits for a slot of this process before it is added again, so that another process can run it. */
const SLOT_WAIT_MS = 1000;

/** Bull runs lower numbers first, and jobs without a priority last. */
const NORMAL_PRIORITY = 1;
const LOW_PRIORITY = 2;

/** Removes finished jobs from Redis, because the messages table has their results. */
const JOB_OPTIONS = { removeOnComplete: true, removeOnFail: true, attempts: 1 } as const;

/** `copyId`: a random id, so that Bull does not ignore the copy of a job that is still active. */
type BullJob = Job & { readonly copyId?: string };

/**
 * Opens a queue of Bull, which waits forever while Redis does not reply. `record` receives the connections that wait for
 * jobs or events.
 */
function openBull(redis: RedisConnections, name: string, more: Bull.QueueOptions, record: (c: RedisClient) => void) {
  const queue = new Bull<Pick<Job, 'id' | 'round' | 'replyTo'>>(name, {
    prefix: redis.keyspace('queue'),
    createClient(type) {
      const connection = redis.connect({
        maxRetriesPerRequest: null,
        enableReadyCheck: false,
        enableAutoPipelining: type === 'client',
      });
      if (type !== 'client') record(connection);
      return connection;
    },
    ...more,
  });
  queue.on('error', (error) => redis.logFailure(error, 'queue connection failed', { queue: name }));
  return queue;
}

/**
 * Returns a function that rejects with the error of Redis if no job can be added. It adds a job to a queue that no process
 * reads. Bull ignores a job whose id is in use, so this queue never has more than one job.
 */
export function createQueueProbe(redis: RedisConnections): () => Promise<void> {
  const queue = openBull(redis, 'probe', {}, () => undefined);
  return async () => void (await inTime(queue.add({ id: 'probe' }, { jobId: 'probe' })));
}

export function createBullQueue(redis: RedisConnections, pace: Pace): Queue {
  const channels = new Map<ChannelName, ReturnType<typeof openChannel>>();
  const blockingConnections: RedisClient[] = [];
  // Bull enforces the rate limits of all processes together, so the slots have no rate limit.
  const slots = createChannelSlots(pace.concurrency);
  let delivering = false;

  function openChannel(channel: ChannelName) {
    const max = pace.perSecond[channel];
    const options = {
      settings: { stalledInterval: STALLED_CHECK_MS },
      // Bull counts the jobs in Redis, so the limit applies to all workers together.
      ...(max > 0 ? { limiter: { max, duration: SECOND } } : {}),
    };
    const queue = openBull(redis, channel, options, (connection) => blockingConnections.push(connection));
    const enqueue = createBatcher(async (jobs: readonly BullJob[]): Promise<void[]> => {
      const entries = jobs.map((job) => ({
        data: { id: job.id, round: job.round, replyTo: job.replyTo },
        opts: { ...JOB_OPTIONS, jobId: jobIdOf(job), priority: job.behind ? LOW_PRIORITY : NORMAL_PRIORITY },
      }));
      const added = await inTime(queue.addBulk(entries));
      // A read-only Redis rejects the jobs. Bull does not report this, but returns jobs without an id.
      if (added.some(({ id }) => id === undefined)) throw new Error('Redis rejected the jobs');
      return jobs.map(() => undefined);
    });
    return { queue, enqueue };
  }

  function channelOf(name: ChannelName) {
    const channel = channels.get(name) ?? openChannel(name);
    channels.set(name, channel);
    return channel;
  }

  /** If Redis fails, the job is lost, and the sweeper adds another one. */
  const addCopy = (job: Job): Promise<void> =>
    channelOf(job.channel)
      .enqueue({ ...job, copyId: random.hex(8) })
      .catch(() => undefined);

  /**
   * Runs a job in a slot. Adds the job again, so that another process can run it, if direct deliveries use all slots for
   * too long or if this process is stopping. The sweeper adds its jobs again by itself.
   */
  async function run(job: Job, handler: (job: Job) => Promise<void>): Promise<void> {
    const release = await slots.acquire(job.channel, job.behind ?? false, SLOT_WAIT_MS);
    try {
      if (release && delivering) await handler(job);
      else if (job.round === undefined) await addCopy(job);
    } finally {
      release?.();
    }
  }

  function start(handler: (job: Job) => Promise<void>): void {
    delivering = true;
    for (const channel of CHANNELS)
      void channelOf(channel)
        .queue.process(pace.concurrency[channel], ({ data, opts }) =>
          run({ ...data, channel, behind: opts.priority === LOW_PRIORITY }, handler),
        )
        .catch((error: unknown) => redis.logFailure(error, 'queue worker stopped', { channel }));
  }

  /**
   * Waits until all queues are closed and all slots are released. After the time limit of Redis, waits only for the
   * slots, because `Queue.close` never resolves while Redis is down. Gives up after {@link STOP_SECONDS}.
   */
  async function stop(): Promise<void> {
    delivering = false;
    const closed = Promise.allSettled([...[...channels.values()].map(({ queue }) => queue.close()), slots.idle()]);
    const giveUpAt = performance.now() + STOP_SECONDS * SECOND;
    let waits = true;
    while (waits) {
      const ended = await inTime(closed).then(
        () => true,
        () => false,
      );
      waits = !ended && slots.busy() && performance.now() < giveUpAt;
    }
    for (const connection of blockingConnections) connection.disconnect();
  }

  return {
    acquireSlot: (channel) => (delivering && pace.perSecond[channel] === 0 ? slots.tryAcquire(channel) : undefined),
    enqueue: (job) => channelOf(job.channel).enqueue(job),
    start,
    stop,
  };
}

/**
 * Bull ignores a job whose id is already in use. After Redis was emptied, an id without a job can remain forever, so
 * the sweeper uses new ids in each round. Duplicate jobs have no effect, because a message can be claimed only once.
 */
const jobIdOf = ({ id, round, copyId }: BullJob): string =>
  [id, round, copyId].filter((part) => part !== undefined).join('.');
