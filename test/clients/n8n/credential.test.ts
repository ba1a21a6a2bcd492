/** The Passbell credential: its test, and the mending of addresses. */
import { startForwarder, startStranger } from './forwarder.js';
import { startWorkbench, type Workbench } from './engine.js';

let bench: Workbench;
beforeAll(async () => {
  bench = await startWorkbench();
});
afterAll(() => bench.stop());

const HTML = { 'Content-Type': 'text/html' };
const JSON_TYPE = { 'Content-Type': 'application/json' };

it('accepts a key pair that is right', async () => {
  expect(await bench.engine.testCredential(bench.credentials)).toEqual({ status: 'OK' });
});

const SPELLINGS = ['', '/', '///', '/api/v1', '/api/v1/', '/API/v1', ' '];

it.each(SPELLINGS)('mends an address that ends with "%s"', async (end) => {
  const baseUrl = `${bench.passbell.url}${end}`;
  expect(await bench.engine.testCredential({ ...bench.credentials, baseUrl })).toEqual({ status: 'OK' });
});

it.each(SPELLINGS)('calls the same address from the node when it ends with "%s"', async (end) => {
  const forwarder = await startForwarder(bench.passbell.url, () => false);
  const parameters = { resource: 'session', operation: 'revoke', token: 'none' };
  await bench.runAs({ ...bench.credentials, baseUrl: `${forwarder.url}${end}` }, parameters);
  expect(forwarder.exchanges.map(({ path }) => path)).toEqual(['/api/v1/auth/revokesession']);
  forwarder.close();
});

it('keeps the path that a proxy puts the service under', async () => {
  const stranger = await startStranger(200, JSON_TYPE, '{"success":true}');
  await bench.engine.testCredential({ ...bench.credentials, baseUrl: `${stranger.url}/otp/` });
  expect(stranger.paths).toEqual(['/otp/api/v1/auth/authentication']);
  stranger.close();
});

it('takes a key pair that was pasted with a line end', async () => {
  const { appKey, appSecret, baseUrl } = bench.credentials;
  const pasted = { appKey: ` ${appKey}`, appSecret: `${appSecret}\n`, baseUrl };
  expect(await bench.engine.testCredential(pasted)).toEqual({ status: 'OK' });
});

it.each([
  ['a wrong secret', { appSecret: 'sk_wrong' }],
  ['an unknown key', { appKey: 'pk_unknown' }],
  ['an empty secret', { appSecret: '' }],
])('refuses %s', async (_what, change) => {
  const outcome = await bench.engine.testCredential({ ...bench.credentials, ...change });
  expect(outcome).toEqual({ status: 'Error', message: expect.stringContaining('refuses this key pair') });
});

it('refuses an application that is not active', async () => {
  const keys = await bench.passbell.application({ status: 'inactive' });
  expect(await bench.engine.testCredential({ ...keys, baseUrl: bench.passbell.url })).toMatchObject({
    status: 'Error',
  });
});

it.each([
  ['a page', 200, HTML, '<html><body>Welcome</body></html>'],
  ['JSON of something else', 200, JSON_TYPE, '{"status":"ok"}'],
  ['a list', 200, JSON_TYPE, '[{"id":1}]'],
  ['nothing', 204, {}, ''],
  ['a page that is not found', 404, HTML, '<html>Not found</html>'],
  ['an error', 500, HTML, 'Oops'],
])('refuses a server that answers %s', async (_what, status, headers, body) => {
  const stranger = await startStranger(status, headers, body);
  const outcome = await bench.engine.testCredential({ ...bench.credentials, baseUrl: stranger.url });
  expect(outcome.status).toBe('Error');
  if (status === 200) expect(outcome.message).toContain('not as Passbell does');
  stranger.close();
});

it('refuses an address where nobody answers', async () => {
  const stranger = await startStranger(200, {}, '');
  stranger.close();
  expect(await bench.engine.testCredential({ ...bench.credentials, baseUrl: stranger.url })).toMatchObject({
    status: 'Error',
  });
});

it('does not take the key pair along when a server sends it elsewhere', async () => {
  const elsewhere = await startStranger(200, JSON_TYPE, '{"success":true}');
  const stranger = await startStranger(302, { Location: `${elsewhere.url}/` }, '');
  expect(await bench.engine.testCredential({ ...bench.credentials, baseUrl: stranger.url })).toMatchObject({
    status: 'Error',
  });
  const parameters = { resource: 'session', operation: 'revoke', token: 'none' };
  const result = await bench.runAs({ ...bench.credentials, baseUrl: stranger.url }, parameters);
  expect(result.status).toBe('error');
  expect(elsewhere.paths).toEqual([]);
  stranger.close();
  elsewhere.close();
});
