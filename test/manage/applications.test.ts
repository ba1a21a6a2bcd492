/** The management API: applications and their secrets. */
import { auditOf, createKey, type TestKey } from '../support/manage.js';
import { freshPhone, startService, type TestService } from '../support/service.js';

let passbell: TestService;
let key: TestKey;
beforeAll(async () => {
  passbell = await startService();
  key = await createKey(passbell);
});
afterAll(() => passbell.stop());

it('creates, changes, deletes and restores an application, and records each change with the key as actor', async () => {
  const { call, accountId } = await createKey(passbell);
  const settings = { countries: ['us', 'DE'], limits: { sendsPerDay: 7 }, testRecipients: { '+1 555 0100': '1234' } };
  const { data } = await call('post', '/applications', { name: 'Shop', ...settings });
  expect(data).toMatchObject({ name: 'Shop', countries: ['US', 'DE'], testRecipients: { '+15550100': '1234' } });
  expect(data.limits).toMatchObject({ sendsPerDay: 7, sendsPer10Minutes: 5 });
  const keys = { appKey: data.appKey, appSecret: data.appSecret };
  expect(await passbell.get('/auth/authentication', {}, { keys })).toMatchObject({ success: true });

  const path = `/applications/${data.appKey}`;
  const changed = await call('patch', path, { name: 'Shop 2', status: 'inactive', design: { radius: 3 } });
  expect(changed.data).toMatchObject({ name: 'Shop 2', status: 'inactive', design: { radius: 3, theme: 'auto' } });
  expect((await call('delete', path)).data).toMatchObject({ deleteAt: expect.any(String) });
  expect((await call('post', `${path}/restore`)).data).not.toHaveProperty('deleteAt');
  expect((await call('get', path)).data).not.toHaveProperty('appSecret');

  const actions = (await auditOf(passbell, accountId)).filter(({ actor }) => actor.startsWith('API key CI (mk_'));
  expect(actions.map(({ action }) => action)).toEqual([
    'application.create',
    'application.update',
    'application.update',
    'application.delete',
    'application.restore',
  ]);
});

it('refuses all changes of a deleted application until it is restored', async () => {
  const { call } = await createKey(passbell);
  const path = '/applications/shop-deleted';
  await call('put', path, { name: 'Shop' });
  await call('delete', path);
  const changes = [
    () => call('put', path, { name: 'Shop 2' }),
    () => call('patch', path, { name: 'Shop 2' }),
    () => call('post', `${path}/secret`),
    () => call('post', `${path}/webhooks`, { url: 'https://8.8.8.8/events', events: ['message.failed'] }),
  ];
  for (const change of changes)
    expect(await change()).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('Restore it first') },
    });
  expect((await call('get', path)).data).toMatchObject({ name: 'Shop' });
  await call('post', `${path}/restore`);
  expect((await call('patch', path, { name: 'Shop 2' })).data).toMatchObject({ name: 'Shop 2' });
});

it('creates an application with the ID of the caller once, however often and concurrently it is put', async () => {
  const { call, accountId } = await createKey(passbell);
  const put = (name: string) => call('put', '/applications/shop-de', { name, language: 'de' });
  const replies = await Promise.all(['Shop', 'Shop', 'Shop', 'Shop'].map(put));
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(replies.filter(({ data }) => data.appSecret !== undefined)).toHaveLength(1);
  expect(new Set(replies.map(({ data }) => data.appKey)).size).toBe(1);
  const before = (await auditOf(passbell, accountId)).length;
  expect((await put('Shop')).data).toMatchObject({ id: 'shop-de', name: 'Shop', language: 'de' });
  expect(await auditOf(passbell, accountId)).toHaveLength(before);
  expect((await put('Laden')).data).toMatchObject({ name: 'Laden' });
  expect((await call('get', '/applications')).data.applications).toHaveLength(1);
  // The same ID in another account is another application.
  const other = await createKey(passbell);
  expect((await other.call('put', '/applications/shop-de', { name: 'Other' })).data.appSecret).toBeDefined();
});

it.each(['pk_mine', 'Shop', '.shop', 'a'.repeat(65)])('rejects the ID %s', async (id) => {
  expect(await key.call('put', `/applications/${id}`, { name: 'Shop' })).toMatchObject({ status: 400 });
});

