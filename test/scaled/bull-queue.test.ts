/** The queue on a Redis that was emptied while jobs were in hand. */
import { createLog } from '../../backend/src/platform/log.js';
import { createBullQueue } from '../../backend/src/platform/queue/bull-queue.js';
import type { Job } from '../../backend/src/platform/queue/queue.js';
import { connectRedis } from '../../backend/src/platform/redis.js';
import { redisUrl } from '../support/databases.js';

const everywhere = <T>(value: T) => ({ SMS: value, WHATSAPP: value, VOICE: value, EMAIL: value });
const log = createLog('silent');
const redis = connectRedis(redisUrl(), `bull-queue-${process.pid}`, log);
const queue = createBullQueue({ redis, log, pace: { concurrency: everywhere(1), perSecond: everywhere(0) } });
const seen: Job[] = [];
let told: () => void;

beforeAll(async () => {
  if (redis.commands.status !== 'ready') await new Promise((resolve) => redis.commands.once('ready', resolve));
  queue.start(async (job) => {
    seen.push(job);
    told();
  });
});
afterAll(async () => {
  await queue.stop();
  redis.close();
});

const handled = () => new Promise<void>((resolve) => (told = resolve));

it('hands a message over in the next round when the name of its job is left over without the job', async () => {
  // What Bull leaves when a job ends that Redis has forgotten.
  await redis.commands.hset(`${redis.prefix}:queue:SMS:left`, { attemptsMade: '1', failedReason: 'not active' });
  const first = handled();
  await queue.enqueue({ id: 'left', channel: 'SMS' });
  await queue.enqueue({ id: 'other', channel: 'SMS' });
  await first;
  expect(seen.map(({ id }) => id)).toEqual(['other']);
  const second = handled();
  await queue.enqueue({ id: 'left', channel: 'SMS', round: 1 });
  await second;
  expect(seen.map(({ id }) => id)).toEqual(['other', 'left']);
});
