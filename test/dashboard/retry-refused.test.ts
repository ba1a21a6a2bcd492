/** A dead letter is a send like any other: an application that may not send does not send it again either. */
import { signIn } from '../support/dashboard.js';
import { freshMail, NO_LIMITS, startService, type TestService } from '../support/service.js';
import { REFUSALS, startTwilioServer, type TwilioServer } from '../support/twilio-server.js';

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
}, 60_000);
afterAll(async () => {
  await passbell.stop();
  await twilio.close();
});

const CASES = [
  ['an application that was switched off', 'application is inactive'],
  ['a blocked account', 'Your account is currently blocked'],
] as const;

it.each(CASES)('sends nothing again for %s', async (what, reason) => {
  const { applications } = passbell.service;
  const account = freshMail();
  const keys = await applications.create({ name: 'Closed', email: account });
  await applications.update(keys.appKey, NO_LIMITS);
  const member = await signIn(passbell, 'member', { account });
  twilio.answer(REFUSALS.optedOut);
  const sent = await passbell.post('/auth/sendotp', { to: '+14152001001', authWay: 'SMS' }, { keys });
  const path = `/messages/${sent.data.results[0].messageId}`;
  twilio.answer('accept');

  if (what === 'a blocked account') await applications.setAccountStatus(keys.appKey, 'blocked');
  else await applications.update(keys.appKey, { status: 'inactive' });
  const reply = await member.submit(path, `${path}/retry`);
  expect((await member.follow(reply)).html).toContain(`Nothing was sent: ${reason}`);
  expect((await member.get(path)).html).toContain('Send again');
});