it('changes nothing if If-Match names another version', async () => {
  const { data, etag } = await key.call('post', '/applications', { name: 'Versioned' });
  const path = `/applications/${data.appKey}`;
  expect(etag).toBe(`"${data.version}"`);
  const first = await key.call('patch', path, { language: 'fr' }, { 'If-Match': etag! });
  expect(first).toMatchObject({ status: 200, data: { language: 'fr' } });
  const late = await key.call('patch', path, { language: 'de' }, { 'If-Match': etag! });
  expect(late).toMatchObject({ status: 412, body: { code: 'EDIT_CONFLICT' } });
  expect((await key.call('get', path)).data.language).toBe('fr');
  // An application that was erased in the meantime is not created again.
  const gone = await key.call('put', '/applications/gone', { name: 'Gone' }, { 'If-Match': etag! });
  expect(gone).toMatchObject({ status: 412, body: { code: 'EDIT_CONFLICT' } });
  // The use of the application does not change its version.
  const keys = { appKey: data.appKey, appSecret: data.appSecret };
  await passbell.post('/auth/sendotp', { to: freshPhone() }, { keys });
  expect((await key.call('get', path)).etag).toBe(first.etag);
});

it('lists applications page by page', async () => {
  const { call } = await createKey(passbell);
  for (const name of ['A', 'B', 'C']) await call('post', '/applications', { name });
  const first = (await call('get', '/applications?limit=2')).data;
  expect(first.applications.map(({ name }: { name: string }) => name)).toEqual(['A', 'B']);
  const second = (await call('get', `/applications?limit=2&after=${first.next}`)).data;
  expect(second.applications.map(({ name }: { name: string }) => name)).toEqual(['C']);
  expect(second).not.toHaveProperty('next');
});

it('rejects an unknown cursor, because an empty page would be taken for the end of the list', async () => {
  const { appKey } = (await (await createKey(passbell)).call('post', '/applications', { name: 'Foreign' })).data;
  for (const path of [`/applications?after=${appKey}`, '/applications?after=', '/messages?after=0', '/audit?after=x'])
    expect([path, (await key.call('get', path)).status]).toEqual([path, 404]);
  // MySQL has no infinite numbers.
  expect((await key.call('get', '/audit?after=1e999')).status).toBe(404);
});

it('rotates the App Secret with an overlap, and revokes the old one', async () => {
  const { data } = await key.call('post', '/applications', { name: 'Rotated' });
  const { appKey } = data;
  const valid = async (appSecret: string) =>
    (await passbell.get('/auth/authentication', {}, { keys: { appKey, appSecret } })).success;
  const rotated = (await key.call('post', `/applications/${appKey}/secret`, { graceHours: 2 })).data;
  expect([await valid(data.appSecret), await valid(rotated.appSecret)]).toEqual([true, true]);
  await key.call('delete', `/applications/${appKey}/secret`);
  expect([await valid(data.appSecret), await valid(rotated.appSecret)]).toEqual([false, true]);
});

it.each<[object, string]>([
  [{}, 'MISSING_PARAMETERS'],
  [{ name: '' }, 'INVALID_PARAMETER'],
  [{ name: 7 }, 'INVALID_PARAMETER'],
  [{ name: 'Shop', countries: ['XX'] }, 'INVALID_PARAMETER'],
  [{ name: 'Shop', countries: 'US' }, 'INVALID_PARAMETER'],
  [{ name: 'Shop', limits: { none: 1 } }, 'INVALID_PARAMETER'],
  [{ name: 'Shop', limits: { sendsPerDay: null } }, 'INVALID_PARAMETER'],
  [{ name: 'Shop', design: { none: 1 } }, 'INVALID_PARAMETER'],
  [{ name: 'Shop', testRecipients: { '+15550100': '' } }, 'INVALID_PARAMETER'],
  [{ name: 'Shop', nmae: 'Shop' }, 'INVALID_PARAMETER'],
])('rejects %j, and creates nothing', async (body, code) => {
  const { call } = await createKey(passbell);
  expect(await call('post', '/applications', body)).toMatchObject({ status: 400, body: { code } });
  expect((await call('get', '/applications')).data.applications).toEqual([]);
});

it('names an unknown parameter', async () => {
  const { call } = await createKey(passbell);
  const { body } = await call('post', '/applications', { name: 'Shop', countrys: ['US'] });
  expect(body).toMatchObject({ message: 'there is no parameter countrys', field: 'countrys' });
});
