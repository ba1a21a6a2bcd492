/** The management API: everything that a shop needs, from an empty account, and again without a change. */
import { auditOf, createKey, type ManageCall, type TestKey } from '../support/manage.js';
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { freshMail, freshPhone, NO_LIMITS, startService, type Body, type TestService } from '../support/service.js';
import { isSigned, startWebhookServer, type WebhookServer } from '../support/webhook-server.js';
import { advancing, until } from '../support/wait.js';
import { HOUR } from '../../backend/src/platform/clock.js';

let passbell: TestService;
let receiver: WebhookServer;
let key: TestKey;
let call: ManageCall;
beforeAll(async () => {
  passbell = await startService({ WEBHOOKS_ALLOW_PRIVATE: 'true' });
  receiver = await startWebhookServer();
  key = await createKey(passbell);
  call = key.call;
});
afterAll(async () => {
  await passbell.stop();
  await receiver.close();
});

const GATEWAY = {
  type: 'http-gateway',
  name: 'Gateway',
  settings: { channel: 'SMS', url: 'https://gateway.example/send', body: '{"to": "{{ to }}", "text": "{{ text }}"}' },
};

async function keyWithProviders(): Promise<TestKey> {
  const created = await createKey(passbell);
  await passbell.core.providers.service.allow(OPERATOR, created.accountId, true);
  return created;
}

/** Puts two applications with a webhook and a text each, a provider, a route and prices. */
async function setUp({ call }: TestKey): Promise<Body[]> {
  const replies = [];
  for (const id of ['shop-de', 'shop-fr']) {
    replies.push(
      await call('put', `/applications/${id}`, { name: id, limits: { sendsPerDay: 8 }, countries: ['DE', 'FR'] }),
    );
    const webhook = { url: 'https://8.8.8.8/events', events: ['message.failed', 'otp.verified'] };
    replies.push(await call('put', `/applications/${id}/webhooks/erp`, webhook));
    replies.push(await call('put', `/applications/${id}/templates/otp/SMS/de`, { text: 'Ihr Code: {{ code }}' }));
  }
  replies.push(await call('put', '/providers/gateway', GATEWAY));
  replies.push(await call('put', '/routes/SMS/*', { providers: [{ provider: 'gateway' }] }));
  replies.push(await call('put', '/prices/SMS', { prices: { DE: '0.05', '*': '0.1' } }));
  return replies;
}

it('sets up two shops, and changes nothing the second time', async () => {
  const shops = await keyWithProviders();
  const first = await setUp(shops);
  expect(first.map(({ status, body }) => (status === 200 ? 200 : body))).toEqual(first.map(() => 200));
  expect(first.filter(({ data }) => data.appSecret ?? data.secret)).toHaveLength(4);
  const audited = await auditOf(passbell, shops.accountId);
  const versions = first.map(({ etag }) => etag);
  const second = await setUp(shops);
  expect(second.map(({ status }) => status)).toEqual(first.map(() => 200));
  expect(second.filter(({ data }) => data.appSecret ?? data.secret)).toEqual([]);
  expect(second.map(({ etag }) => etag)).toEqual(versions);
  expect(await auditOf(passbell, shops.accountId)).toEqual(audited);
  expect((await shops.call('get', '/providers')).data.providers).toHaveLength(1);
  expect((await shops.call('get', '/routes')).data.routes).toMatchObject([{ channel: 'SMS', country: '*' }]);
  const { channels } = (await shops.call('get', '/prices')).data;
  expect(channels[0]).toMatchObject({ channel: 'SMS', prices: { DE: '0.0500', '*': '0.1000' } });
});

it('rejects a gateway whose request names an unknown value', async () => {
  const settings = { ...GATEWAY.settings, body: '{"to": "{{ phone }}", "text": "{{ text }}"}' };
  const { status, body } = await (await keyWithProviders()).call('post', '/providers', { ...GATEWAY, settings });
  expect(status).toBe(400);
  expect(JSON.stringify(body)).toContain('contains “phone”, which is not a value. Use to, ');
});

