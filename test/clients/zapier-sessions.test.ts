/** Verify Token and Revoke Session of the Zapier app. */
import { freshPhone, NO_LIMITS, startService, type TestService } from '../support/service.js';
import { connect } from '../support/zapier.js';

let passbell: TestService;
let shop: ReturnType<typeof connect>;
beforeAll(async () => {
  passbell = await startService();
  shop = connect(passbell.url, await passbell.application(NO_LIMITS));
});
afterAll(() => passbell.stop());

async function createSession(): Promise<string> {
  const to = freshPhone();
  const { maskId }: { maskId: string } = await shop.act('send_otp', { to, reference: to });
  const { token }: { token: string } = await shop.act('verify_otp', { maskId, otp: await passbell.codeFor(to) });
  return token;
}

it('returns the user that a session belongs to, with the verification time as a date', async () => {
  const output: { verifiedAt: string; identities: { verifiedAt: string } } = await shop.act('verify_token', {
    session: await createSession(),
  });
  expect(output).toMatchObject({
    userId: expect.stringMatching(/^USR-/),
    identities: { identityType: 'phone', channel: 'sms', verified: true },
  });
  expect(output.identities.verifiedAt).toBe(output.verifiedAt);
});

it('revokes a session, even repeatedly, and then rejects it', async () => {
  const token = await createSession();
  expect(await shop.act('revoke_session', { session: token })).toEqual({ revoked: true });
  expect(await shop.act('revoke_session', { session: token })).toEqual({ revoked: true });
  expect(await shop.actError('verify_token', { session: token })).toMatchObject({
    name: 'AppError',
    code: 'TOKEN_REVOKED',
  });
});

it('rejects an expired session', async () => {
  const token = await createSession();
  passbell.clock.advance(1_801_000);
  expect(await shop.actError('verify_token', { session: token })).toMatchObject({ code: 'TOKEN_EXPIRED' });
});

it.each(['verify_token', 'revoke_session'] as const)(
  '%s rejects an invalid session without repeating it',
  async (action) => {
    for (const empty of ['', null, undefined])
      expect(await shop.actError(action, { session: empty })).toMatchObject({ code: 'MISSING_PARAMETERS' });
    const token = await createSession();
    const failure = await shop.actError(action, { session: `${token}x` });
    expect(failure).toMatchObject({ name: 'AppError', code: 'INVALID_TOKEN' });
    expect(failure.text).not.toContain(token);
    const other = connect(passbell.url, await passbell.application(NO_LIMITS));
    expect(await other.actError(action, { session: token })).toMatchObject({ code: 'INVALID_TOKEN' });
  },
);
