/** Retries are rejected if the application may not send, or if the fraud guard refuses the message. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { signIn } from '../support/dashboard.js';
import { retryMessage } from '../support/messages.js';
import { freshMail, NO_LIMITS, startService, type TestService } from '../support/service.js';
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

const CASES = [
  ['an inactive application', 'application is inactive'],
  ['a blocked account', 'Your account is currently blocked'],
] as const;

it.each(CASES)('rejects a retry for %s', async (what, reason) => {
  const { applications } = passbell.core;
  const account = freshMail();
  const keys = await applications.service.create(OPERATOR, { name: 'Closed', email: account });
  await applications.service.update(OPERATOR, keys.appKey, NO_LIMITS);
  const member = await signIn(passbell, 'member', { account });
  twilio.respondWith(TWILIO_ERRORS.optedOut);
  const sent = await passbell.post('/auth/sendotp', { to: '+14152001001', authWay: 'SMS' }, { keys });
  const path = `/messages/${sent.data.results[0].messageId}`;
  twilio.respondWith('accept');

  if (what === 'a blocked account') await applications.service.setAccountStatus(OPERATOR, keys.appKey, 'blocked');
  else await applications.service.update(OPERATOR, keys.appKey, { status: 'inactive' });
  const reply = await member.submit(path, `${path}/retry`);
  expect((await member.follow(reply)).html).toContain(`Nothing was sent: ${reason}`);
  expect((await member.get(path)).html).toContain('Send again');
});

it('rejects a retry that the fraud guard refuses, explains why, and counts other retries as sends', async () => {
  const { applications, fraud } = passbell.core;
  const keys = await passbell.application(NO_LIMITS);
  const member = await signIn(passbell, 'member');
  twilio.respondWith(TWILIO_ERRORS.optedOut);
  const sent = await passbell.post('/auth/sendotp', { to: '+14152001001', authWay: 'SMS' }, { keys });
  twilio.respondWith('accept');
  const path = `/messages/${sent.data.results[0].messageId}`;
  const application = await applications.service.load(keys.appKey);
  const pause = (action: 'pause' | 'resume') =>
    fraud.pauses.act(OPERATOR, application, { scope: 'country', key: 'US' }, action);
  const counted = async () => {
    const db = passbell.openDatabase();
    const rows = db('fraud_days').where({ application_id: application.id });
    const [row] = await rows.sum({ sent: 'sent' });
    await db.destroy();
    return Number(row!.sent);
  };

  await pause('pause');
  passbell.clock.advance(2000);
  const before = twilio.requests.length;
  const refused = await member.follow(await member.submit(path, `${path}/retry`));
  expect(refused.html).toContain('Nothing was sent: Messages like this one are paused because they look like fraud');
  expect(refused.html).toContain('A person paused these messages.');
  expect(refused.html).toContain('Send again');
  expect(twilio.requests).toHaveLength(before);
  expect(await counted()).toBe(0);

  await pause('resume');
  passbell.clock.advance(2000);
  expect((await member.follow(await member.submit(path, `${path}/retry`))).html).toContain(
    'The message was queued again.',
  );
  expect(await counted()).toBe(1);
});

it('counts a message at most once if two people retry it concurrently', async () => {
  const keys = await passbell.application(NO_LIMITS);
  twilio.respondWith(TWILIO_ERRORS.optedOut);
  const sent = await passbell.post('/auth/sendotp', { to: '+14152001002', authWay: 'SMS' }, { keys });
  twilio.respondWith('accept');
  const id = sent.data.results[0].messageId as string;
  const results = await Promise.all(Array.from({ length: 4 }, () => retryMessage(passbell, id)));
  expect(results.filter((result) => result === 'retried')).toHaveLength(1);
  const { id: applicationId } = await passbell.core.applications.service.load(keys.appKey);
  const db = passbell.openDatabase();
  const rows = await db('fraud_days').where({ application_id: applicationId });
  await db.destroy();
  // 0 if the request that was counted is not the one that was sent.
  expect(rows.map(({ sent }) => Number(sent)).every((count) => count <= 1)).toBe(true);
});