it('pauses, tests, logs and resends webhooks, and rotates a secret with an overlap', async () => {
  const path = `/applications/${(await call('post', '/applications', { name: 'Hooks' })).data.appKey}/webhooks`;
  const { data } = await call('post', path, { url: receiver.url, events: ['otp.verified'] });
  const webhook = `${path}/${data.webhookId}`;
  expect((await call('patch', webhook, { paused: true })).status).toBe(200);
  expect((await call('get', webhook)).data).toMatchObject({ paused: true, pending: 0, calls: [] });
  await call('patch', webhook, { paused: false, events: ['message.failed'] });

  const rotated = (await call('post', `${webhook}/secret`, { graceHours: 1 })).data;
  const { eventId } = (await call('post', `${webhook}/test`, { event: 'message.failed' })).data;
  await until('a call', () => receiver.calls.length === 1, advancing(passbell.clock, 500));
  expect(receiver.calls[0]!.headers['webhook-signature']).toMatch(/^v1,\S{44} v1,\S{44}$/);
  expect([data.secret, rotated.secret].map((secret) => isSigned(receiver.calls[0]!, secret))).toEqual([true, false]);
  const { calls } = (await call('get', webhook)).data;
  expect(calls).toMatchObject([{ eventId, attempt: 1, status: 204 }]);

  passbell.clock.advance(HOUR);
  expect((await call('post', `${webhook}/resend`, { callId: calls[0].callId })).data).toEqual({ eventId });
  await until('a second call', () => receiver.calls.length === 2, advancing(passbell.clock, 500));
  expect([data.secret, rotated.secret].map((secret) => isSigned(receiver.calls[1]!, secret))).toEqual([false, true]);
  expect((await call('delete', webhook)).status).toBe(200);
  expect((await call('get', webhook)).status).toBe(404);
});

it('changes texts unless someone else was faster, and restores the built-in text', async () => {
  const { appKey } = (await call('post', '/applications', { name: 'Texts' })).data;
  const path = `/applications/${appKey}/templates/otp/SMS/en`;
  const builtIn = await call('get', path);
  expect(builtIn.data).toMatchObject({ custom: false, text: expect.stringContaining('{{ code }}') });
  const text = 'Your code: {{ code }}';
  expect((await call('put', path, { text }, { 'If-Match': builtIn.etag! })).data).toMatchObject({ custom: true, text });
  expect(await call('put', path, { text: 'x {{ code }}' }, { 'If-Match': builtIn.etag! })).toMatchObject({
    status: 412,
  });
  expect(await call('put', path, { text: 'without the number' })).toMatchObject({ status: 400 });
  expect((await call('get', `/applications/${appKey}/templates`)).data.templates).toHaveLength(1);
  expect((await call('delete', path)).data).toEqual(builtIn.data);
});

it('pauses and allows messages, and changes the fraud guard', async () => {
  const { appKey } = (await call('post', '/applications', { name: 'Guarded' })).data;
  const path = `/applications/${appKey}/fraud`;
  const paused = await call('post', `${path}/scopes`, { scope: 'country', key: 'de', action: 'pause' });
  expect(paused.data.scopes).toMatchObject([{ scope: 'country', key: 'DE', state: 'paused' }]);
  expect((await call('post', `${path}/scopes`, { scope: 'country', key: 'DE', action: 'resume' })).data.scopes).toEqual(
    [],
  );
  expect(await call('post', `${path}/scopes`, { scope: 'country', key: 'DE', action: 'resume' })).toMatchObject({
    status: 404,
  });
  const before = await call('get', `${path}/settings`);
  const [{ name, value }] = before.data.settings;
  const changed = await call(
    'patch',
    `${path}/settings`,
    { settings: { [name]: value } },
    { 'If-Match': before.etag! },
  );
  expect(changed.status).toBe(200);
  expect(await call('patch', `${path}/settings`, { settings: { none: 1 } })).toMatchObject({ status: 400 });
});

