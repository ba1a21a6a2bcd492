/** sendOrderNotification: repeated notifications after a failure, and to similar addresses. */
import { freshPhone, startService, type Body, type TestService } from '../support/service.js';
import { TWILIO_ERRORS, startTwilioServer, type TwilioServer } from '../support/twilio-server.js';

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

it('sends a repeated notification immediately if the provider rejected the first one', async () => {
  const keys = await passbell.application();
  const to = freshPhone();
  twilio.respondWith(TWILIO_ERRORS.credentials);
  for (let i = 0; i < 2; i++) expect(await post(keys, to, { authWay: 'sms' })).toMatchObject({ code: 'SEND_FAILED' });
  twilio.respondWith('accept');
  expect(await post(keys, to, { authWay: 'sms' })).toMatchObject({ success: true });
  expect(await post(keys, to, { authWay: 'sms' })).toMatchObject({ code: 'DUPLICATE_NOTIFICATION' });
});

it('counts a failed notification towards the burst limit', async () => {
  const keys = await passbell.application({ limits: { burstPerMinute: 2 } });
  const to = freshPhone();
  twilio.respondWith(TWILIO_ERRORS.credentials);
  for (let i = 0; i < 2; i++) expect(await post(keys, to, { authWay: 'sms' })).toMatchObject({ code: 'SEND_FAILED' });
  expect(await post(keys, to, { authWay: 'sms' })).toMatchObject({ code: 'BURST_LIMIT' });
  twilio.respondWith('accept');
});

it('rejects a repeated notification if the first one may still arrive', async () => {
  const keys = await passbell.application();
  const to = freshPhone();
  twilio.respondWith('reset');
  expect(await post(keys, to, { authWay: 'sms' })).toMatchObject({ code: 'SEND_FAILED' });
  twilio.respondWith('accept');
  expect(await post(keys, to, { authWay: 'sms' })).toMatchObject({ code: 'DUPLICATE_NOTIFICATION' });
});

it('treats addresses with different plus-tags as different recipients, but ignores spaces and case', async () => {
  const keys = await passbell.application();
  expect(await post(keys, 'ana+one@example.com')).toMatchObject({ success: true });
  expect(await post(keys, 'ana+two@example.com')).toMatchObject({ success: true });
  expect(await post(keys, ' Ana+one@EXAMPLE.com')).toMatchObject({ code: 'DUPLICATE_NOTIFICATION' });
});
