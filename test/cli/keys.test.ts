/** `passbell keys`, with a running server. */
import { freshPhone, startService, type TestService } from '../support/service.js';
import { CHANGE_MS, json, run } from './command.js';

const MINUTE = 60_000;

let server: TestService;
beforeAll(async () => void (server = await startService()));
afterAll(() => server.stop());

const publishedKids = async (): Promise<string[]> => {
  const { keys } = (await (await fetch(`${server.url}/.well-known/jwks.json`)).json()) as { keys: { kid: string }[] };
  return keys.map(({ kid }) => kid).sort();
};

async function createToken(): Promise<string> {
  const to = freshPhone();
  const sent = await server.post('/auth/sendotp', { to });
  const { maskId } = sent.data.results[0];
  const verified = await server.post('/auth/verifyotp', { maskId, otp: await server.codeFor(to) });
  return verified.data.token;
}

const kidOf = (jwt: string): string => JSON.parse(Buffer.from(jwt.split('.')[0]!, 'base64url').toString()).kid;

it('makes the running server sign with a new key; tokens signed with the old key stay valid', async () => {
  const [first] = await json(server, 'keys', 'list');
  const old = await createToken();
  expect([kidOf(old), first.signs]).toEqual([first.kid, true]);

  const { kid } = await json(server, 'keys', 'rotate');
  server.clock.advance(CHANGE_MS);
  expect(kidOf(await createToken())).toBe(kid);
  expect(await publishedKids()).toEqual([kid, first.kid].sort());
  expect(await server.post('/auth/verifytoken', { token: old })).toMatchObject({ success: true });
});

it('lists the signing key', async () => {
  const { kid } = await json(server, 'keys', 'rotate');
  const listed: { kid: string; signs: boolean }[] = await json(server, 'keys', 'list');
  server.clock.advance(CHANGE_MS);
  expect(listed.map((key) => key.kid).sort()).toEqual(await publishedKids());
  expect(listed.filter(({ signs }) => signs).map((key) => key.kid)).toEqual([kid]);
  expect((await run(server, 'keys', 'list')).out).toMatch(new RegExp(`${kid} .* signs and verifies `));
});

it('makes the running server stop publishing the old key when the key retires, even if it is still cached', async () => {
  const { kid: old } = await json(server, 'keys', 'rotate');
  const { kid } = await json(server, 'keys', 'rotate');
  server.clock.advance(35 * MINUTE - 1);
  expect(await publishedKids()).toContain(old);
  server.clock.advance(1);
  expect(await publishedKids()).toEqual([kid]);
});

it('prints the new key', async () => {
  const { out } = await run(server, 'keys', 'rotate');
  expect(out).toMatch(/^New tokens are signed with the key [0-9a-f]{16}\. .* within 30 minutes\.\n$/);
});

it('lists keys without creating one', async () => {
  const other = { dataDir: `${server.dataDir}/other`, clock: server.clock };
  await run(other, 'init');
  expect([await run(other, 'keys', 'list'), await run(other, 'keys', 'list', '--json')]).toEqual([
    { code: 0, out: 'No keys yet.\n', err: '' },
    { code: 0, out: '[]\n', err: '' },
  ]);
});
