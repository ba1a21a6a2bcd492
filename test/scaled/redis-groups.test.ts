/** The service when a primary of a Redis with Sentinels or of a Redis Cluster fails. Runs if `TEST_REDIS` is set. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkRedis } from '../../backend/src/cli/doctor-checks.js';
import { createCore } from '../../backend/src/core.js';
import { readConfig } from '../../backend/src/platform/config/config.js';
import { createRedisBus } from '../../backend/src/platform/bus.js';
import { createLog } from '../../backend/src/platform/log.js';
import { connectRedis } from '../../backend/src/platform/redis.js';
import { createCertificates } from '../support/certificate-authority.js';
import { startRedisGroup, type RedisGroup, type RedisGroupKind } from '../support/databases.js';
import { startFleet, type Fleet } from '../support/fleet.js';
import { until } from '../support/wait.js';

const kinds: RedisGroupKind[] = ['sentinel', 'cluster'];

const report = (line: string): void => void process.stderr.write(`tests: ${line}\n`);
const prefixOf = ({ settings }: Fleet): string => new URL(settings.DATABASE_URL!).pathname.slice(1);
const readiness = async ({ apis }: Fleet): Promise<number> => (await fetch(`${apis[0]!.url}/health/ready`)).status;

async function findingWith(settings: Record<string, string>) {
  const core = await createCore(readConfig({ ...settings, PORT: '0' }), { log: createLog('silent') });
  return checkRedis(core).finally(() => core.stop());
}

describe.each(kinds)('%s', (kind) => {
  let group: RedisGroup;
  let fleet: Fleet;
  beforeAll(async () => {
    group = await startRedisGroup(kind);
    fleet = await startFleet({ redis: group.url, apis: 1, workers: 1, settings: { SEND_WAIT_MS: '1000' } });
  });
  afterAll(async () => {
    await fleet.close();
    await group.close();
  });

  it.each(['killed', 'frozen'] as const)(
    'recovers without losing an accepted message: a primary is %s',
    async (how) => {
      const before = await fleet.sendWithRetries();
      await until('readiness', async () => (await readiness(fleet)) === 200);
      const load = fleet.startLoad(4);
      const notReady = until('a failed readiness check', async () => (await readiness(fleet)) === 503);
      await group.failPrimary(prefixOf(fleet), how);
      const failedAt = performance.now();
      await notReady;
      const after = await fleet.sendWithRetries();
      const seconds = ((performance.now() - failedAt) / 1000).toFixed(1);
      await until('readiness', async () => (await readiness(fleet)) === 200);
      for (const sent of [before, after]) expect(await fleet.verify(sent)).toMatchObject({ success: true });
      expect(await fleet.waitForDelivery(await load.stop())).toBe(0);
      report(`${group.version}, ${kind}, primary ${how}: sends succeed again after ${seconds} s`);
      await group.restart();
    },
  );

  it('refuses to start with the address of one node, and names the right URL', async () => {
    const node = group.url.replace(/^redis\+\w+:\/\/([^,]+).*$/, 'redis://$1');
    const settings = { ...fleet.settings, REDIS_URL: node, PORT: '0' };
    const core = await createCore(readConfig(settings), { log: createLog('silent') });
    await expect(core.start()).rejects.toThrow(`redis+${kind}://`);
    expect(await checkRedis(core)).toMatchObject({
      state: 'problem',
      text: expect.stringContaining(`redis+${kind}://`),
    });
    await core.stop();
  });
});

it('a process of a Cluster gets messages again after the node of its subscription has frozen', async () => {
  const group = await startRedisGroup('cluster');
  const redis = connectRedis(group.url, 'subscriber', createLog('silent'));
  const bus = createRedisBus(redis);
  const received: string[] = [];
  bus.subscribe('news', (text) => received.push(text));
  const isReceived = (text: string) => () => {
    redis.commands.publish('subscriber:news', text).catch(() => undefined);
    return received.includes(text);
  };
  await until('a message', isReceived('before'));
  await group.freezeSubscribed('subscriber:news');
  await until('a message on another connection', isReceived('after'));
  redis.close();
  await group.close();
});

describe.each(kinds)('%s with TLS, client certificates and passwords', (kind) => {
  let folder: string;
  let group: RedisGroup;
  let fleet: Fleet;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'passbell-tls-'));
    createCertificates(folder, 'ca', '127.0.0.1');
    createCertificates(folder, 'other');
    const files = {
      ca: join(folder, 'ca.pem'),
      cert: join(folder, '127.0.0.1.pem'),
      key: join(folder, '127.0.0.1.key'),
    };
    group = await startRedisGroup(kind, files);
    const settings = { REDIS_CA_FILE: files.ca, REDIS_CERT_FILE: files.cert, REDIS_KEY_FILE: files.key };
    fleet = await startFleet({ redis: group.url, apis: 1, workers: 1, settings });
  });
  afterAll(async () => {
    await fleet.close();
    await group.close();
    rmSync(folder, { recursive: true });
  });

  it('sends and verifies, also after the primary was killed', async () => {
    const before = await fleet.sendWithRetries();
    expect(await fleet.verify(before)).toMatchObject({ success: true });
    expect(await findingWith(fleet.settings)).toMatchObject({ state: 'ok' });
    await group.failPrimary(prefixOf(fleet), 'killed');
    await until('a failed readiness check', async () => (await readiness(fleet)) === 503);
    expect(await fleet.verify(await fleet.sendWithRetries())).toMatchObject({ success: true });
    await group.restart();
  });

  it.each([
    ['another CA', () => ({ REDIS_CA_FILE: join(folder, 'other.pem') })],
    ['a wrong password', () => ({ REDIS_URL: fleet.settings.REDIS_URL!.replace(/\/\/:[^@]*@/, '//:wrong@') })],
  ])('the doctor reports a problem with %s', async (_what, settings) => {
    expect(await findingWith({ ...fleet.settings, ...settings() })).toMatchObject({ state: 'problem' });
  });
});
