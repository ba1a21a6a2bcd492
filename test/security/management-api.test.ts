/** The management API: keys, scopes, other accounts, mass assignment and races. New operations are tested automatically. */
import { OPERATIONS, type Operation } from '../../backend/src/modules/manage/operations.js';
import { AREAS, type Scopes } from '../../backend/src/modules/management-keys/management-key.js';
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { RIGHTS } from '../../backend/src/modules/access/rights.js';
import { DAY, MINUTE } from '../../backend/src/platform/clock.js';
import { ALL_SCOPES, auditOf, callWith, createKey, type ManageReply, type TestKey } from '../support/manage.js';
import { startService, type Body, type TestService } from '../support/service.js';

let passbell: TestService;
let owner: TestKey;
let stranger: TestKey;
let appKey: string;
let webhookId: string;
let user: string;
beforeAll(async () => {
  passbell = await startService();
  owner = await createKey(passbell);
  stranger = await createKey(passbell);
  for (const { accountId } of [owner, stranger]) await passbell.core.providers.service.allow(OPERATOR, accountId, true);
  ({ appKey } = (await owner.call('post', '/applications', { name: 'Victim' })).data);
  const webhook = { url: 'https://8.8.8.8/events', events: ['otp.verified'] };
  ({ webhookId } = (await owner.call('post', `/applications/${appKey}/webhooks`, webhook)).data);
  ({ user } = (await owner.call('post', `/applications/${appKey}/users/find`, { person: 'ana@example.com' })).data);
});
afterAll(() => passbell.stop());

const pathOf = ({ path }: Operation, values: Record<string, string> = {}): string => {
  const all: Record<string, string> = {
    application: appKey,
    webhook: webhookId,
    user,
    template: 'otp',
    channel: 'SMS',
    language: 'en',
    change: 'unlock',
    messageId: '0'.repeat(32),
    provider: `PRV-${'0'.repeat(32)}`,
    country: 'DE',
    ...values,
  };
  return path.replace(/\{(\w+)\}/g, (_all, name: string) => all[name]!);
};

/** Valid bodies of the operations that need one. */
const BODIES: Partial<Record<Operation['name'], object>> = {
  createApplication: { name: 'Other' },
  putApplication: { name: 'Other' },
  createWebhook: { url: 'https://8.8.8.8/', events: ['otp.verified'] },
  putWebhook: { url: 'https://8.8.8.8/', events: ['otp.verified'] },
  testWebhook: { event: 'otp.verified' },
  resendEvent: { callId: 1 },
  putTemplate: { text: 'Owned: {{ code }}' },
  updateFraudSettings: { settings: {} },
  changeFraudScope: { scope: 'application', action: 'pause' },
  explainMessages: { recipient: 'ana@example.com' },
  sendTestCode: { to: 'ana@example.com' },
  findUser: { person: 'ana@example.com' },
  importSuppressions: { addresses: ['ana@example.com'] },
  removeSuppression: { address: 'ana@example.com' },
  eraseRecipient: { recipient: 'ana@example.com' },
  createProvider: { type: 'http-gateway', name: 'Other' },
  putProvider: { type: 'http-gateway', name: 'Other' },
  putRoute: { providers: [{ provider: 'x' }] },
  putPrices: { prices: {} },
};

const call = (
  key: TestKey,
  operation: Operation,
  body?: object,
  values?: Record<string, string>,
): Promise<ManageReply> => {
  const hasBody = ['POST', 'PUT', 'PATCH'].includes(operation.method);
  const given = body ?? BODIES[operation.name] ?? {};
  return key.call(operation.method.toLowerCase(), pathOf(operation, values), hasBody ? given : undefined);
};

const cases = OPERATIONS.map((operation) => [operation.name, operation] as const);

/** Returns the rows of the tables that operations change, without the keys' last use. */
async function stored(): Promise<unknown> {
  const db = passbell.openDatabase();
  const tables = [
    'applications',
    'application_secrets',
    'webhooks',
    'template_overrides',
    'providers',
    'routes',
    'prices',
  ];
  const rows = [];
  for (const table of [...tables, 'suppressions', 'fraud_scopes', 'audit_entries', 'users']) rows.push(await db(table));
  await db.destroy();
  return rows;
}

