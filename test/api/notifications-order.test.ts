/** sendOrderNotification, `/notifications/order`: replies and messages. */
import { fileURLToPath } from 'node:url';
import { TEMPLATES } from '../../backend/src/platform/contract/generated/templates.js';
import type { KeyPair } from '../../backend/src/modules/applications/application.js';
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

it('returns every field of a result, including deviceInfo', async () => {
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
          messageId: expect.stringMatching(/^[0-9a-f]{32}$/),
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
            country: '',
            state: '',
            city: '',
            postal: '',
            location: '',
            org: '',
            timezone: '',
          },
        },
      ],
    },
  });
});

it('sends the template text', async () => {
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

it('sends emails to email addresses', async () => {
  const to = freshMail();
  expect(await post(order({ to, authWay: undefined }))).toMatchObject({ success: true });
  expect(await passbell.inbox(to)).toMatchObject([
    { channel: 'EMAIL', subject: 'Your order A-1001 is on its way', html: expect.stringContaining('A-1001') },
  ]);
});

const ALL_VARIABLES = {
  customerName: 'Ana',
  orderId: 'A-1',
  orderTotal: '$5',
  amount: '$5',
  refundedAmount: '$5',
  updateMessage: 'Soon.',
  feedbackLink: 'https://shop.example/rate',
};
const names = Object.entries(TEMPLATES)
  .filter(([, { kind }]) => kind === 'order')
  .flatMap(([name, { aliases }]) => [name, ...aliases].map((alias) => [alias, name] as const));

it.each(names)('sends %s as the template %s', async (templateType, name) => {
  const to = freshPhone();
  const otherRecipient = freshPhone();
  expect(await post(order({ to, templateType, variables: ALL_VARIABLES }))).toMatchObject({ success: true });
  await post(order({ to: otherRecipient, templateType: name, variables: ALL_VARIABLES }));
  const textsFor = async (phone: string) => (await passbell.inbox(phone)).map(({ text }) => text);
  expect(await textsFor(to)).toEqual(await textsFor(otherRecipient));
});

it.each(['ORDER_SHIPPED', 'Order Shipped', 'order-shipped', 'orderShipped', ' OrderShipped ', 'Order  dispatched'])(
  'accepts the template name %j',
  async (templateType) => {
    const to = freshPhone();
    expect(await post(order({ to, templateType }))).toMatchObject({ success: true });
    expect((await passbell.inbox(to))[0]!.text).toContain('is on its way');
  },
);

it.each(['order_lost', 'invoice_generated', 'otp', 'constructor', '__proto__', 'order', '{{ 1 }}'])(
  'rejects the template %j and lists the valid ones',
  async (templateType) => {
    const to = freshPhone();
    const body = await post(order({ to, templateType }));
    expect(body).toMatchObject({ success: false, code: 'UNKNOWN_TEMPLATE' });
    expect(body.message).toContain('order_placed, order_confirmed');
    expect(body.message).not.toContain('invoice');
    expect(await passbell.inbox(to)).toEqual([]);
  },
);

it.each([
  [{}, 'order_shipped', 'orderId'],
  [{ orderId: ' ' }, 'order_shipped', 'orderId'],
  [{ orderId: '\u0000\u202e' }, 'order_shipped', 'orderId'],
  [{}, 'refund_initiated', 'orderId, refundedAmount'],
  [{ orderId: '1' }, 'payment_success', 'amount or orderTotal'],
  [{}, 'order_update', 'orderId, updateMessage or status'],
])('lists the variables missing in %j for %s', async (variables, templateType, missing) => {
  expect(await post(order({ templateType, variables }))).toMatchObject({
    success: false,
    code: 'MISSING_TEMPLATE_VARIABLES',
    message: `missing template variables: ${missing}`,
  });
});

it('treats a missing variables object as empty', async () => {
  const body = await post(order({ variables: undefined }));
  expect(body).toMatchObject({ message: 'missing template variables: orderId' });
});

it.each(['amount', 'orderTotal'])('accepts %s where one of two variables is required', async (name) => {
  const variables = { orderId: '1', [name]: '$5' };
  expect(await post(order({ templateType: 'payment_success', variables }))).toMatchObject({ success: true });
});

it('converts number and boolean variables to text, ignores case in variable names, and ignores unknown variables', async () => {
  const to = freshPhone();
  const variables = { ORDERID: 1001, trackingNo: true, Estimateddelivery: -2.5, nonsense: [1], trackinglink: '' };
  expect(await post(order({ to, variables }))).toMatchObject({ success: true });
  expect((await passbell.inbox(to))[0]!.text).toBe(
    'Another Shop: Your order 1001 is on its way. Tracking number: true. Expected delivery: -2.5.',
  );
});

it.each([
  ['orderId', [1]],
  ['orderId', { a: 1 }],
  ['orderId', null],
  ['customerName', ['Ana']],
  ['orderId', 'x'.repeat(65)],
  ['updateMessage', 'x'.repeat(501)],
])('rejects %s = %j with an error that names the variable', async (name, value) => {
  const body = await post(order({ variables: { orderId: '1', [name]: value } }));
  expect(body).toMatchObject({ success: false, code: 'INVALID_PARAMETER' });
  expect(body.message).toContain(`variables.${name} must be a string`);
});

it.each([null, 'x', 7, true, [], [{ orderId: '1' }]])('rejects variables %j', async (variables) => {
  const message = 'variables must be an object';
  expect(await post(order({ variables }))).toMatchObject({ success: false, code: 'INVALID_PARAMETER', message });
});

it.each([
  'javascript:alert(1)',
  'data:text/html,x',
  'ftp://shop.example',
  '//shop.example',
  'shop.example/track',
  'https://',
  'https:///x',
  'https://bank.example@evil.example/',
  'https://user:pass@shop.example/',
  'https://shop.example\\@evil.example',
  'https://shop.example/a b',
  'https://shop.example/"onclick="x',
  'https://shop.example/\r\nBcc: x',
  'https://shop.example/\u202egpj.exe',
  7,
])('rejects the link %j', async (trackingLink) => {
  const body = await post(order({ variables: { orderId: '1', trackingLink } }));
  expect(body).toMatchObject({ success: false, code: 'INVALID_PARAMETER' });
  expect(body.message).toContain('variables.trackingLink must be a link that starts with http:// or https://');
});

it.each([
  'http://shop.example',
  'HTTPS://Shop.example/x?a=1&b=%20#c',
  'https://xn--mnchen-3ya.example/',
  'https://[2001:db8::1]:8443/',
])('accepts the link %s unchanged', async (trackingLink) => {
  const to = freshPhone();
  expect(await post(order({ to, variables: { orderId: '1', trackingLink } }))).toMatchObject({ success: true });
  expect((await passbell.inbox(to))[0]!.text).toContain(`Track the parcel: ${trackingLink}`);
});

it.each([
  [{ to: '' }, 'missing sender address'],
  [{ to: undefined }, 'missing sender address'],
  [{ to: ['+14155550123'] }, 'invalid recipient'],
  [{ to: 'ana@example.com', authWay: 'sms' }, 'invalid recipient'],
  [{ authWay: 'fax' }, 'invalid authWay'],
  [{ templateType: '' }, 'missing parameters'],
  [{ templateType: undefined }, 'missing parameters'],
  [{ language: ['en'] }, 'language must be a language tag such as en'],
])('rejects %j with the message %j', async (parameters, message) => {
  expect(await post(order(parameters))).toMatchObject({ success: false, message });
});

it('accepts only POST requests', async () => {
  expect(await passbell.get(PATH, { to: freshPhone(), templateType: 'order_placed' }, { keys })).toMatchObject({
    success: false,
    code: 'METHOD_NOT_ALLOWED',
  });
});

it('rejects wrong credentials', async () => {
  const wrong = { ...keys, appSecret: 'wrong' };
  expect(await post(order(), wrong)).toMatchObject({ success: false, message: 'invalid clientId or clientSecret' });
});

it('does not log variables', async () => {
  const secret = 'Zaphod Beeblebrox';
  await post(order({ variables: { orderId: 'A-1001', customerName: secret } }));
  await post(order({ variables: { orderId: [secret] } }));
  expect(passbell.logged.join('')).not.toContain(secret);
});

it('uses a forwarded address only behind a trusted proxy, and looks up its country in the GeoIP database', async () => {
  const GEOIP_DATABASE = fileURLToPath(
    new URL(
      '../../node_modules/@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb',
      import.meta.url,
    ),
  );
  const headers = { 'X-Forwarded-For': '8.8.8.8' };
  const deviceInfo = async () => (await post(order(), keys, headers)).data.results[0].deviceInfo;
  expect(await deviceInfo()).toMatchObject({ ipAddress: '127.0.0.1', country: '' });
  passbell = await passbell.restart({ TRUST_PROXY: '1', GEOIP_DATABASE });
  expect(await deviceInfo()).toMatchObject({ ipAddress: '8.8.8.8', country: 'US', city: '' });
});
