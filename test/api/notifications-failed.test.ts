/** sendOrderNotification: the same one again after the first one failed, and to addresses that are almost the same. */
import { freshPhone, startService, type Body, type TestService } from '../support/service.js';
import { REFUSALS, startTwilioServer, type TwilioServer } from '../support/twilio-server.js';

let twilio: TwilioServer;
let passbell: TestService;
beforeAll(async () => {
  twilio = await startTwilioServer();
  passbell = await startService({
    TWILIO_API_URL: twilio.url,
    TWILIO_ACCOUNT_SID: twilio.accountSid,
    TWILIO_AUTH_TOKEN: twilio.authToken,
    TWILIO_SMS_FROM: '+14155550100',
  });
});
afterAll(async () => {
  await passbell.stop();
  await twilio.close();
});

const post = (keys: TestService['keys'], to: string, more: object = {}): Promise<Body> =>
  passbell.post(
    '/notifications/order',
    { to, templateType: 'order_shipped', variables: { orderId: 'A-1001' }, ...more },
    { keys },
  );

it('goes out at once when the provider refused the first one', async () => {
  const [keys, to] = [await passbell.application(), freshPhone()];
  twilio.answer(REFUSALS.credentials);
  for (let i = 0; i < 2; i++) expect(await post(keys, to, { authWay: 'sms' })).toMatchObject({ code: 'SEND_FAILED' });
  twilio.answer('accept');
  expect(await post(keys, to, { authWay: 'sms' })).toMatchObject({ success: true });
  expect(await post(keys, to, { authWay: 'sms' })).toMatchObject({ code: 'DUPLICATE_NOTIFICATION' });
});

it('counts as a send of the application although it failed', async () => {
  const [keys, to] = [await passbell.application({ limits: { burstPerMinute: 2 } }), freshPhone()];
  twilio.answer(REFUSALS.credentials);
  for (let i = 0; i < 2; i++) expect(await post(keys, to, { authWay: 'sms' })).toMatchObject({ code: 'SEND_FAILED' });
  expect(await post(keys, to, { authWay: 'sms' })).toMatchObject({ code: 'BURST_LIMIT' });
  twilio.answer('accept');
});

it('is refused while the first one may yet arrive', async () => {
  const [keys, to] = [await passbell.application(), freshPhone()];
  twilio.answer('reset');
  expect(await post(keys, to, { authWay: 'sms' })).toMatchObject({ code: 'SEND_FAILED' });
  twilio.answer('accept');
  expect(await post(keys, to, { authWay: 'sms' })).toMatchObject({ code: 'DUPLICATE_NOTIFICATION' });
});

it('is another one for another plus-tag, and the same one for another spelling', async () => {
  const keys = await passbell.application();
  expect(await post(keys, 'ana+one@example.com')).toMatchObject({ success: true });
  expect(await post(keys, 'ana+two@example.com')).toMatchObject({ success: true });
  expect(await post(keys, ' Ana+one@EXAMPLE.com')).toMatchObject({ code: 'DUPLICATE_NOTIFICATION' });
});
