/** `passbell api-key`, with a running server. */
import { callWith } from '../support/manage.js';
import { startService, type TestService } from '../support/service.js';
import { json, run } from './command.js';

let passbell: TestService;
beforeAll(async () => void (passbell = await startService()));
afterAll(() => passbell.stop());

it('creates, lists and revokes keys', async () => {
  const options = ['--name', 'CI', '--scopes', 'applications:own,audit:own'];
  const { key, id } = await json(passbell, 'api-key', 'create', ...options);
  expect((await callWith(passbell, key)('get', '/applications')).status).toBe(200);
  const { out } = await run(passbell, 'api-key', 'list');
  expect([out.includes('applications:own'), out.includes(key)]).toEqual([true, false]);
  expect(await json(passbell, 'api-key', 'revoke', String(id))).toEqual({ id });
  expect((await callWith(passbell, key)('get', '/applications')).status).toBe(401);
  expect((await run(passbell, 'api-key', 'revoke', String(id))).err).toContain(`there is no key ${id}`);
  expect(await run(passbell, 'api-key', 'create', '--name', 'two\nlines', ...options.slice(2))).toMatchObject({
    code: 1,
  });
  const wrong = await run(passbell, 'api-key', 'create', '--name', 'CI', '--scopes', 'people:own');
  expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining('The areas are applications') });
});
