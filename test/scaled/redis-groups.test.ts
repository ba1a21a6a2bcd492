/** The service when the primary of a Redis with Sentinels or of a Redis Cluster is killed. Runs if `TEST_REDIS` is set. */
import { checkRedis } from '../../backend/src/cli/doctor-checks.js';
import { createCore } from '../../backend/src/core.js';
import { readConfig } from '../../backend/src/platform/config/config.js';
import { createLog } from '../../backend/src/platform/log.js';
import { startRedisGroup, type RedisGroup, type RedisGroupKind } from '../support/databases.js';
import { startFleet, type Fleet } from '../support/fleet.js';
import { until } from '../support/wait.js';

const kinds: RedisGroupKind[] = ['sentinel', 'cluster'];

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

  const readiness = async () => (await fetch(`${fleet.apis[0]!.url}/health/ready`)).status;

  it('sends recover and no accepted message is lost when the primary is killed', async () => {
    const before = await fleet.sendWithRetries();
    expect(await readiness()).toBe(200);
    const load = fleet.startLoad(4);
    await group.killPrimary(new URL(fleet.settings.DATABASE_URL!).pathname.slice(1));
    const killedAt = performance.now();
    let refused = 0;
    await until('a rejected send', async () => {
      const body = await fleet.send();
      if (!body.success) expect(body).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
      return !body.success && ++refused;
    });
    const after = await fleet.sendWithRetries();
    const seconds = ((performance.now() - killedAt) / 1000).toFixed(1);
    await until('readiness', async () => (await readiness()) === 200);
    for (const sent of [before, after]) expect(await fleet.verify(sent)).toMatchObject({ success: true });
    expect(await fleet.waitForDelivery(await load.stop())).toBe(0);
    process.stderr.write(`tests: ${group.version}, ${kind}: sends succeed ${seconds} s after the kill\n`);
    await group.restart();
  });

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
