/** MySQL goes away while codes are sent and verified: clear refusals meanwhile, and all is right when it is back. */
import { startMysql, type PrivateServer } from '../support/databases.js';
import { startFleet, type Fleet, type Sent } from '../support/fleet.js';
import { wrongCode } from '../support/service.js';

let mysql: PrivateServer;
let fleet: Fleet;
beforeAll(async () => {
  mysql = await startMysql();
  fleet = await startFleet({ databaseServer: mysql.url, settings: { SEND_WAIT_MS: '1000' } });
}, 120_000);
afterAll(async () => {
  await fleet.close();
  await mysql.close();
});

const UNAVAILABLE = { success: false, code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: expect.any(Number) };

async function untilRefused(): Promise<void> {
  for (;;) {
    const body = await fleet.send();
    if (!body.success) return expect(body).toMatchObject(UNAVAILABLE);
  }
}

/** A verify whose reply is no "not now"; a success that could not be told may have used the code up. */
async function judged(sent: Sent, otp: string) {
  for (;;) {
    const body = await fleet.verify(sent, otp);
    if (body.code !== 'SERVICE_UNAVAILABLE') return body;
  }
}

const faults: [what: string, breakIt: () => Promise<void>, mend: () => Promise<void>][] = [
  ['is restarted', () => mysql.stop(), () => mysql.start()],
  ['is killed', () => mysql.stop('SIGKILL'), () => mysql.start()],
  ['says nothing', () => mysql.pause(), () => mysql.resume()],
];

it.each(faults)(
  'MySQL %s',
  async (_what, breakIt, mend) => {
    const before = await fleet.sendUntilSent();
    const code = await fleet.codeOf(before);
    const load = fleet.load(6);
    await breakIt();
    // Nobody is left without an answer, on a connection that stands or on none.
    const [verified, ready, metrics] = await Promise.all([
      fleet.verify(before, code),
      fetch(`${fleet.apis[0]!.url}/health/ready`),
      fetch(`${fleet.apis[0]!.url}/metrics`),
      ...Array.from({ length: 4 }, untilRefused),
    ]);
    expect(verified).toMatchObject(UNAVAILABLE);
    expect([ready.status, await ready.json()]).toEqual([503, expect.objectContaining({ database: 'unavailable' })]);
    expect([metrics.status, await metrics.text()]).toEqual([200, expect.stringContaining('passbell_request_seconds')]);
    await mend();

    expect(await judged(before, wrongCode(code))).toMatchObject({ code: 'INVALID_OTP' });
    expect(await judged(before, code)).toMatchObject({ success: true });
    expect(await judged(before, code)).toMatchObject({ code: 'INVALID_OTP' });
    expect(await fleet.verify(await fleet.sendUntilSent())).toMatchObject({ success: true });
    await fleet.delivered(await load.end());
  },
  90_000,
);
