/** Redis goes away in every way it can, while codes are sent: sends are refused or succeed, verifies stay right. */
import { Redis } from 'ioredis';
import { startRedis, type PrivateServer } from '../support/databases.js';
import { startFleet, type Fleet } from '../support/fleet.js';
import { openMovableAddress, type MovableAddress } from '../support/movable-address.js';
import { wrongCode } from '../support/service.js';

let first: PrivateServer;
let second: PrivateServer;
let address: MovableAddress;
let fleet: Fleet;

const portOf = (server: PrivateServer) => Number(new URL(server.url).port);

beforeAll(async () => {
  [first, second] = await Promise.all([startRedis(), startRedis()]);
  address = await openMovableAddress(portOf(first));
  const url = new URL(first.url);
  url.host = address.host;
  fleet = await startFleet({ redis: url.href, settings: { SEND_WAIT_MS: '1000' } });
}, 120_000);
afterAll(async () => {
  await fleet.close();
  address.close();
  await Promise.all([first.close(), second.close()]);
});

/** Sends until one is refused. */
async function untilRefused(): Promise<void> {
  for (;;) {
    const body = await fleet.send();
    if (body.success) continue;
    expect(body).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: expect.any(Number) });
    return;
  }
}

async function command(server: PrivateServer, ...words: string[]): Promise<void> {
  const client = new Redis(server.url);
  await client.call(words[0]!, ...words.slice(1));
  client.disconnect();
}

const faults: [what: string, refuses: boolean, breakIt: () => Promise<void>, mend: () => Promise<void>][] = [
  ['is stopped', true, () => first.stop(), () => first.start()],
  ['is killed', true, () => first.stop('SIGKILL'), () => first.start()],
  ['says nothing', true, () => first.pause(), () => first.resume()],
  ['is emptied', false, () => command(first, 'FLUSHALL'), async () => {}],
  [
    'fails over, and the old one takes no more writes',
    false,
    async () => {
      await command(second, 'REPLICAOF', '127.0.0.1', String(portOf(first)));
      await command(second, 'REPLICAOF', 'NO', 'ONE');
      address.moveTo(portOf(second));
      await command(first, 'REPLICAOF', '127.0.0.1', String(portOf(second)));
    },
    async () => {},
  ],
  [
    'is gone without a word, and another one takes its place',
    true,
    async () => {
      await command(first, 'REPLICAOF', 'NO', 'ONE');
      address.silence();
      address.moveTo(portOf(first));
    },
    async () => {},
  ],
];

it.each(faults)(
  'Redis %s',
  async (_what, refuses, breakIt, mend) => {
    const [before, other] = [await fleet.sendUntilSent(), await fleet.sendUntilSent()];
    const load = fleet.load(6);
    await breakIt();
    if (refuses) {
      await untilRefused();
      const ready = await fetch(`${fleet.apis[0]!.url}/health/ready`);
      expect([ready.status, await ready.json()]).toEqual([503, expect.objectContaining({ redis: 'unavailable' })]);
    }
    // What Redis holds decides nothing about a code.
    const code = await fleet.codeOf(before);
    expect(await fleet.verify(before, wrongCode(code))).toMatchObject({ success: false, code: 'INVALID_OTP' });
    expect(await fleet.verify(before, code)).toMatchObject({ success: true });
    expect(await fleet.verify(before, code)).toMatchObject({ success: false, code: 'INVALID_OTP' });
    await mend();

    const after = await fleet.sendUntilSent();
    for (const sent of [other, after]) expect(await fleet.verify(sent)).toMatchObject({ success: true });
    expect(await fleet.delivered(await load.end())).toBe(0);
  },
  60_000,
);
