/**
 * Expensive special numbers never reach a provider. A landline never gets an SMS, and gets a call only if VOICE was
 * chosen.
 */
import { freshPhone, NO_LIMITS, startService, type Body, type TestService } from '../support/service.js';
import { startTwilioServer, TWILIO_ERRORS, type TwilioServer } from '../support/twilio-server.js';

const LANDLINE = '+442079460958';
const MOBILE_LINE = '+447400123456';

const REJECTED_NUMBERS = [
  ['+870773111632', 'a satellite or international network'],
  ['+881612345678', 'a satellite or international network'],
  ['+8821612345678', 'a satellite or international network'],
  ['+883510012345678', 'a satellite or international network'],
  ['+878101234567890', 'a satellite or international network'],
  ['+888123456789', 'a satellite or international network'],
  ['+16007001234', 'a satellite or international network'],
  ['+61147123456', 'a satellite or international network'],
  ['+8613491234567', 'a satellite or international network'],
  ['+8617401234567', 'a satellite or international network'],
  ['+79541234567', 'a satellite or international network'],
  ['+6286812345678', 'a satellite or international network'],
  ['+67527512345', 'a satellite or international network'],
  ['+12129761234', 'a premium-rate number'],
  ['+14169761234', 'a premium-rate number'],
  ['+979123456789', 'a satellite or international network'],
  ['+80012345678', 'a satellite or international network'],
  ['+80812345678', 'a satellite or international network'],
  ['+19005550123', 'a premium-rate number'],
  ['+33899123456', 'a premium-rate number'],
  ['+49180112345', 'a shared-cost number'],
  ['+18005550199', 'a toll-free number'],
  ['+39800123456', 'a toll-free number'],
  ['+447012345678', 'a personal number'],
  ['+443001234567', 'a nationwide company number'],
  ['+447640123456', 'a pager number'],
  ['+41860791234567', 'a voicemail number'],
] as const;

let twilio: TwilioServer;
let passbell: TestService;
beforeAll(async () => {
  twilio = await startTwilioServer();
  passbell = await startService({
    TWILIO_API_URL: twilio.url,
    TWILIO_ACCOUNT_SID: twilio.accountSid,
    TWILIO_AUTH_TOKEN: twilio.authToken,
    TWILIO_SMS_FROM: '+14155550100',
    TWILIO_WHATSAPP_FROM: '+14155550100',
    TWILIO_VOICE_FROM: '+14155550100',
  });
});
afterAll(async () => {
  await passbell.stop();
  await twilio.close();
});

type Keys = TestService['keys'];

/** A separate application for each test, so that tests do not share limits. */
const application = (
  channels: readonly ('SMS' | 'WHATSAPP' | 'VOICE')[] = [],
  countries: readonly string[] = [],
): Promise<Keys> => passbell.application({ ...NO_LIMITS, settings: { channels, countries } });

const send = (keys: Keys, to: string, more: object = {}): Promise<Body> =>
  passbell.post('/auth/sendotp', { to, ...more }, { keys });

/**
 * Returns the requests that Twilio received during `work`, each as a channel and recipient, such as `SMS +14155550123`.
 */
async function requestsOf(work: () => Promise<unknown>): Promise<string[]> {
  const before = twilio.requests.length;
  await work();
  return twilio.requests.slice(before).map(({ path, form }) => {
    const to = form.To!.replace('whatsapp:', '');
    return `${path.includes('/Calls') ? 'VOICE' : form.To === to ? 'SMS' : 'WHATSAPP'} ${to}`;
  });
}

describe('with a provider', () => {
  it.each(REJECTED_NUMBERS)('%s is rejected as %s before a provider is called', async (to, kind) => {
    const keys = await application(['SMS', 'WHATSAPP', 'VOICE']);
    const requests = await requestsOf(async () => {
      for (const authWay of [undefined, 'SMS', 'WHATSAPP', 'VOICE'])
        expect(await send(keys, to, authWay ? { authWay } : {})).toMatchObject({
          success: false,
          code: 'NUMBER_NOT_ALLOWED',
          message: 'invalid recipient',
          hint: expect.stringMatching(new RegExp(`^This is .*${kind}.*\\. Use a mobile number\\.$`)),
        });
      const notification = { to, templateType: 'order_placed', variables: { orderId: 'A-1' } };
      expect(await passbell.post('/notifications/order', notification, { keys })).toMatchObject({
        code: 'NUMBER_NOT_ALLOWED',
      });
    });
    expect(requests).toEqual([]);
  });

  it('mobile numbers, and all numbers in countries without separate mobile ranges, get an SMS', async () => {
    const keys = await application();
    for (const to of [MOBILE_LINE, '+14155552671', '+525512345678'])
      expect(await requestsOf(() => send(keys, to))).toEqual([`SMS ${to}`]);
  });
});