it.each(cases)('%s needs its right in its area, and nothing less', async (_name, operation) => {
  const { accountId } = owner;
  const others = Object.fromEntries(AREAS.filter((area) => area !== operation.area).map((area) => [area, 'own']));
  const lower = RIGHTS[RIGHTS.indexOf(operation.right) - 1];
  const scopes = (lower ? { ...others, [operation.area]: lower } : others) as Scopes;
  const key = await createKey(passbell, { accountId, scopes });
  const before = await stored();
  const hint = expect.stringContaining(`${operation.area}:${operation.right}`);
  expect(await call(key, operation)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN', hint } });
  expect(await stored()).toEqual(before);
  const { service } = passbell.core.managementKeys;
  await service.revoke(OPERATOR, accountId, key.id);
});

const ofApplications = cases.filter(([name, { path }]) => path.includes('{application}') && name !== 'putApplication');
it.each(ofApplications)("%s does not reach another account's application", async (_name, operation) => {
  const before = await stored();
  expect(await call(stranger, operation)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  const unknown = await call(stranger, operation, undefined, { application: `pk_${'0'.repeat(32)}` });
  expect(unknown.status).toBe(404);
  expect(await stored()).toEqual(before);
});

it("does not take over another account's application, webhook or provider by its ID", async () => {
  const before = await stored();
  expect(await stranger.call('put', `/applications/${appKey}`, { name: 'Mine' })).toMatchObject({ status: 400 });
  const own = (await stranger.call('post', '/applications', { name: 'Own' })).data.appKey;
  const webhook = `/applications/${own}/webhooks/${webhookId}`;
  expect((await stranger.call('get', webhook)).status).toBe(404);
  expect((await stranger.call('delete', webhook)).status).toBe(404);
  expect((await stranger.call('post', `${webhook}/secret`, {})).status).toBe(404);
  // A user reference is valid for its application only.
  expect((await stranger.call('post', `/applications/${own}/users/${user}/unlock`)).status).toBe(404);
  expect((await stranger.call('get', `/messages?app=${appKey}`)).status).toBe(404);
  expect((await stranger.call('get', `/usage?app=${appKey}`)).status).toBe(404);
  expect((await stranger.call('post', '/erasures', { recipient: 'ana@example.com', app: appKey })).status).toBe(404);
  await stranger.call('delete', `/applications/${own}`);
  const db = passbell.openDatabase();
  await db('application_secrets')
    .whereIn('application_id', db('applications').where({ app_key: own }).select('id'))
    .delete();
  await db('applications').where({ app_key: own }).delete();
  await db('audit_entries')
    .where({ account_id: stranger.accountId })
    .whereIn('action', ['application.create', 'application.delete'])
    .delete();
  await db.destroy();
  expect(await stored()).toEqual(before);
});

it('rejects expired, revoked, unknown and missing keys, and limits guesses', async () => {
  const expired = await createKey(passbell, { days: 1 });
  const revoked = await createKey(passbell);
  expect((await expired.call('get', '/applications')).status).toBe(200);
  await passbell.core.managementKeys.service.revoke(OPERATOR, revoked.accountId, revoked.id);
  passbell.clock.advance(DAY);
  for (const key of [expired.secret, revoked.secret, `mk_${'a'.repeat(43)}`, 'x', passbell.keys.appSecret])
    expect(await callWith(passbell, key)('get', '/applications')).toMatchObject({
      status: 401,
      challenge: 'Bearer',
      body: { code: 'INVALID_CREDENTIALS' },
    });
  const headers = { Authorization: '' };
  expect(await owner.call('get', '/applications', undefined, headers)).toMatchObject({
    challenge: 'Bearer',
    body: { code: 'MISSING_CREDENTIALS' },
  });
  // App credentials do not open the management API.
  const { appKey: clientId, appSecret: clientSecret } = passbell.keys;
  const asApp = await owner.call('get', '/applications', undefined, { clientId, clientSecret, ...headers });
  expect(asApp.status).toBe(401);
  const guesses = [];
  for (let n = 0; n < 12; n++)
    guesses.push((await callWith(passbell, `mk_${'b'.repeat(43)}`)('get', '/applications')).status);
  expect(guesses).toContain(429);
  // Valid keys work from the same address.
  expect((await owner.call('get', '/applications')).status).toBe(200);
  passbell.clock.advance(MINUTE);
});

it('rejects the keys of an account that is blocked', async () => {
  const key = await createKey(passbell);
  const app = (await key.call('post', '/applications', { name: 'Blocked' })).data;
  await passbell.core.applications.service.setAccountStatus(OPERATOR, app.appKey, 'blocked');
  expect(await key.call('get', '/applications')).toMatchObject({ status: 403, body: { code: 'ACCOUNT_BLOCKED' } });
});

it('cannot create keys, people or wider rights', async () => {
  expect(OPERATIONS.filter(({ path }) => /key|people|person|invit|account|ceiling/i.test(path))).toEqual([]);
  for (const path of ['/keys', '/api-keys', '/management-keys', '/people', '/accounts', '/invitations'])
    for (const method of ['get', 'post', 'put'])
      expect((await owner.call(method, path, method === 'get' ? undefined : {})).status).toBe(404);
});

it('ignores no parameter: neither the owner nor the secrets of an application can be assigned', async () => {
  const { call: own } = owner;
  const path = `/applications/${appKey}`;
  const foreign = [
    'accountId',
    'appKey',
    'appSecret',
    'secrets',
    'ceilings',
    'deleteAt',
    'id',
    '__proto__',
    'settings',
  ];
  for (const name of foreign) {
    const body = JSON.parse(`{ "${name}": ${stranger.accountId} }`) as object;
    expect(await own('patch', path, body)).toMatchObject({ status: 400, body: { code: 'INVALID_PARAMETER' } });
  }
  // The path decides which application is changed.
  expect(await own('patch', path, { application: 'pk_dashboard', name: 'x' })).toMatchObject({ status: 400 });
  expect(await own('get', `${path}?application=pk_dashboard`)).toMatchObject({ status: 400 });
});

it('cannot exceed the ceilings of the account, nor use a member right for what only owners change', async () => {
  const { accountId } = owner;
  const path = `/applications/${appKey}`;
  expect(await owner.call('patch', path, { limits: { sendsPerDay: 1_000_000 } })).toMatchObject({ status: 400 });
  const member = await createKey(passbell, { accountId, scopes: { applications: 'change' } });
  for (const change of [
    { limits: { sendsPerDay: 1 } },
    { testRecipients: { '+15550100': '1234' } },
    { strictTwoFactor: false },
    { challenge: 'off' },
    { verifiedElsewhere: true },
  ])
    expect(await member.call('patch', path, change)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
  await owner.call('patch', path, { testRecipients: { '+15550100': '1234' } });
  expect((await owner.call('get', path)).data.testRecipients).toEqual({ '+15550100': '1234' });
  // The codes of test recipients let anyone sign in.
  expect(JSON.stringify((await member.call('get', path)).data)).not.toContain('1234');
});

it('hides the settings of providers, which may contain keys, from keys that may only read', async () => {
  const url = 'https://gateway.example/send?key=very-secret';
  const settings = { channel: 'SMS', url, body: '{ "to": "{{ to }}", "text": "{{ text }}" }' };
  const created = await owner.call('post', '/providers', { type: 'http-gateway', name: 'Hidden', settings });
  expect([created.status, created.data.settings.url]).toEqual([200, url]);
  const reader = await createKey(passbell, { accountId: owner.accountId, scopes: { providers: 'read' } });
  for (const path of ['/providers', `/providers/${created.data.id}`]) {
    const shown = JSON.stringify((await reader.call('get', path)).data);
    expect(shown).toContain('Hidden');
    expect(shown).not.toContain('very-secret');
  }
});

it('stores only a hash of a key, and shows App Secrets once', async () => {
  const created = (await owner.call('post', '/applications', { name: 'Once' })).data;
  const db = passbell.openDatabase();
  const rows = JSON.stringify([await db('management_keys'), await db('audit_entries'), await db('applications')]);
  await db.destroy();
  const logged = passbell.logged.join('\n');
  for (const secret of [owner.secret, created.appSecret])
    expect([rows.includes(secret), logged.includes(secret)]).toEqual([false, false]);
  const shown = JSON.stringify((await owner.call('get', '/applications')).data);
  expect(shown).not.toContain(created.appSecret);
});

it('keeps exactly one new secret valid after concurrent rotations, and records each', async () => {
  const { appKey: rotated, appSecret } = (await owner.call('post', '/applications', { name: 'Raced' })).data;
  const rotate = () => owner.call('post', `/applications/${rotated}/secret`, { graceHours: 0 });
  const secrets = (await Promise.all([rotate(), rotate(), rotate()])).map(({ data }) => data.appSecret as string);
  const isValid = async (secret: string): Promise<boolean> =>
    (await passbell.get('/auth/authentication', {}, { keys: { appKey: rotated, appSecret: secret } })).success;
  const valid = [];
  for (const secret of [appSecret, ...secrets]) valid.push(await isValid(secret));
  expect([valid[0], valid.filter(Boolean)]).toEqual([false, [true]]);
  passbell.clock.advance(MINUTE);
  const entries = (await auditOf(passbell, owner.accountId)).filter(
    ({ action, subject }: Body) => action === 'application.rotate-secret' && subject === 'Raced',
  );
  expect(entries.map(({ actor }: Body) => actor.startsWith('API key CI (mk_'))).toEqual([true, true, true]);
});

it('records the creation and the revocation of keys, without the key', async () => {
  const key = await createKey(passbell, { scopes: { webhooks: 'own' } });
  await passbell.core.managementKeys.service.revoke(OPERATOR, key.accountId, key.id);
  const entries = (await auditOf(passbell, key.accountId)).filter(({ action }: Body) =>
    action.startsWith('management-key'),
  );
  expect(entries).toMatchObject([
    { action: 'management-key.create', changes: [{ name: 'scopes', after: 'webhooks:own' }, { name: 'expires' }] },
    { action: 'management-key.revoke' },
  ]);
  expect(JSON.stringify(entries)).not.toContain(key.secret);
  const another = await createKey(passbell, { scopes: ALL_SCOPES });
  expect(await passbell.core.managementKeys.service.revoke(OPERATOR, another.accountId, owner.id)).toBe(false);
});
