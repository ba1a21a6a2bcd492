/** The failures on Home and on an application's page, and the lists of messages to which they link. */
import { DAY, MINUTE } from '../../backend/src/platform/clock.js';
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
      /Invalid phone numbers<\/p>\s*<p[^>]*>\s*(\d+) messages?[^]*?href="\/dashboard([^"]*)"/.exec(html) as unknown as [
        string,
        string,
        string,
      ];
    const list = (await owner.get(href.replaceAll('&amp;', '&'))).html;
    return { count: Number(count), listed: list.match(/id="message-[0-9a-f]{32}"/g)!.length };
  }
  await fail(first, 'optedOut');
  for (let n = 0; n < 2; n++) await fail(first, 'invalidNumber');
  expect(await follow()).toEqual({ count: 2, listed: 2 });
  await fail(second, 'invalidNumber');
  expect(await follow()).toEqual({ count: 3, listed: 4 });
});

it('counts each person of an outage of several applications once, and lists the messages of one application on its page', async () => {
  passbell.clock.advance(2 * DAY);
  const owner = await signIn(passbell);
  const shops = [await passbell.application(NO_LIMITS), await passbell.application(NO_LIMITS)];
  const people = Array.from({ length: 21 }, freshPhone);
  const sendTo = (to: string) =>
    Promise.all(shops.map((keys) => passbell.post('/auth/sendotp', { to, authWay: 'SMS' }, { keys })));
  const db = passbell.openDatabase();
  twilio.respondWith(TWILIO_ERRORS.invalidNumber);
  await sendTo(freshPhone());
  twilio.respondWith(TWILIO_ERRORS.optedOut);
  for (const to of people) await sendTo(to);
  passbell.clock.advance(MINUTE);
  twilio.respondWith('accept');
  for (const to of people.slice(1)) await sendTo(to);
  await db('otp_sessions')
    .whereIn('message_id', db('messages').where({ state: 'sent' }).select('id'))
    .update({
      state: 'verified',
    });
  await db.destroy();
  /** Returns a part of the outage's fact, and the number of messages that the link lists. */
  async function outageOn(path: string) {
    const { html } = await owner.get(path);
    const [concern = ''] = /<li>(?:(?!<li>)[^])*?SMS outage \(Twilio\), [^]*?<\/li>/.exec(html) ?? [];
    const fact = /\d+ of \d+ affected people (?:has|have) not entered a code since/.exec(concern)?.[0];
    const [, href = ''] = /<a[^>]*href="\/dashboard(\/messages[^"]*)"/.exec(concern) ?? [];
    const list = (await owner.get(href.replaceAll('&amp;', '&'))).html;
    return { fact, listed: list.match(/id="message-[0-9a-f]{32}"/g)?.length };
  }
  const fact = '1 of 21 affected people has not entered a code since';
  // The list also contains the messages to invalid numbers.
  expect(await outageOn('/home')).toEqual({ fact, listed: 4 });
  for (const { appKey } of shops) expect(await outageOn(`/applications/${appKey}`)).toEqual({ fact, listed: 1 });
});

it('links the failures of today to their number, which includes expired messages, and shows no empty lines', async () => {
  const { html } = await (await signIn(passbell)).get('/home');
  expect(html).toMatch(/<a href="\/dashboard\/usage\?from=[\d-]+&amp;to=[\d-]+">Failed</);
  expect(html).not.toMatch(/<p[^>]*>\s*<\/p>/);
});

it('the page of a failed message links to the others that failed for the same reason at that time', async () => {
  const owner = await signIn(passbell);
  const keys = await passbell.application(NO_LIMITS);
  const fail = async (reason: keyof typeof TWILIO_ERRORS): Promise<string> => {
    twilio.respondWith(TWILIO_ERRORS[reason]);
    const { data } = await passbell.post('/auth/sendotp', { to: freshPhone(), authWay: 'SMS' }, { keys });
    return data.results[0].messageId;
  };
  const id = await fail('optedOut');
  const link = async () =>
    /one of \d+ messages that failed for the same reason \([^)]+\)\. <a href="\/dashboard([^"]*)">Show \d+ messages</.exec(
      (await owner.get(`/messages/${id}`)).html,
    )?.[1];
  for (let n = 0; n < 3; n++) await fail('optedOut');
  await fail('invalidNumber');
  expect(await link()).toBeUndefined();
  await fail('optedOut');
  const list = (await owner.get((await link())!.replaceAll('&amp;', '&'))).html;
  expect(list.match(/id="message-[0-9a-f]{32}"/g)).toHaveLength(5);
});