it('the dev inbox rejects the same numbers, and accepts landlines that are reserved for examples', async () => {
  const local = await startService();
  try {
    for (const [to] of REJECTED_NUMBERS)
      expect(await local.post('/auth/sendotp', { to })).toMatchObject({ code: 'NUMBER_NOT_ALLOWED' });
    expect(await local.post('/auth/sendotp', { to: LANDLINE, authWay: 'SMS' })).toMatchObject({ success: true });
  } finally {
    await local.stop();
  }
});

describe('a landline', () => {
  const rejection = {
    success: false,
    code: 'NUMBER_NOT_ALLOWED',
    message: 'invalid recipient',
    hint: 'This is a landline. Use a mobile number, or set authWay to VOICE for a call.',
  };

  it('gets no SMS, and no call from an application with the default channel order', async () => {
    const keys = await application();
    const requests = await requestsOf(async () => {
      for (const more of [{}, { authWay: 'SMS' }, { authWay: 'WHATSAPP' }])
        expect(await send(keys, LANDLINE, more)).toMatchObject(rejection);
    });
    expect(requests).toEqual([]);
  });

  it('gets no call if the channel order does not contain VOICE', async () => {
    const keys = await application(['SMS', 'WHATSAPP']);
    expect(await requestsOf(async () => expect(await send(keys, LANDLINE)).toMatchObject(rejection))).toEqual([]);
  });

  it.each([[['SMS', 'VOICE']], [['VOICE', 'SMS']], [['SMS', 'WHATSAPP', 'VOICE']]] as const)(
    'gets a call and nothing else with the saved channel order %j',
    async (channels) => {
      const keys = await application(channels, ['GB']);
      expect(await requestsOf(() => send(keys, LANDLINE))).toEqual([`VOICE ${LANDLINE}`]);
    },
  );

  it('gets a call if the request specifies VOICE', async () => {
    const keys = await application(undefined, ['GB']);
    expect(await requestsOf(() => send(keys, LANDLINE, { authWay: 'VOICE' }))).toEqual([`VOICE ${LANDLINE}`]);
  });

  it('gets no call in a country that is neither listed nor the home country of the sender', async () => {
    const requests = await requestsOf(async () => {
      const body = await send(await application(['SMS', 'VOICE']), LANDLINE);
      expect(body).toMatchObject({
        code: 'FRAUD_SUSPECTED',
        hint: expect.stringMatching(/^People who have not entered a code get voice calls only in /),
      });
    });
    expect(requests).toEqual([]);
  });

  it('gets no call after settings other than the channel order were saved', async () => {
    const keys = await passbell.application({ ...NO_LIMITS, settings: { language: 'de' } });
    expect(await send(keys, LANDLINE)).toMatchObject(rejection);
    const db = passbell.openDatabase();
    const { settings } = await db('applications').where({ app_key: keys.appKey }).first();
    await db.destroy();
    expect(JSON.parse(settings)).not.toHaveProperty('channels');
  });
});

it('a mobile number gets a call after SMS and WhatsApp have failed, in the default order', async () => {
  const keys = await application();
  twilio.respondWith(({ path }) => (path.includes('/Calls') ? 'accept' : TWILIO_ERRORS.invalidNumber));
  const to = freshPhone();
  expect(await requestsOf(() => send(keys, to))).toEqual([`SMS ${to}`, `WHATSAPP ${to}`, `VOICE ${to}`]);
  twilio.respondWith('accept');
});

describe('different formats of one number', () => {
  it.each([
    ['Mexico', ['+52 55 1234 5678', '+52 1 55 1234 5678', '0052 1 5512345678'], '+525512345678'],
    ['Argentina', ['+54 9 11 2345 6789', '+54 11 15 2345 6789', '+54 011 15 2345-6789'], '+5491123456789'],
  ])('share their limits and the address of their messages in %s', async (_country, formats, address) => {
    const keys = await passbell.application();
    for (const to of formats) {
      const requests = await requestsOf(async () =>
        expect(await send(keys, to)).toMatchObject(to === formats[0] ? { success: true } : { code: 'COOLDOWN' }),
      );
      expect(requests).toEqual(to === formats[0] ? [`SMS ${address}`] : []);
      const free = await application();
      expect(await requestsOf(() => send(free, to))).toEqual([`SMS ${address}`]);
    }
  });

  it('share their limits with and without the mobile prefix 9 in Argentina', async () => {
    const keys = await passbell.application();
    expect(await send(keys, '+54 9 11 2345 6780')).toMatchObject({ success: true });
    expect(await send(keys, '+54 11 2345 6780')).toMatchObject({ code: 'COOLDOWN' });
  });
});
