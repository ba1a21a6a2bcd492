/** MySQL fails during sends and verifies: requests are rejected with a retry time, and succeed after MySQL recovers. */
import { startMysql, type PrivateServer } from '../support/databases.js';
import { startFleet, type Fleet, type Sent } from '../support/fleet.js';
import { wrongCode, type Body } from '../support/service.js';
import { until } from '../support/wait.js';

const METRICS_TOKEN = 'a-token-that-only-tests-use';

let mysql: PrivateServer;
let fleet: Fleet;
beforeAll(async () => {
  mysql = await startMysql();
  fleet = await startFleet({ databaseServer: mysql.url, settings: { SEND_WAIT_MS: '1000', METRICS_TOKEN } });
});
afterAll(async () => {
  await fleet.close();
  await mysql.close();
});

const UNAVAILABLE = { success: false, code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: expect.any(Number) };

const sendUntilRejected = () =>
  until('a rejected send', async () => {
    const body = await fleet.send();
    if (!body.success) expect(body).toMatchObject(UNAVAILABLE);
    return !body.success;
  });

/** Verifies until MySQL is available. A verify may have used the code although its reply was lost. */
const verifyWithRetries = (sent: Sent, otp: string): Promise<Body> =>
  until('the reply to a verify', async () => {
    const body = await fleet.verify(sent, otp);
    return body.code !== 'SERVICE_UNAVAILABLE' && body;
  });

const faults: [name: string, inject: () => Promise<void>, recover: () => Promise<void>][] = [
  ['is restarted', () => mysql.stop(), () => mysql.start()],
  ['is killed', () => mysql.stop('SIGKILL'), () => mysql.start()],
  ['hangs', () => mysql.pause(), () => mysql.resume()],
];

it.each(faults)(
  'when MySQL %s, requests are rejected, and succeed again after it recovers',
  async (_what, inject, recover) => {
    const before = await fleet.sendWithRetries();
    const code = await fleet.codeOf(before);
    const load = fleet.startLoad(6);
    await inject();
    // Every request gets a reply, on open and on new connections.
    const [verified, ready, metrics] = await Promise.all([
      fleet.verify(before, code),
      fetch(`${fleet.apis[0]!.url}/health/ready`),
      fetch(`${fleet.apis[0]!.url}/metrics`, { headers: { Authorization: `Bearer ${METRICS_TOKEN}` } }),
      ...Array.from({ length: 4 }, sendUntilRejected),
    ]);
    expect(verified).toMatchObject(UNAVAILABLE);
    expect([ready.status, await ready.json()]).toEqual([503, expect.objectContaining({ database: 'unavailable' })]);
    expect([metrics.status, await metrics.text()]).toEqual([200, expect.stringContaining('passbell_request_seconds')]);
    await recover();

    expect(await verifyWithRetries(before, wrongCode(code))).toMatchObject({ code: 'INVALID_OTP' });
    expect(await verifyWithRetries(before, code)).toMatchObject({ success: true });
    expect(await verifyWithRetries(before, code)).toMatchObject({ code: 'INVALID_OTP' });
    expect(await fleet.verify(await fleet.sendWithRetries())).toMatchObject({ success: true });
    await fleet.waitForDelivery(await load.stop());
  },
);
