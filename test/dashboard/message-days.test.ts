/** The days in the list of messages, and the years of times. */
import { signIn } from '../support/dashboard.js';
import { startService, type TestService } from '../support/service.js';
import { TWILIO_ERRORS, startTwilioServer, type TwilioServer } from '../support/twilio-server.js';

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

it('lists the messages of each day below its name, also after midnight', async () => {
  // Failed messages do not change, so that only the day does.
  twilio.respondWith(TWILIO_ERRORS.optedOut);
  await passbell.post('/auth/sendotp', { to: '+14152001000', authWay: 'SMS' });
  passbell.clock.advance(2 * 3_600_000);
  const { html } = await (await signIn(passbell)).get('/messages?state=failed');
  expect(html).toMatch(
    /<th scope="rowgroup" colSpan="\d">Today · [^<]+<\/th>[\s\S]*<time [^>]*>\d\d:\d\d:\d\d<\/time>/i,
  );
  const mark = /name="mark" value="(\w+)"/.exec(html)![1];
  passbell.clock.advance(24 * 3_600_000);
  const asked = { 'HX-Request': 'true', 'HX-Target': 'message-list' };
  const later = await (await signIn(passbell)).get(`/messages?state=failed&mark=${mark}`, asked);
  expect(later.status).toBe(200);
  expect(later.html).toMatch(/<th scope="rowgroup"[^>]*>Yesterday · /);
  expect(later.html).not.toContain('Today');
});

it('shows the year of times in other years only', async () => {
  const { data } = await passbell.post('/auth/sendotp', { to: '+14152001001', authWay: 'SMS' });
  const id: string = data.results[0].messageId;
  const owner = await signIn(passbell);
  const page = async () => (await owner.get(`/messages/${id}`)).html;
  expect(await page()).toMatch(/<time [^>]*>Jan 1[5-7], \d\d:\d\d:\d\d UTC<\/time>/);
  const db = passbell.openDatabase();
  await db('messages')
    .where({ id })
    .update({ created_at: Date.UTC(2026, 11, 31, 23, 59) });
  await db.destroy();
  expect(await page()).toContain('>Dec 31, 2026, 23:59:00 UTC</time>');
});
