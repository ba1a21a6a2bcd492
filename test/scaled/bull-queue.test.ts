/** The queue after Redis was emptied while jobs were active, and its stop during a delivery without a job. */
import { setTimeout as pause } from 'node:timers/promises';
import { createLog } from '../../backend/src/platform/log.js';
import { createBullQueue } from '../../backend/src/platform/queue/bull-queue.js';
import type { Job } from '../../backend/src/platform/queue/queue.js';
import { connectRedis } from '../../backend/src/platform/redis.js';
import { redisUrl } from '../support/databases.js';
import { allChannels } from '../support/pace.js';
import { until, waiting } from '../support/wait.js';

const log = createLog('silent');
const redis = connectRedis(redisUrl(), `bull-queue-${process.pid}`, log);
const openQueue = () => createBullQueue(redis, { concurrency: allChannels(1), perSecond: allChannels(0) });
const queue = openQueue();
const handledJobs: Job[] = [];
let notify: () => void;

beforeAll(async () => {
  await until('a connection to Redis', () => redis.commands.status === 'ready');
  queue.start(async (job) => {
    handledJobs.push(job);
    notify();
  });
});
afterAll(async () => {
  await queue.stop();
  redis.close();
});

const nextJob = () => waiting('a job', new Promise<void>((resolve) => (notify = resolve)));

it('accepts a message with a new round number although Redis still contains a stale hash of its previous job', async () => {
  // Bull creates this hash when an active job ends after Redis was emptied.
  await redis.commands.hset(`${redis.keyspace('queue')}:SMS:left`, { attemptsMade: '1', failedReason: 'not active' });
  const first = nextJob();
  await queue.enqueue({ id: 'left', channel: 'SMS' });
  await queue.enqueue({ id: 'other', channel: 'SMS' });
  await first;
  expect(handledJobs.map(({ id }) => id)).toEqual(['other']);
  const second = nextJob();
  await queue.enqueue({ id: 'left', channel: 'SMS', round: 1 });
  await second;
  expect(handledJobs.map(({ id }) => id)).toEqual(['other', 'left']);
});

it('stops only when the slots are released', async () => {
  const other = openQueue();
  other.start(async () => undefined);
  const release = other.acquireSlot('SMS')!;
  let isReleased = false;
  const stop = other.stop().then(() => expect(isReleased).toBe(true));
  // Much longer than a stop takes without work.
  await pause(2500);
  isReleased = true;
  release();
  await stop;
});