it('finds a user, ends sessions, and erases the recipient', async () => {
  const { appKey, appSecret } = (await call('post', '/applications', { name: 'Users' })).data;
  const keys = { appKey, appSecret };
  const to = freshMail();
  const { maskId, code } = await passbell.send(to, {}, { keys });
  const verified = await passbell.post('/auth/verifyotp', { maskId, otp: code }, { keys });
  const { data } = await call('post', `/applications/${appKey}/users/find`, { person: to });
  expect(data).toMatchObject({
    users: [{ userId: verified.data.user.userId }],
    codes: [{ state: 'verified' }],
    twoFactor: false,
  });
  expect(JSON.stringify(data)).not.toContain(to);
  const path = `/applications/${appKey}/users/${data.user}`;
  for (const change of ['end-sessions', 'unlock', 'reset-two-factor'])
    expect((await call('post', `${path}/${change}`)).status).toBe(200);
  const token = { token: verified.data.token };
  expect(await passbell.post('/auth/verifytoken', token, { keys })).toMatchObject({ success: false });
  const erased = (await call('post', '/erasures', { recipient: to, app: appKey })).data;
  expect(erased).toMatchObject({ erased: { users: 1, messages: 1 }, testRecipientOf: [] });
});

it('lists messages, also refused ones, by time and page by page, and returns usage', async () => {
  const { call: own, accountId } = await createKey(passbell);
  const { appKey, appSecret } = (await own('post', '/applications', { name: 'Sender', countries: ['US'] })).data;
  await passbell.core.applications.service.update(OPERATOR, appKey, NO_LIMITS);
  const keys = { appKey, appSecret };
  const start = new Date(passbell.clock.now()).toISOString();
  for (let n = 0; n < 3; n++) {
    await passbell.send(freshPhone(), { reference: `A-${n}` }, { keys });
    passbell.clock.advance(60_000);
  }
  const first = (await own('get', '/messages?limit=2')).data;
  expect(first.messages).toMatchObject([{ appKey }, { appKey }]);
  const rest = (await own('get', `/messages?limit=2&after=${first.next}`)).data;
  expect(rest.messages).toHaveLength(1);
  const { messageId } = rest.messages[0].message;
  expect((await own('get', `/messages/${messageId}`)).data).toEqual(rest.messages[0]);
  expect((await own('get', `/messages?to=${start}`)).data.messages).toEqual([]);
  expect((await own('get', `/messages?from=${start}&app=${appKey}&state=failed`)).data.messages).toEqual([]);
  // MySQL ignores spaces at the end when it compares, and SQLite does not.
  expect((await own('get', '/messages?reference=A-1%20')).body).toMatchObject({ field: 'reference' });
  expect((await own('get', '/messages?reference=A-1')).data.messages).toMatchObject([
    { message: { reference: 'A-1' } },
  ]);
  expect(await own('post', `/messages/${messageId}/retry`)).toMatchObject({ status: 400 });
  expect(await own('delete', `/messages/${messageId}`)).toMatchObject({ status: 400 });
  expect((await own('get', '/usage?from=2026-12-01&to=2027-01-31')).data.usage).toEqual([]);
  expect(await own('get', '/usage?from=2026-02-30')).toMatchObject({ status: 400 });
  expect((await own('get', '/usage?from=2027-02-01&to=2027-01-31')).body).toMatchObject({ field: 'from' });
  const entries = (await own('get', '/audit?limit=1')).data;
  expect(entries.entries).toHaveLength(1);
  const older = (await own('get', `/audit?after=${entries.next}`)).data.entries;
  expect(older).toHaveLength((await auditOf(passbell, accountId)).length - 1);
  expect((await own('get', `/audit?from=2040-01-01T00:00:00Z`)).data.entries).toEqual([]);
});

