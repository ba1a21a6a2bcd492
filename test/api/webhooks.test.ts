/** `/webhooks`: creating, listing and removing webhooks, and listing recent events. */
import { checkReply } from '../support/contract.js';
import {
  freshMail,
  freshPhone,
  startService,
  type Body,
  type CallOptions,
  type TestService,
} from '../support/service.js';

let passbell: TestService;
beforeAll(async () => void (passbell = await startService({ WEBHOOKS_ALLOW_PRIVATE: 'true' })));
afterAll(() => passbell.stop());

const WEBHOOK_URL = 'https://shop.example/events';
const create = (body: object = {}, options?: CallOptions): Promise<Body> =>
  passbell.post('/webhooks', { url: WEBHOOK_URL, events: ['otp.verified'], ...body }, options);
const list = async (options?: CallOptions): Promise<Body[]> =>
  (await passbell.get('/webhooks', {}, options)).data.webhooks;
const recent = async (event: string, options?: CallOptions): Promise<Body[]> =>
  (await passbell.get('/webhooks/recent', { event }, options)).data.events;

async function remove(id: string, options?: CallOptions): Promise<Body> {
  const reply = await passbell.fetch(`/api/v1/webhooks/${id}`, { method: 'DELETE' }, options);
  return checkReply('delete', '/webhooks/{id}', reply);
}

it('returns the secret only when a webhook is created', async () => {
  const options = { keys: await passbell.application() };
  const events = ['message.accepted', 'otp.verified', 'message.accepted'];
  const { message, data } = await create({ events }, options);
  expect(message).toBe('webhook created');
  expect(data).toMatchObject({ url: WEBHOOK_URL, events: ['message.accepted', 'otp.verified'] });
  const listed = await list(options);
  expect(listed).toEqual([
    { webhookId: data.webhookId, url: WEBHOOK_URL, events: data.events, createdTime: expect.any(Number), failures: 0 },
  ]);
  const db = passbell.openDatabase();
  const rows = JSON.stringify(await db('webhooks'));
  await db.destroy();
  expect(rows).not.toContain(data.secret);
});

it('removes a webhook; removing it again succeeds', async () => {
  const options = { keys: await passbell.application() };
  const { webhookId } = (await create({}, options)).data;
  for (let time = 0; time < 2; time++)
    expect(await remove(webhookId, options)).toEqual({ success: true, message: 'webhook deleted' });
  expect(await list(options)).toEqual([]);
});

it('neither lists nor removes the webhooks of another application', async () => {
  const { webhookId } = (await create()).data;
  const other = { keys: await passbell.application() };
  expect(await list(other)).toEqual([]);
  expect(await remove(webhookId, other)).toMatchObject({ success: true });
  expect((await list()).map(({ webhookId: id }) => id)).toContain(webhookId);
});

it.each<[object, string]>([
  [{ url: undefined }, 'MISSING_PARAMETERS'],
  [{ events: undefined }, 'MISSING_PARAMETERS'],
  ...[
    'shop.example',
    'ftp://shop.example/',
    'https://user:word@shop.example/',
    'https://',
    'javascript:alert(1)',
    7,
    [WEBHOOK_URL],
  ].map((url): [object, string] => [{ url }, 'INVALID_WEBHOOK_URL']),
  ...[[], ['message.read'], 'otp.verified', [['otp.verified']], {}, null].map((events): [object, string] => [
    { events },
    'INVALID_EVENTS',
  ]),
])('rejects %j', async (body, code) => {
  expect(await create(body)).toMatchObject({ success: false, code });
});

it('allows up to 50 webhooks per application', async () => {
  const options = { keys: await passbell.application() };
  for (let n = 0; n < 50; n++) expect(await create({}, options)).toMatchObject({ success: true });
  expect(await create({}, options)).toMatchObject({ success: false, code: 'TOO_MANY_WEBHOOKS' });
});

it('rejects wrong credentials and other methods', async () => {
  const wrongCredentials = { headers: { clientSecret: 'sk_wrong' } };
  expect(await passbell.post('/webhooks', {}, wrongCredentials)).toMatchObject({ code: 'INVALID_CREDENTIALS' });
  expect(await remove('WHK-1', wrongCredentials)).toMatchObject({ code: 'INVALID_CREDENTIALS' });
  expect(await passbell.post('/webhooks/recent', {})).toMatchObject({ code: 'METHOD_NOT_ALLOWED' });
  expect(await passbell.get('/webhooks/WHK-1')).toMatchObject({ code: 'METHOD_NOT_ALLOWED' });
});

describe('recent events', () => {
  it('are listed even without a webhook: the ten newest events of this application', async () => {
    const options = { keys: await passbell.application() };
    const sent: string[] = [];
    for (let n = 0; n < 12; n++) {
      const variables = { orderId: `A-${n}` };
      const order = { to: freshMail(), templateType: 'order_shipped', variables };
      sent.unshift((await passbell.post('/notifications/order', order, options)).data.results[0].maskId);
      passbell.clock.advance(1000);
    }
    const events = await recent('message.accepted', options);
    expect(events.map(({ data }) => data.messageId)).toEqual(sent.slice(0, 10));
    expect(events[0].data).toEqual({
      messageId: sent[0],
      maskId: sent[0],
      authType: 'Email',
      to: expect.stringMatching(/^pe\*\*\*@example\.com$/),
      state: 'sent',
      template: 'order_shipped',
      charge: '0.0000',
      currency: 'usd',
      message: 'sent',
    });
    expect(await recent('message.accepted', options)).toEqual(events);
    expect(await recent('message.failed', options)).toEqual([]);
    expect(await recent('message.accepted', { keys: await passbell.application() })).toEqual([]);
  });

  it('include the verified user', async () => {
    const options = { keys: await passbell.application() };
    const to = freshPhone();
    const { maskId, code } = await passbell.send(to, { authWay: 'WHATSAPP' }, options);
    const { data } = await passbell.post('/auth/verifyotp', { maskId, otp: code }, options);
    const verifiedTime = Math.floor(passbell.clock.now() / 1000);
    expect(await recent('otp.verified', options)).toMatchObject([
      {
        event: 'otp.verified',
        createdTime: verifiedTime,
        data: {
          maskId,
          userId: data.user.userId,
          channel: 'whatsapp',
          identityType: 'phone',
          to: `${to.slice(0, 5)}*****${to.slice(-2)}`,
          verifiedTime,
        },
      },
    ]);
  });

  it('cannot be listed for an unknown event type', async () => {
    expect(await passbell.get('/webhooks/recent', { event: 'message.read' })).toMatchObject({ code: 'INVALID_EVENTS' });
    expect(await passbell.get('/webhooks/recent')).toMatchObject({ code: 'MISSING_PARAMETERS' });
  });
});
