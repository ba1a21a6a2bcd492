/** `GET /messages/{id}`, `GET /messages` and `GET /usage`, for the application that sent the messages. */
import type { KeyPair } from '../../backend/src/modules/applications/application.js';
import { freshMail, freshPhone, NO_LIMITS, startService, type Body, type TestService } from '../support/service.js';
import { startSmtpServer, type TestSmtpServer } from '../support/smtp-server.js';
import { TWILIO_ERRORS, startTwilioServer, type TwilioServer } from '../support/twilio-server.js';

let twilio: TwilioServer;
let smtp: TestSmtpServer;
let passbell: TestService;
beforeAll(async () => {
  [twilio, smtp] = await Promise.all([startTwilioServer(), startSmtpServer()]);
  passbell = await startService({
    TWILIO_API_URL: twilio.url,
    TWILIO_ACCOUNT_SID: twilio.accountSid,
    TWILIO_AUTH_TOKEN: twilio.authToken,
    TWILIO_SMS_FROM: '+14155550100',
    SMTP_URL: smtp.url,
    MAIL_FROM: 'codes@shop.example',
  });
});
afterAll(async () => {
  await passbell.stop();
  await Promise.all([twilio.close(), smtp.close()]);
});
beforeEach(() => {
  twilio.respondWith('accept');
  smtp.respondWith({});
});

const firstResult = (body: Body) => body.data.results[0];
const messageOf = (result: Body) => passbell.get(`/messages/${result.messageId}`);

it('returns every field of a sent message', async () => {
  const to = '+14155550142';
  const sent = firstResult(await passbell.post('/auth/sendotp', { to, authWay: 'SMS' }));
  const now = Math.floor(passbell.clock.now() / 1000);
  expect(await messageOf(sent)).toEqual({
    success: true,
    message: 'message found',
    data: {
      messageId: sent.messageId,
      maskId: sent.maskId,
      state: 'sent',
      authType: 'Sms',
      to: '+1415*****42',
      template: 'otp',
      attempts: [{ authType: 'Sms', provider: 'Twilio', success: true, message: 'sent' }],
      charge: '0.0000',
      currency: 'usd',
      createdTime: now,
      finishedTime: now,
    },
  });
});

it('returns a notification, with its message id as the maskId', async () => {
  const variables = { orderId: 'A-1001' };
  const body = { to: freshPhone(), templateType: 'order_placed', variables };
  const sent = firstResult(await passbell.post('/notifications/order', body));
  expect(sent.messageId).toBe(sent.maskId);
  expect(await messageOf(sent)).toMatchObject({ success: true, data: { state: 'sent', template: 'order_placed' } });
});

it('returns the same message for all results of one send', async () => {
  twilio.respondWith(TWILIO_ERRORS.invalidNumber);
  const { data } = await passbell.post('/auth/sendotp', { to: freshPhone() });
  expect(new Set(data.results.map(({ messageId }: Body) => messageId)).size).toBe(1);
  const failed = await messageOf(data.results[0]);
  expect(failed.data).toMatchObject({
    state: 'failed',
    authType: 'Sms',
    attempts: [{ authType: 'Sms', success: false, message: expect.stringContaining('21211') }],
    charge: '0.0000',
  });
});

it('reports an email as failed if the mail server rejects it', async () => {
  smtp.respondWith({ recipient: 550 });
  const body = await passbell.post('/auth/sendotp', { to: freshMail() });
  expect(body).toMatchObject({ success: false, code: 'SEND_FAILED', data: { isSent: 0 } });
  const { data } = await messageOf(firstResult(body));
  expect(data).toMatchObject({
    state: 'failed',
    authType: 'Email',
    attempts: [{ success: false, message: 'the mail server rejected the recipient (550)' }],
    charge: '0.0000',
  });
});

it('reports a message in progress as sending, without a finishedTime', async () => {
  let accept = (): void => undefined;
  const accepted = new Promise<void>((resolve) => (accept = resolve));
  const count = twilio.requests.length;
  twilio.respondWith(async () => {
    await accepted;
    return 'accept' as const;
  });
  const reply = passbell.post('/auth/sendotp', { to: freshPhone(), authWay: 'SMS' });
  await twilio.waitForRequest(count + 1);
  passbell.clock.advance(3000);
  const queued = firstResult(await reply);
  expect(queued).toMatchObject({ message: 'queued', charge: '0.0000' });
  const { data } = await messageOf(queued);
  expect(data).toMatchObject({ state: 'sending', attempts: [] });
  expect(data).not.toHaveProperty('finishedTime');
  accept();
});

it('stores no message for a test recipient', async () => {
  const keys = await passbell.application({ settings: { testRecipients: { '+15550100': '123456' } } });
  const sent = firstResult(await passbell.post('/auth/sendotp', { to: '+15550100' }, { keys }));
  expect(sent).toMatchObject({ messageId: '', charge: '0.0000' });
});

