/** An application that may not send cannot retry a dead letter either. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { signIn } from '../support/dashboard.js';
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
  const { applications } = passbell.service;
  const account = freshMail();
  const keys = await applications.create(OPERATOR, { name: 'Closed', email: account });
  await applications.update(OPERATOR, keys.appKey, NO_LIMITS);
  const member = await signIn(passbell, 'member', { account });
  twilio.respondWith(TWILIO_ERRORS.optedOut);
  const sent = await passbell.post('/auth/sendotp', { to: '+14152001001', authWay: 'SMS' }, { keys });
  const path = `/messages/${sent.data.results[0].messageId}`;
  twilio.respondWith('accept');

  if (what === 'a blocked account') await applications.setAccountStatus(OPERATOR, keys.appKey, 'blocked');
  else await applications.update(OPERATOR, keys.appKey, { status: 'inactive' });
  const reply = await member.submit(path, `${path}/retry`);
  expect((await member.follow(reply)).html).toContain(`Nothing was sent: ${reason}`);
  expect((await member.get(path)).html).toContain('Send again');
});
