/** The failures on Home, and the list of messages to which each of their reasons links. */
import { signIn } from '../support/dashboard.js';
import { freshPhone, NO_LIMITS, startService, type TestService } from '../support/service.js';
import { startTwilioServer, TWILIO_ERRORS, type TwilioServer } from '../support/twilio-server.js';

let twilio: TwilioServer;
let passbell: TestService;
beforeAll(async () => {
  twilio = await startTwilioServer();
  passbell = await startService({
    TWILIO_ACCOUNT_SID: twilio.accountSid,
    TWILIO_AUTH_TOKEN: twilio.authToken,
    TWILIO_SMS_FROM: '+14155550100',
    TWILIO_API_URL: twilio.url,
  });
});
afterAll(async () => {
  await passbell.stop();
  await twilio.close();
});

it('links each reason to all messages that it counts, and to no others if they are of one application', async () => {
  const owner = await signIn(passbell);
  const first = await passbell.application(NO_LIMITS);
  const second = await passbell.application(NO_LIMITS);
  async function fail(keys: TestService['keys'], reason: keyof typeof TWILIO_ERRORS) {
    twilio.respondWith(TWILIO_ERRORS[reason]);
    await passbell.post('/auth/sendotp', { to: freshPhone(), authWay: 'SMS' }, { keys });
  }
  async function follow() {
    const { html } = await owner.get('/home');
    const [, count, href] =
      /(\d+) messages?<\/[^>]+>\s*<a[^>]*href="\/dashboard([^"]*)"[^>]*not a valid phone number/.exec(
        html,
      ) as unknown as [string, string, string];
    const list = (await owner.get(href.replaceAll('&amp;', '&'))).html;
    return { count: Number(count), listed: list.match(/id="message-[0-9a-f]{32}"/g)!.length };
  }
  await fail(first, 'optedOut');
  for (let n = 0; n < 2; n++) await fail(first, 'invalidNumber');
  expect(await follow()).toEqual({ count: 2, listed: 2 });
  await fail(second, 'invalidNumber');
  expect(await follow()).toEqual({ count: 3, listed: 4 });
});
