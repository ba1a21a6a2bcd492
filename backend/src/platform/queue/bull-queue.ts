/** The queue between processes: Bull on Redis, one queue a channel, so that a slow provider holds up its own only. */
import Bull from 'bull';
import { CHANNELS, type ChannelName } from '../../providers/provider.js';
import { SECOND } from '../clock.js';
import { REDIS_TIMEOUT_MS, STALLED_CHECK_MS, STOP_SECONDS } from '../limits.js';
import { describeError, type Log } from '../log.js';
import { createGroup } from '../batch.js';
import type { Redis, RedisConnections } from '../redis.js';
import type { Job, Pace, Queue } from './queue.js';

interface JobData {
  readonly id: string;
  readonly replyTo?: string | undefined;
}

/** A finished job leaves nothing behind: the messages table knows how it went. */
const JOB_OPTIONS = { removeOnComplete: true, removeOnFail: true, attempts: 1 } as const;

export interface BullQueueParts {
  readonly redis: RedisConnections;
  readonly log: Log;
  readonly pace: Pace;
}

export function createBullQueue({ redis, log, pace }: BullQueueParts): Queue {
  const queues = new Map<ChannelName, Bull.Queue<JobData>>();
  const dedicated: Redis[] = [];

  function queueOf(channel: ChannelName): Bull.Queue<JobData> {
    let queue = queues.get(channel);
    if (queue) return queue;
    const max = pace.perSecond[channel];
    queue = new Bull<JobData>(channel, {
      prefix: `${redis.prefix}:queue`,
      settings: { stalledInterval: STALLED_CHECK_MS },
      // Counted on Redis, so it holds over all workers.
      ...(max > 0 ? { limiter: { max, duration: SECOND } } : {}),
      createClient(type) {
        const connection = redis.connect({
          maxRetriesPerRequest: null,
          enableReadyCheck: false,
          enableAutoPipelining: type === 'client',
        });
        if (type !== 'client') dedicated.push(connection);
        return connection;
      },
    });
    queue.on('error', (error) => log.warn({ channel, err: describeError(error) }, 'queue connection failed'));
    queues.set(channel, queue);
    return queue;
  }

  const inHand = new Set<Promise<void>>();

  function work(handler: (job: Job) => Promise<void>, job: Job): Promise<void> {
    const done = handler(job).finally(() => inHand.delete(done));
    inHand.add(done);
    return done;
  }

  /** Bull waits for what is in hand, and for Redis for ever: without it, what is in hand ends all the same. */
  async function close(): Promise<void> {
    const closed = Promise.all([...queues.values()].map((queue) => queue.close()));
    const giveUpAt = performance.now() + STOP_SECONDS * SECOND;
    let late = true;
    while (late) {
      const ended = await withTimeout(closed).then(
        () => true,
        () => false,
      );
      late = !ended && inHand.size > 0 && performance.now() < giveUpAt;
    }
  }

  const groups = new Map<ChannelName, (job: Job) => Promise<void>>();

  /** Jobs that come while others are on their way go together. */
  function add(channel: ChannelName): (job: Job) => Promise<void> {
    let group = groups.get(channel);
    if (group) return group;
    group = createGroup(async (jobs: readonly Job[]) => {
      const entries = jobs.map((job) => ({
        data: { id: job.id, replyTo: job.replyTo },
        opts: { ...JOB_OPTIONS, jobId: jobIdOf(job) },
      }));
      const added = await withTimeout(queueOf(channel).addBulk(entries));
      // A Redis that takes no more writes refuses inside of the transaction, which Bull does not tell.
      if (added.some(({ id }) => id === undefined)) throw new Error('Redis did not take the jobs');
      return jobs.map(() => undefined);
    });
    groups.set(channel, group);
    return group;
  }

  return {
    enqueue: (job) => add(job.channel)(job),
    start(handler) {
      for (const channel of CHANNELS)
        void queueOf(channel)
          .process(pace.concurrency[channel], ({ data }) => work(handler, { ...data, channel }))
          .catch((error: unknown) => log.warn({ channel, err: describeError(error) }, 'queue stopped'));
    },
    async stop() {
      await close();
      for (const connection of dedicated) connection.disconnect();
    },
  };
}

/**
 * A name that Bull takes once. After Redis was emptied it can keep a name without a job, for ever: the next round of the
 * sweeper has another one. A job too many does nothing, since the message is claimed once.
 */
const jobIdOf = ({ id, round }: Job): string => (round === undefined ? id : `${id}.${round}`);

/** Bull waits for Redis for ever; a request does not. */
function withTimeout<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('Redis did not answer in time')), REDIS_TIMEOUT_MS);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
