/** The Passbell credential: the credential test, and Base URL normalization. */
import { startForwarder, startStaticServer } from './forwarder.js';
import { startFixture, type Fixture } from './engine.js';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture.stop());

const HTML = { 'Content-Type': 'text/html' };
const JSON_TYPE = { 'Content-Type': 'application/json' };

it('accepts valid credentials', async () => {
  expect(await fixture.engine.testCredential(fixture.credentials)).toMatchObject({ status: 'OK' });
});

const BASE_URL_ENDINGS = ['', '/', '///', '/api/v1', '/api/v1/', '/API/v1', ' '];

it.each(BASE_URL_ENDINGS)('accepts a Base URL that ends with "%s"', async (end) => {
  const baseUrl = `${fixture.passbell.url}${end}`;
  expect(await fixture.engine.testCredential({ ...fixture.credentials, baseUrl })).toMatchObject({ status: 'OK' });
});

it.each(BASE_URL_ENDINGS)('calls the same URL from the node when the Base URL ends with "%s"', async (end) => {
  const forwarder = await startForwarder(fixture.passbell.url, () => false);
  const parameters = { resource: 'session', operation: 'revoke', token: 'none' };
  await fixture.runAs({ ...fixture.credentials, baseUrl: `${forwarder.url}${end}` }, parameters);
  expect(forwarder.exchanges.map(({ path }) => path)).toEqual(['/api/v1/auth/revokesession']);
  forwarder.close();
});

it('keeps the path of a Base URL', async () => {
  const server = await startStaticServer(200, JSON_TYPE, '{"success":true}');
  await fixture.engine.testCredential({ ...fixture.credentials, baseUrl: `${server.url}/otp/` });
  expect(server.paths).toEqual(['/otp/api/v1/application']);
  server.close();
});

it.each([
  ['whitespace', ' ', '\n'],
  ['invisible characters', '\u202a', '\u200b'],
])('accepts pasted credentials with %s, in the test and in the node', async (_what, before, after) => {
  const { appKey, appSecret, baseUrl } = fixture.credentials;
  const [pastedKey, pastedSecret, pastedUrl] = [appKey, appSecret, baseUrl].map((text) => before + text + after);
  const pasted = { appKey: pastedKey!, appSecret: pastedSecret!, baseUrl: pastedUrl! };
  expect(await fixture.engine.testCredential(pasted)).toMatchObject({ status: 'OK' });
  const parameters = { resource: 'usage', operation: 'getUsage' };
  expect(await fixture.runAs(pasted, parameters)).toMatchObject({ status: 'success' });
});

it.each([
  ['a wrong secret', { appSecret: 'sk_wrong' }],
  ['an unknown key', { appKey: 'pk_unknown' }],
  ['an empty secret', { appSecret: '' }],
])('rejects %s', async (_what, change) => {
  const outcome = await fixture.engine.testCredential({ ...fixture.credentials, ...change });
  expect(outcome).toMatchObject({ status: 'Error', message: expect.stringContaining('App Key and the App Secret') });
});

it.each([
  ['an inactive application', { status: 'inactive' as const }, 'The application is inactive'],
  ['an allow-list', { settings: { authorizedEndpoints: ['https://shop.example'] } }, 'allow-list'],
])('says what is wrong for %s', async (_what, change, text) => {
  const keys = await fixture.passbell.application(change);
  const outcome = await fixture.engine.testCredential({ ...keys, baseUrl: fixture.passbell.url });
  expect(outcome).toMatchObject({ status: 'Error', message: expect.stringContaining(text) });
});

it('ends after 15 seconds', async () => {
  expect((await fixture.engine.testCredential(fixture.credentials)).timeout).toBe(15_000);
});

it('adds a missing https:// to the Base URL', async () => {
  const baseUrl = fixture.passbell.url.replace('http://', '');
  // The test service speaks plain HTTP, so the TLS handshake fails.
  const outcome = await fixture.engine.testCredential({ ...fixture.credentials, baseUrl });
  expect(outcome).toMatchObject({ status: 'Error', message: expect.stringMatching(/Passbell did not respond \(E\w+/) });
});

it.each([
  ['a web page', 200, HTML, '<html><body>Welcome</body></html>'],
  ['unknown JSON', 200, JSON_TYPE, '{"status":"ok"}'],
  ['success only', 200, JSON_TYPE, '{"success":true,"message":"ok"}'],
  ['success as a string', 200, JSON_TYPE, '{"success":"true","message":"ok","data":{"appKey":"a","name":"b"}}'],
  ['a list', 200, JSON_TYPE, '[{"id":1}]'],
  ['nothing', 204, {}, ''],
  ['404', 404, HTML, '<html>Not found</html>'],
  ['500', 500, HTML, 'Oops'],
])('rejects a server that returns %s', async (_what, status, headers, body) => {
  const server = await startStaticServer(status, headers, body);
  const outcome = await fixture.engine.testCredential({ ...fixture.credentials, baseUrl: server.url });
  expect(outcome.status).toBe('Error');
  if (status === 200) expect(outcome.message).toContain('must be the address of your Passbell server');
  server.close();
});

it('rejects an unreachable Base URL', async () => {
  const server = await startStaticServer(200, {}, '');
  server.close();
  const outcome = await fixture.engine.testCredential({ ...fixture.credentials, baseUrl: server.url });
  expect(outcome).toMatchObject({ status: 'Error', message: expect.stringContaining('that the server is running.') });
  // The test sends nothing.
  expect(outcome.message).not.toContain('sent');
});

it('does not send the credentials to the target of a redirect', async () => {
  const target = await startStaticServer(200, JSON_TYPE, '{"success":true}');
  const server = await startStaticServer(302, { Location: `${target.url}/` }, '');
  expect(await fixture.engine.testCredential({ ...fixture.credentials, baseUrl: server.url })).toMatchObject({
    status: 'Error',
  });
  const parameters = { resource: 'session', operation: 'revoke', token: 'none' };
  const result = await fixture.runAs({ ...fixture.credentials, baseUrl: server.url }, parameters);
  expect(result.status).toBe('error');
  expect(target.paths).toEqual([]);
  server.close();
  target.close();
});