it.each(['5', '2026', '2026-02-30T00:00:00Z', '2026-11-28T18:00:00', '2026-11-28T25:00:00Z'])(
  'rejects %s as a time, which would mean another one',
  async (from) => {
    for (const path of ['/messages', '/audit'])
      expect((await call('get', `${path}?from=${from}`)).body).toMatchObject({
        code: 'INVALID_PARAMETER',
        field: 'from',
      });
    for (const right of ['2026-11-28', '2026-11-28T18:00Z', '2026-11-28T18:00:00.5%2B0100'])
      expect(await call('get', `/messages?from=${right}`)).toMatchObject({ status: 200 });
  },
);

it('suppresses email addresses, and sends to them again', async () => {
  const address = freshMail();
  expect((await call('post', '/suppressions', { addresses: [address, 'other@example.com'] })).data).toEqual({
    added: 2,
  });
  expect((await call('get', '/suppressions')).data.suppressions).toHaveLength(2);
  expect(await call('post', '/suppressions', { addresses: ['nobody'] })).toMatchObject({ status: 400 });
  expect((await call('post', '/suppressions/remove', { address })).status).toBe(200);
  expect((await call('post', '/suppressions/remove', { address })).status).toBe(404);
});

it('adds, tests, changes and removes a provider without returning its secrets', async () => {
  const { call } = await keyWithProviders();
  const settings = { ...GATEWAY.settings, authentication: 'basic', user: 'shop', secret: 'very-secret' };
  const { data } = await call('post', '/providers', { ...GATEWAY, name: 'Second', settings });
  expect(data).toMatchObject({ name: 'Second', enabled: true, secrets: ['secret'] });
  const changed = await call('patch', `/providers/${data.id}`, { enabled: false }, { 'If-Match': `"${data.version}"` });
  expect(changed.data).toMatchObject({ enabled: false, state: 'off' });
  expect((await call('get', `/providers/${data.id}`)).data).toEqual(changed.data);
  expect((await (await keyWithProviders()).call('get', `/providers/${data.id}`)).status).toBe(404);
  const late = await call('patch', `/providers/${data.id}`, { enabled: true }, { 'If-Match': `"${data.version}"` });
  expect(late.status).toBe(412);
  expect(JSON.stringify([data, changed.data])).not.toContain('very-secret');
  expect((await call('delete', `/providers/${data.id}`)).data).toEqual({ id: data.id });
  for (const [method, path] of [
    ['delete', data.id],
    ['patch', 'other'],
    ['post', 'other/test'],
  ])
    expect([method, (await call(method!, `/providers/${path}`, method === 'delete' ? undefined : {})).status]).toEqual([
      method,
      404,
    ]);
  const gone = await call('put', `/providers/gone`, { ...GATEWAY }, { 'If-Match': `"${data.version}"` });
  expect(gone.status).toBe(412);
  expect((await call('get', '/provider-types')).data.types.length).toBeGreaterThan(5);
  expect(await call('put', '/prices/SMS', { prices: { XX: '1' } })).toMatchObject({ status: 400 });
});

it('recorded every change with the key as actor', async () => {
  const db = passbell.openDatabase();
  const entries: Body[] = await db('audit_entries').where('actor', 'like', 'API key CI (%').select('action');
  const others: Body[] = await db('audit_entries').whereNot('actor', 'like', 'API key CI (%').select('action');
  await db.destroy();
  expect([...new Set(entries.map(({ action }) => action))].sort()).toEqual([
    'application.create',
    'application.update',
    'fraud.pause',
    'fraud.resume',
    'price.change',
    'provider.add',
    'provider.change',
    'provider.remove',
    'recipient.erase',
    'route.change',
    'suppression.import',
    'suppression.remove',
    'template.reset',
    'template.set',
    'two-factor.reset',
    'user.end-sessions',
    'user.unlock',
    'webhook.change',
    'webhook.create',
    'webhook.pause',
    'webhook.remove',
    'webhook.resend',
    'webhook.resume',
    'webhook.rotate-secret',
    'webhook.test',
  ]);
  const byOperator = [
    'account.create',
    'account.ceilings',
    'account.providers',
    'application.create',
    'application.update',
  ];
  expect(others.filter(({ action }) => !/^management-key/.test(action) && !byOperator.includes(action))).toEqual([]);
});
