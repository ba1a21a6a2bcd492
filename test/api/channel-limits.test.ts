/** CHANNEL_CONCURRENCY and CHANNEL_PER_SECOND, as measured by a provider. */
import { setTimeout as pause } from 'node:timers/promises';
import { scaled } from '../support/members.js';
import { freshPhone, NO_LIMITS, startService, type TestService } from '../support/service.js';
import { startTwilioServer, type TwilioServer } from '../support/twilio-server.js';

const SENDS = 12;
/** Response time of the provider, long enough for all other sends to arrive meanwhile. */
const PROVIDER_MS = 100;

let twilio: TwilioServer;
let passbell: TestService;
beforeEach(async () => void (twilio = await startTwilioServer()));
afterEach(async () => {
  await passbell.stop();
  await twilio.close();
});

async function sendAll(settings: Record<string, string>): Promise<void> {
  passbell = await startService({
    SEND_WAIT_MS: '0',
    TWILIO_API_URL: twilio.url,
    TWILIO_ACCOUNT_SID: twilio.accountSid,
    TWILIO_AUTH_TOKEN: twilio.authToken,
    TWILIO_SMS_FROM: '+14155550100',
    ...settings,
  });
  const keys = await passbell.application(NO_LIMITS);
  const sends = Array.from({ length: SENDS }, () =>
    passbell.post('/auth/sendotp', { to: freshPhone(), authWay: 'SMS' }, { keys }),
  );
  for (const reply of await Promise.all(sends)) expect(reply.success).toBe(true);
  await twilio.waitForRequest(SENDS);
}

it('CHANNEL_CONCURRENCY limits the parallel requests of a process to a provider', async () => {
  let openRequests = 0;
  const concurrency: number[] = [];
  twilio.respondWith(async (): Promise<'accept'> => {
    concurrency.push(++openRequests);
    await pause(PROVIDER_MS);
    openRequests--;
    return 'accept';
  });
  await sendAll({ CHANNEL_CONCURRENCY: 'SMS=2' });
  const workers = scaled ? 2 : 1;
  expect(Math.max(...concurrency)).toBeLessThanOrEqual(2 * workers);
  expect(Math.max(...concurrency)).toBeGreaterThanOrEqual(2);
});

it('CHANNEL_PER_SECOND limits the requests of all processes to a provider', async () => {
  const times: number[] = [];
  twilio.respondWith(() => {
    times.push(performance.now());
    return 'accept';
  });
  await sendAll({ CHANNEL_PER_SECOND: 'SMS=5' });
  // Five per second: the last two of twelve are in the third second.
  expect(times.at(-1)! - times[0]!).toBeGreaterThan(1500);
});
