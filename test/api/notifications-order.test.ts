/** sendOrderNotification: `/notifications/order`, what it answers and what it sends. */
import type { KeyPair } from '../../backend/src/modules/applications/applications-service.js';
import { freshMail, freshPhone, NO_LIMITS, startService, type Body, type TestService } from '../support/service.js';

let passbell: TestService;
let keys: KeyPair;
beforeAll(async () => {
  passbell = await startService();
  keys = await passbell.application(NO_LIMITS);
});
afterAll(() => passbell.stop());
beforeEach(() => passbell.clock.advance(60_000));

const PATH = '/notifications/order';
const post = (body: object, pair = keys, headers = {}): Promise<Body> =>
  passbell.post(PATH, body, { keys: pair, headers });
const order = (parameters: object = {}): object => ({
  to: freshPhone(),
  authWay: 'sms',
  templateType: 'order_shipped',
  variables: { orderId: 'A-1001' },
  ...parameters,
});

it('answers every field of a result, with who asked', async () => {
  const headers = {
    'User-Agent':
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36',
  };
  const body = await post(order({ to: '+14155550199' }), keys, headers);
  const now = passbell.clock.now() / 1000;
  expect(body).toEqual({
    success: true,
    message: 'notification sent successfully',
    status: 'NotificationsSent',
    data: {
      isTried: 1,
      isSent: 1,
      results: [
        {
          success: true,
          message: 'sent',
          to: '+1415*****99',
          authType: 'Sms',
          authtype: 'Sms',
          maskId: expect.stringMatching(/^[0-9a-f]{32}$/),
          createdTime: now,
          expireTime: now + 86_400,
          expiretime: now + 86_400,
          charge: '0.0000',
          currency: 'usd',
          deviceInfo: {
            ipAddress: '127.0.0.1',
            browser: 'Chrome 126.0.0.0',
            os: 'Windows 10',
            device: 'desktop',
            ...{ country: '', state: '', city: '', postal: '', location: '', org: '', timezone: '' },
          },
        },
      ],
    },
  });
});

it('says what the template says', async () => {
  const to = freshPhone();
  const trackingLink = 'https://track.example/1';
  await post(order({ to, variables: { customerName: 'Ana', orderId: 'A-1001', trackingLink } }));
  expect(await passbell.inbox(to)).toMatchObject([
    {
      channel: 'SMS',
      text: `Another Shop: Hello Ana! Your order A-1001 is on its way. Track the parcel: ${trackingLink}`,
    },
  ]);
});

it('sends mails to mail addresses', async () => {
  const to = freshMail();
  expect(await post(order({ to, authWay: undefined }))).toMatchObject({ success: true });
  expect(await passbell.inbox(to)).toMatchObject([
    { channel: 'EMAIL', subject: 'Your order A-1001 is on its way', html: expect.stringContaining('A-1001') },
  ]);
});