describe('a message', () => {
  const notFound = { success: false, code: 'MESSAGE_NOT_FOUND', message: 'message not found' };

  it('is reported as not found if it belongs to another application', async () => {
    const sent = firstResult(await passbell.post('/auth/sendotp', { to: freshPhone() }));
    const keys = await passbell.application();
    expect(await passbell.get(`/messages/${sent.messageId}`, {}, { keys })).toMatchObject(notFound);
    expect(await passbell.get(`/messages/${'0'.repeat(32)}`)).toMatchObject(notFound);
  });

  it.each(['x', '%00', '%F0%9F%92%A9', "'%20or%201=1", 'a'.repeat(2000), '__proto__'])(
    'is not found by the invalid id %s',
    async (id) => {
      expect(await passbell.get(`/messages/${id}`)).toMatchObject(notFound);
    },
  );

  it('is not found by a variation of the message id', async () => {
    const sent = firstResult(await passbell.post('/auth/sendotp', { to: freshPhone() }));
    for (const id of [`${sent.messageId}%20`, sent.messageId.toUpperCase().replace(/^\d*$/, 'A')])
      expect(await passbell.get(`/messages/${id}`)).toMatchObject(notFound);
  });
});

it('rejects requests without credentials, and methods other than GET', async () => {
  const path = `/messages/${'0'.repeat(32)}`;
  const withoutKeys = { headers: { clientId: undefined } };
  expect(await passbell.get(path, {}, withoutKeys)).toMatchObject({ code: 'MISSING_CREDENTIALS' });
  expect(await passbell.post(path, {})).toMatchObject({ code: 'METHOD_NOT_ALLOWED' });
});

describe('the list of messages', () => {
  const list = (keys: KeyPair, query: object = {}): Promise<Body> =>
    passbell.get('/messages', query as Record<string, string>, { keys });

  it('contains all messages of the application, newest first, page by page', async () => {
    const keys = await passbell.application(NO_LIMITS);
    const sent: string[] = [];
    for (let n = 0; n < 3; n++) {
      sent.unshift(firstResult(await passbell.post('/auth/sendotp', { to: freshMail() }, { keys })).messageId);
      passbell.clock.advance(1000);
    }
    const { data } = await list(keys, { limit: '2' });
    expect(data.messages.map(({ messageId }: Body) => messageId)).toEqual(sent.slice(0, 2));
    expect(data.messages[0]).toEqual((await passbell.get(`/messages/${sent[0]}`, {}, { keys })).data);
    const last = (await list(keys, { limit: '2', after: data.next })).data;
    expect(last).toMatchObject({ messages: [{ messageId: sent[2] }] });
    expect(last).not.toHaveProperty('next');
    expect((await list(await passbell.application())).data).toEqual({ messages: [] });
  });

  it('has filters', async () => {
    const keys = await passbell.application(NO_LIMITS);
    const to = freshMail();
    const { messageId } = firstResult(await passbell.post('/auth/sendotp', { to }, { keys }));
    await passbell.post('/auth/sendotp', { to: freshPhone(), authWay: 'SMS' }, { keys });
    for (const query of [{ to: to.replace('@example.com', '@EXAMPLE.com') }, { authWay: 'email' }])
      expect((await list(keys, query)).data.messages).toMatchObject([{ messageId }]);
    expect((await list(keys, { state: 'sent' })).data.messages).toHaveLength(2);
    expect((await list(keys, { state: 'failed' })).data.messages).toEqual([]);
  });

  it.each([
    [{ to: 'nobody' }, 'INVALID_RECIPIENT'],
    [{ authWay: 'FAX' }, 'INVALID_AUTH_WAY'],
    [{ state: 'lost' }, 'INVALID_PARAMETER'],
    [{ limit: '101' }, 'INVALID_PARAMETER'],
    [{ after: 'f'.repeat(32) }, 'MESSAGE_NOT_FOUND'],
  ])('rejects %j', async (query, code) => {
    expect(await list(passbell.keys, query)).toMatchObject({ success: false, code });
  });

  it('does not continue after a message of another application', async () => {
    const { messageId } = firstResult(await passbell.post('/auth/sendotp', { to: freshPhone() }));
    expect(await list(await passbell.application(), { after: messageId })).toMatchObject({ code: 'MESSAGE_NOT_FOUND' });
  });
});

describe('usage', () => {
  const usage = (keys: KeyPair, query: Record<string, string> = {}): Promise<Body> =>
    passbell.get('/usage', query, { keys });
  const today = () => new Date(passbell.clock.now()).toISOString().slice(0, 10);

  it('is returned by day and channel, of this application only', async () => {
    const keys = await passbell.application(NO_LIMITS);
    for (const to of [freshPhone(), freshPhone()])
      await passbell.post('/auth/sendotp', { to, authWay: 'SMS' }, { keys });
    const day = today();
    expect((await usage(keys, { from: day, to: day })).data).toEqual({
      from: day,
      to: day,
      usage: [
        {
          day,
          authType: 'Sms',
          sent: 2,
          delivered: 0,
          undelivered: 0,
          failed: 0,
          codes: 2,
          verified: 0,
          charge: '0.0000',
          currency: 'usd',
        },
      ],
    });
    expect((await usage(await passbell.application())).data.usage).toEqual([]);
  });

  it('covers 30 days by default', async () => {
    const { from, to } = (await usage(passbell.keys)).data;
    expect(to).toBe(today());
    expect(Date.parse(to) - Date.parse(from)).toBe(29 * 86_400_000);
  });

  it.each([{ from: '2026-02-30' }, { to: 'today' }, { from: '2999-01-01' }, { from: '2001-01-01' }])(
    'rejects %j',
    async (query) => {
      expect(await usage(passbell.keys, query as Record<string, string>)).toMatchObject({ code: 'INVALID_PARAMETER' });
    },
  );
});
