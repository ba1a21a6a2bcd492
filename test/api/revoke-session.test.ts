/** revokeSession, `/auth/revokesession`: revokes session tokens. */
import type { KeyPair } from '../../backend/src/modules/applications/application.js';
import { freshPhone, NO_LIMITS, startService, type Body, type TestService } from '../support/service.js';

let passbell: TestService;
let keys: KeyPair;
beforeAll(async () => {
  passbell = await startService({ BASE_URL: 'https://otp.example' });
  keys = await passbell.application(NO_LIMITS);
});
afterAll(() => passbell.stop());

const REVOKED = { success: false, message: 'token revoked', code: 'TOKEN_REVOKED' };
const INVALID = { success: false, message: 'invalid token', code: 'INVALID_TOKEN' };
const SUCCESS = { success: true, message: expect.any(String) };

async function login(to = freshPhone()): Promise<string> {
  const { maskId, code } = await passbell.send(to, {}, { keys });
  return (await passbell.post('/auth/verifyotp', { maskId, otp: code }, { keys })).data.token;
}
const verifyToken = (token: string): Promise<Body> => passbell.post('/auth/verifytoken', { token }, { keys });
const revoke = (token: unknown, pair = keys): Promise<Body> =>
  passbell.post('/auth/revokesession', { token }, { keys: pair });

it('revokes a token immediately', async () => {
  const token = await login();
  expect(await verifyToken(token)).toMatchObject({ success: true });
  expect(await revoke(token)).toEqual(SUCCESS);
  expect(await verifyToken(token)).toMatchObject(REVOKED);
});

it('succeeds again for a revoked token, also in concurrent requests', async () => {
  const token = await login();
  const replies = await Promise.all(Array.from({ length: 20 }, () => revoke(token)));
  expect(replies).toEqual(Array(20).fill(SUCCESS));
  expect(await verifyToken(token)).toMatchObject(REVOKED);
});

it("revokes only one of a user's tokens", async () => {
  const to = freshPhone();
  const first = await login(to);
  const second = await login(to);
  await revoke(first);
  expect(await verifyToken(first)).toMatchObject(REVOKED);
  expect(await verifyToken(second)).toMatchObject({ success: true });
});

it('a token stays revoked after a restart until it expires', async () => {
  const token = await login();
  await revoke(token);
  passbell = await passbell.restart();
  expect(await verifyToken(token)).toMatchObject(REVOKED);
  for (let minutes = 0; minutes < 29; minutes++) {
    passbell.clock.advance(60_000);
    expect(await verifyToken(token)).toMatchObject(REVOKED);
  }
  passbell.clock.advance(60_000);
  expect(await verifyToken(token)).toMatchObject({ code: 'TOKEN_EXPIRED' });
});

it('a token stays revoked after a key rotation', async () => {
  const token = await login();
  await revoke(token);
  await passbell.core.sessions.signingKeys.rotate();
  expect(await verifyToken(token)).toMatchObject(REVOKED);
});

it('succeeds for an expired token', async () => {
  const token = await login();
  passbell.clock.advance(1_800_000);
  expect(await revoke(token)).toEqual(SUCCESS);
});

it('rejects a token that belongs to another application, and does not revoke it', async () => {
  const token = await login();
  expect(await revoke(token, await passbell.application())).toMatchObject(INVALID);
  expect(await verifyToken(token)).toMatchObject({ success: true });
});

it('rejects malformed tokens', async () => {
  const token = await login();
  for (const forged of ['nonsense', 'a.b.c', `${token}x`, token.slice(0, -4), 5])
    expect(await revoke(forged)).toMatchObject(INVALID);
});

it.each([[{}], [{ token: '' }]])('reports a missing token in %j', async (parameters) => {
  expect(await passbell.post('/auth/revokesession', parameters, { keys })).toMatchObject({
    success: false,
    message: 'missing parameters',
    code: 'MISSING_PARAMETERS',
  });
});

it.each([null, true, {}, []])('rejects the token %j with an error that names the parameter', async (token) => {
  expect(await revoke(token)).toMatchObject({
    success: false,
    message: 'token must be a string',
    code: 'INVALID_PARAMETER',
  });
});
