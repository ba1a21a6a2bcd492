/** CHANNEL_CONCURRENCY and CHANNEL_PER_SECOND: what a provider sees of them. */
import { setTimeout as pause } from 'node:timers/promises';
import { scaled } from '../support/members.js';
import { freshPhone, NO_LIMITS, startService, type TestService } from '../support/service.js';
import { startTwilioServer, type TwilioServer } from '../support/twilio-server.js';

const SENDS = 12;
/** How long the provider takes: many times what the others need to arrive meanwhile. */
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
  await twilio.request(SENDS);
}

it('a process hands a provider at most so many messages at a time', async () => {
  let open = 0;
  const seen: number[] = [];
  twilio.answer(async (): Promise<'accept'> => {
    seen.push(++open);
    await pause(PROVIDER_MS);
    open--;
    return 'accept';
  });
  await sendAll({ CHANNEL_CONCURRENCY: 'SMS=2' });
  const workers = scaled ? 2 : 1;
  expect(Math.max(...seen)).toBeLessThanOrEqual(2 * workers);
  expect(Math.max(...seen)).toBeGreaterThanOrEqual(2);
});

it('all processes together hand a provider at most so many messages in a second', async () => {
  const times: number[] = [];
  twilio.answer(() => {
    times.push(performance.now());
    return 'accept';
  });
  await sendAll({ CHANNEL_PER_SECOND: 'SMS=5' });
  // Five in each second that is counted: the last two are in the third one.
  expect(times.at(-1)! - times[0]!).toBeGreaterThan(1500);
});
