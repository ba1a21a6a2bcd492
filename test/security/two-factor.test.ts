/** Attacks by callers who know the App Key, the domain and a user's email address. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { decodeJwt } from 'jose';
import {
  BROWSER,
  codeAt,
  createPage,
  enrollUser,
  HEADERS,
  OTHER_BROWSER,
  signInToken,
  STEP,
  userToken,
  type EnrolledUser,
} from '../support/authenticator.js';
import { processorMs } from '../support/processor-time.js';
import { freshMail, NO_LIMITS, startService, type Body, type TestService } from '../support/service.js';

const MINUTE = 60_000;

let passbell: TestService;
beforeAll(async () => {
  passbell = await startService();
  await passbell.core.applications.service.update(OPERATOR, passbell.keys.appKey, NO_LIMITS);
});
afterAll(() => passbell.stop());

const now = () => passbell.clock.now();
const advance = (ms: number) => passbell.clock.advance(ms);
const seconds = () => Math.floor(now() / 1000);
const signedIn = (identity: string) => signInToken(passbell.keys.appSecret, identity, seconds() + 60);
const attacker = (identity: string, more = {}) => createPage(passbell, identity, { browser: OTHER_BROWSER, more });

describe('an attacker who knows the App Key, the domain and the email address', () => {
  let victim: EnrolledUser;
  beforeEach(async () => void (victim = await enrollUser(passbell, freshMail())));
  /** Asserts that the factor is on and unchanged. */
  const intact = async () => {
    expect(await victim.page.verify(victim.nextCode())).toMatchObject({ success: true });
    expect(await victim.page.state()).toBe(true);
  };

  it('cannot turn two-factor off', async () => {
    const evil = attacker(victim.identity);
    expect(await evil.disable()).toMatchObject({ success: false, code: 'PROOF_REQUIRED' });
    for (const otp of ['000000', 'AAAAA-AAAAA', '', ' ', 0]) expect((await evil.disable({ otp })).success).toBe(false);
    await passbell.post('/auth/reset2fa', { identity: victim.identity }, { headers: { clientSecret: 'sk_guess' } });
    advance(15 * MINUTE);
    await intact();
  });

  it('cannot enroll again', async () => {
    expect(await attacker(victim.identity).enable()).toMatchObject({ success: false, code: 'PROOF_REQUIRED' });
    expect(await attacker(victim.identity).enable({ otp: '000000' })).toMatchObject({ code: 'INVALID_OTP' });
    await intact();
  });

  it('cannot read the secret, the QR code or the recovery codes', async () => {
    const evil = attacker(victim.identity);
    const replies = [
      await evil.call('authstate'),
      await evil.enable(),
      await evil.verify('000000'),
      await evil.disable(),
    ];
    expect(JSON.stringify(replies)).not.toMatch(new RegExp(`${victim.manualKey}|data:image|recovery`));
  });

  it('cannot turn two-factor off or enroll again in the same browser after ten minutes', async () => {
    advance(10 * MINUTE);
    for (const name of ['enable2fa', 'disable2fa'])
      expect(await victim.page.call(name)).toMatchObject({ code: 'PROOF_REQUIRED' });
    await intact();
  });

  it('cannot replay a used code in any call', async () => {
    const code = victim.nextCode();
    await victim.page.verify(code);
    for (const name of ['enable2fa', 'disable2fa', 'verifyotp'])
      expect(await attacker(victim.identity).call(name, { otp: code })).toMatchObject({ code: 'INVALID_OTP' });
    await intact();
  });

  it('cannot use an enrollment that was started before two-factor was on', async () => {
    const identity = freshMail();
    const evil = attacker(identity);
    const { manualKey, maskId } = await evil.enable();
    victim = await enrollUser(passbell, identity);
    expect(manualKey).not.toBe(victim.manualKey);
    for (const body of [{}, { maskId }])
      expect(await evil.verify(codeAt(manualKey, now()), body)).toMatchObject({ code: 'INVALID_OTP' });
    await intact();
  });

  it('cannot read the secret while the user enrolls', async () => {
    const identity = freshMail();
    const mine = await createPage(passbell, identity).enable();
    const theirs = await attacker(identity).enable();
    expect(theirs.manualKey).not.toBe(mine.manualKey);
    expect(theirs.maskId).not.toBe(mine.maskId);
  });

  it('cannot join an enrollment that a user started with a userToken, even with the same IP address and User-Agent', async () => {
    const identity = freshMail();
    const token = userToken(passbell.keys.appSecret, identity, seconds() + 600);
    const neighbor = createPage(passbell, identity, { browser: null });
    const { manualKey } = await neighbor.enable();
    victim = await enrollUser(passbell, identity, { more: { userToken: token } });
    expect(victim.manualKey).not.toBe(manualKey);
    for (const name of ['enable2fa', 'disable2fa'])
      expect(await neighbor.call(name)).toMatchObject({ code: 'PROOF_REQUIRED' });
    await intact();
  });

  it("cannot use the user's own browser from a page on another site", async () => {
    const evil = {
      headers: { ...HEADERS, Origin: 'https://evil.example' },
      more: { domainUrl: 'https://evil.example' },
    };
    await victim.page.verify(victim.nextCode());
    const there = createPage(passbell, victim.identity, evil);
    for (const name of ['enable2fa', 'disable2fa'])
      expect(await there.call(name)).toMatchObject({ code: 'PROOF_REQUIRED' });
    await intact();
  });

  it("cannot use another application's or user's verification", async () => {
    const keys = await passbell.application(NO_LIMITS);
    const elsewhere = await enrollUser(passbell, victim.identity, { keys, browser: OTHER_BROWSER });
    await elsewhere.page.verify(elsewhere.nextCode());
    await enrollUser(passbell, freshMail(), { browser: OTHER_BROWSER });
    expect(await attacker(victim.identity).disable()).toMatchObject({ code: 'PROOF_REQUIRED' });
    await intact();
  });

  it('cannot get a login token by enrolling the address of a user without two-factor', async () => {
    const identity = freshMail();
    const { maskId, code } = await passbell.send(identity);
    const { data: login } = await passbell.post('/auth/verifyotp', { maskId, otp: code });
    const { page, nextCode } = await enrollUser(passbell, identity, { browser: OTHER_BROWSER });
    const { data } = await page.verify(nextCode());
    const { data: verifiedToken } = await passbell.post('/auth/verifytoken', {
      token: data.token,
      purpose: 'two-factor',
    });
    expect(verifiedToken).toMatchObject({ identities: { channel: 'totp', verified: false } });
    // Sites that check only the user id, or decode the token themselves, must also see a different user.
    const claims = decodeJwt(data.token);
    expect([verifiedToken.userId, data.user.userId, claims.sub]).not.toContain(login.user.userId);
    expect(claims).toMatchObject({ sub: verifiedToken.userId, channel: 'totp', verified: false });
    // A low user number would reveal that the address is known.
    expect(data.user.userApplicationId).toBeGreaterThan(login.user.userApplicationId);
  });

  it('cannot lift a lock, and gets the same replies for an unknown identity', async () => {
    const unknown = freshMail();
    const replies = async (identity: string) => {
      const all: Body[] = [];
      for (const otp of ['wrong', 'AAAAA-AAAAA'])
        for (let i = 0; i < 12; i++) all.push(await attacker(identity).verify(otp));
      return all;
    };
    expect(await replies(victim.identity)).toEqual(await replies(unknown));
    expect(await attacker(victim.identity).disable()).toEqual(await attacker(unknown).disable());
    advance(15 * MINUTE);
    await intact();
  });
});

