/** CHANNEL_CONCURRENCY and CHANNEL_PER_SECOND, measured at a fake provider. */
import { scaled } from '../support/members.js';
import { freshPhone, NO_LIMITS, startService, type TestService } from '../support/service.js';
import { startTwilioServer, type TwilioServer } from '../support/twilio-server.js';
import { until } from '../support/wait.js';

let twilio: TwilioServer;
let passbell: TestService;
beforeEach(async () => void (twilio = await startTwilioServer()));
afterEach(async () => {
  await passbell.stop();
  await twilio.close();
});

const twilioSettings = () => ({
  TWILIO_API_URL: twilio.url,
  TWILIO_ACCOUNT_SID: twilio.accountSid,
  TWILIO_AUTH_TOKEN: twilio.authToken,
  TWILIO_SMS_FROM: '+14155550100',
});

/**
 * Sends messages in parallel, and waits until the provider has received all requests. `onStart` runs before the first
 * send.
 */
async function sendAll(count: number, settings: Record<string, string>, onStart = () => {}): Promise<void> {
  passbell = await startService({
    ...twilioSettings(),
    SEND_WAIT_MS: '0',
    PROVIDER_TIMEOUT_MS: '120000',
    ...settings,
  });
  const keys = await passbell.application(NO_LIMITS);
  onStart();
  const sends = Array.from({ length: count }, () =>
    passbell.post('/auth/sendotp', { to: freshPhone(), authWay: 'SMS' }, { keys }),
  );
  for (const reply of await Promise.all(sends)) expect(reply.success).toBe(true);
  await twilio.waitForRequest(count);
}

it('CHANNEL_CONCURRENCY limits the parallel requests of a process to a provider', async () => {
  const sends = 12;
  const limit = scaled ? 2 * 2 : 2;
  const openRequests: (() => void)[] = [];
  const concurrency: number[] = [];
  twilio.respondWith(async (): Promise<'accept'> => {
    await new Promise<void>((resolve) => concurrency.push(openRequests.push(resolve)));
    return 'accept';
  });
  const sent = sendAll(sends, { CHANNEL_CONCURRENCY: 'SMS=2' });
  for (let remaining = sends; remaining > 0; remaining--) {
    const expected = Math.min(limit, remaining);
    await until(`${expected} parallel requests`, () => openRequests.length >= expected);
    openRequests.shift()!();
  }
  await sent;
  expect(Math.max(...concurrency)).toBe(limit);
});

it('a message that could not be stored releases its slot', async () => {
  passbell = await startService({ ...twilioSettings(), SEND_WAIT_MS: '0', CHANNEL_CONCURRENCY: '1' });
  const keys = await passbell.application(NO_LIMITS);
  const send = () => passbell.post('/auth/sendotp', { to: freshPhone(), authWay: 'SMS' }, { keys });
  const db = passbell.openDatabase();
  await db.schema.renameTable('messages', 'renamed_messages');
  for (let n = 0; n < (scaled ? 4 : 2); n++) expect(await send()).toMatchObject({ success: false });
  await db.schema.renameTable('renamed_messages', 'messages');
  await db.destroy();
  expect(await send()).toMatchObject({ success: true });
  await twilio.waitForRequest(1);
});

it('CHANNEL_PER_SECOND limits the requests of all processes to a provider', async () => {
  let startedAt = 0;
  await sendAll(4, { CHANNEL_PER_SECOND: 'SMS=1' }, () => (startedAt = performance.now()));
  // At one request per second, the fourth message is sent after three seconds at the earliest, or later on a slow
  // machine.
  expect(performance.now() - startedAt).toBeGreaterThan(2500);
});