describe('a verified user', () => {
  it.each([
    [
      'a code verified by the same browser',
      async (user: EnrolledUser) => (await user.page.verify(user.nextCode()), {}),
    ],
    ['a code', async (user: EnrolledUser) => (advance(11 * MINUTE), { otp: user.nextCode() })],
    ['a recovery code', async (user: EnrolledUser) => (advance(11 * MINUTE), { otp: user.recoveryCodes[0] })],
    [
      'a userToken',
      async (user: EnrolledUser) => (
        advance(11 * MINUTE),
        { userToken: userToken(passbell.keys.appSecret, user.identity, seconds() + 60) }
      ),
    ],
    [
      'a sign-in token and a code',
      async (user: EnrolledUser) => (
        advance(11 * MINUTE),
        { otp: user.nextCode(), userToken: signedIn(user.identity) }
      ),
    ],
    [
      'a sign-in token and a code verified by the same browser',
      async (user: EnrolledUser) => (await user.page.verify(user.nextCode()), { userToken: signedIn(user.identity) }),
    ],
  ])('turns two-factor off with %s', async (_name, prove) => {
    const user = await enrollUser(passbell, freshMail());
    expect(await user.page.disable(await prove(user))).toEqual({ success: true, message: '2FA disabled' });
    expect(await user.page.state()).toBe(false);
    expect(await user.page.verify(user.nextCode())).toMatchObject({ code: 'INVALID_OTP' });
  });

  it('cannot turn two-factor off with a code of the wrong type, even with a userToken', async () => {
    const user = await enrollUser(passbell, freshMail());
    const token = userToken(passbell.keys.appSecret, user.identity, seconds() + 60);
    expect(await user.page.disable({ userToken: token, otp: [1] })).toMatchObject({ code: 'INVALID_PARAMETER' });
    expect(await user.page.state()).toBe(true);
  });

  it('loses the factor and its lock if the site resets the factor; an unknown identity gets the same reply', async () => {
    const user = await enrollUser(passbell, freshMail());
    for (let i = 0; i < 6; i++) await user.page.verify('wrong');
    const reset = (identity: string) => passbell.post('/auth/reset2fa', { identity });
    expect(await reset(user.identity.toUpperCase())).toEqual({ success: true, message: '2FA reset' });
    expect(await reset(freshMail())).toEqual({ success: true, message: '2FA reset' });
    expect(await user.page.state()).toBe(false);
    await enrollUser(passbell, user.identity);
    expect(await user.page.state()).toBe(true);
  });
});

it('a wrong code takes as long for an unknown identity as for a known one', async () => {
  const known = await enrollUser(passbell, freshMail(), { browser: BROWSER });
  advance(STEP);
  const timeOf = (identity: string) =>
    processorMs(async () => {
      const page = attacker(identity);
      await page.verify('AAAAA-AAAAA');
      await page.verify('x');
      await page.disable();
      await page.call('authstate');
    });
  const ratios: number[] = [];
  for (let pair = 0; pair < 31; pair++) {
    const ofKnown = await timeOf(known.identity);
    ratios.push(ofKnown / (await timeOf(freshMail())));
    advance(16 * MINUTE);
  }
  const median = ratios.sort((a, b) => a - b)[Math.floor(ratios.length / 2)]!;
  // A measurable difference would reveal which identities exist. test/unit/two-factor-work.test.ts compares the work
  // itself.
  expect(median).toBeLessThan(2);
  expect(median).toBeGreaterThan(1 / 2);
});
