/** The widget's `verifyotp`: valid, used and wrong codes, and recovery codes. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { execFileSync } from 'node:child_process';
import { codeAt, createPage, enrollUser, signInToken, STEP, userToken } from '../support/authenticator.js';
import { itWithProgram } from '../support/program.js';
import { freshMail, NO_LIMITS, startService, wrongCode, type Body, type TestService } from '../support/service.js';

const itWithOathtool = await itWithProgram('oathtool');

let passbell: TestService;
beforeAll(async () => {
  passbell = await startService();
  await passbell.core.applications.service.update(OPERATOR, passbell.keys.appKey, NO_LIMITS);
});
afterAll(() => passbell.stop());

const now = () => passbell.clock.now();
const advance = (ms: number) => passbell.clock.advance(ms);
const inParallel = <T>(times: number, work: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: times }, (_, n) => work(n)));
const successes = (replies: Body[]): Body[] => replies.filter(({ success }) => success);

describe('an authenticator code', () => {
  it('is accepted at most one time step early or late', async () => {
    const { page, manualKey } = await enrollUser(passbell, freshMail());
    advance(10 * STEP);
    for (const [steps, good] of [
      [-2, false],
      [2, false],
      [-1, true],
      [1, true],
    ] as const)
      expect({ steps, good: (await page.verify(codeAt(manualKey, now() + steps * STEP))).success }).toEqual({
        steps,
        good,
      });
  });

  it('works only once, and invalidates earlier codes', async () => {
    const { page, manualKey } = await enrollUser(passbell, freshMail());
    // The enrollment has already used this code.
    expect(await page.verify(codeAt(manualKey, now()))).toMatchObject({ code: 'INVALID_OTP' });
    advance(5 * STEP);
    expect(await page.verify(codeAt(manualKey, now()))).toMatchObject({ success: true });
    expect(await page.verify(codeAt(manualKey, now()))).toMatchObject({ code: 'INVALID_OTP' });
    expect(await page.verify(codeAt(manualKey, now() - STEP))).toMatchObject({ code: 'INVALID_OTP' });
  });

  it('is accepted in only one of 20 concurrent requests', async () => {
    const { page, nextCode } = await enrollUser(passbell, freshMail());
    const code = nextCode();
    expect(successes(await inParallel(20, () => page.verify(code)))).toHaveLength(1);
  });

  it('turns on two-factor in only one of 10 concurrent requests', async () => {
    const page = createPage(passbell, freshMail());
    const { manualKey } = await page.enable();
    const replies = await inParallel(10, () => page.verify(codeAt(manualKey, now())));
    expect(successes(replies)).toHaveLength(1);
    expect(await page.state()).toBe(true);
  });

  it('cannot be reused after a restart', async () => {
    const { page, identity, nextCode } = await enrollUser(passbell, freshMail());
    const code = nextCode();
    expect(await page.verify(code)).toMatchObject({ success: true });
    passbell = await passbell.restart();
    expect(await createPage(passbell, identity).verify(code)).toMatchObject({ code: 'INVALID_OTP' });
  });

  it('may have spaces, or be a number without its leading zeros', async () => {
    const user = await enrollUser(passbell, freshMail());
    const code = user.nextCode();
    expect(await user.page.verify(` ${code.slice(0, 3)} ${code.slice(3)} `)).toMatchObject({ success: true });
    expect(await user.page.verify(Number(user.nextCode()))).toMatchObject({ success: true });
  });

  itWithOathtool('is accepted if oathtool generated it', async () => {
    const user = await enrollUser(passbell, freshMail());
    advance(STEP);
    const at = `@${now() / 1000}`;
    const code = execFileSync('oathtool', ['--totp', '--base32', `--now=${at}`, user.manualKey], { encoding: 'utf8' });
    expect(await user.page.verify(code.trim())).toMatchObject({ success: true });
  });
});

describe('wrong codes', () => {
  const wrongFrom = (manualKey: string, n = 0) => {
    const near = [-1, 0, 1].map((steps) => codeAt(manualKey, now() + steps * STEP));
    const candidates = Array.from({ length: 20 }, (_, i) => wrongCode(near[1]!, n + i + 1));
    return candidates.find((code) => !near.includes(code))!;
  };

  it('lock the identity for 15 minutes after five attempts, even if the next code is correct', async () => {
    const { page, manualKey } = await enrollUser(passbell, freshMail());
    advance(STEP);
    for (let i = 0; i < 5; i++)
      expect(await page.verify(wrongFrom(manualKey, i))).toMatchObject({ code: 'INVALID_OTP' });
    expect(await page.verify(codeAt(manualKey, now()))).toMatchObject({ code: 'OTP_LOCKED', retryAfterSeconds: 900 });
    advance(899_000);
    expect(await page.verify(codeAt(manualKey, now()))).toMatchObject({ code: 'OTP_LOCKED', retryAfterSeconds: 1 });
    advance(1000);
    expect(await page.verify(codeAt(manualKey, now()))).toMatchObject({ success: true });
  });

  it('are checked in only five of 40 concurrent requests', async () => {
    const { page, manualKey } = await enrollUser(passbell, freshMail());
    advance(STEP);
    const replies = await inParallel(40, (n) => page.verify(wrongFrom(manualKey, n)));
    expect(replies.filter(({ code }) => code === 'INVALID_OTP')).toHaveLength(5);
    expect(replies.filter(({ code }) => code === 'OTP_LOCKED')).toHaveLength(35);
  });

  it('no longer count after a correct code', async () => {
    const user = await enrollUser(passbell, freshMail());
    for (let round = 0; round < 3; round++) {
      const code = user.nextCode();
      for (let i = 0; i < 4; i++) await user.page.verify(wrongFrom(user.manualKey, i));
      expect(await user.page.verify(code)).toMatchObject({ success: true });
    }
  });

  it('of the wrong type are rejected with INVALID_PARAMETER, and count as wrong guesses', async () => {
    const user = await enrollUser(passbell, freshMail());
    const code = user.nextCode();
    for (const otp of [[code], { code }, true, null, [[]]])
      expect(await user.page.verify(otp)).toMatchObject({ code: 'INVALID_PARAMETER' });
    expect(await user.page.verify(code)).toMatchObject({ code: 'OTP_LOCKED' });
  });

  it('also count during an enrollment, and do not change it', async () => {
    const page = createPage(passbell, freshMail());
    const { manualKey } = await page.enable();
    for (let i = 0; i < 5; i++)
      expect(await page.verify(wrongFrom(manualKey, i))).toMatchObject({ code: 'INVALID_OTP' });
    expect(await page.verify(codeAt(manualKey, now()))).toMatchObject({ code: 'OTP_LOCKED' });
    expect(await page.enable()).toMatchObject({ manualKey });
  });
});

describe('recovery codes', () => {
  it('are shown once, and each of the ten codes works once, in any format', async () => {
    const user = await enrollUser(passbell, freshMail());
    expect(new Set(user.recoveryCodes).size).toBe(10);
    const [first, second] = user.recoveryCodes as [string, string];
    const { data } = await user.page.verify(first);
    expect(data).toMatchObject({ tokenType: 'Bearer', recoveryCodesLeft: 9 });
    expect(data.recoveryCodes).toBeUndefined();
    expect(await user.page.verify(first)).toMatchObject({ code: 'INVALID_OTP' });
    expect(await user.page.verify(` ${second.toLowerCase().replace('-', ' ')}`)).toMatchObject({ success: true });
  });

  it('are counted, and only the reply to a correct code contains the remaining number', async () => {
    const page = createPage(passbell, freshMail());
    const { manualKey } = await page.enable();
    const { data } = await page.verify(codeAt(manualKey, now()));
    expect(data.recoveryCodesLeft).toBe(10);
    for (const [n, code] of data.recoveryCodes.entries())
      expect((await page.verify(code)).data.recoveryCodesLeft).toBe(9 - n);
    advance(STEP);
    expect((await page.verify(codeAt(manualKey, now()))).data.recoveryCodesLeft).toBe(0);
    expect(JSON.stringify(await page.call('authstate'))).not.toContain('recoveryCodesLeft');
  });

  it('may contain 0 for O, 1 for I and 8 for B', async () => {
    const digits: Record<string, string> = { O: '0', I: '1', B: '8' };
    const misread = (code: string) => code.replace(/[OIB]/g, (letter) => digits[letter]!);
    let user = await enrollUser(passbell, freshMail());
    const code = () => user.recoveryCodes.find((candidate) => misread(candidate) !== candidate);
    while (!code()) user = await enrollUser(passbell, freshMail());
    expect(await user.page.verify(misread(code()!))).toMatchObject({ success: true });
  });

  it('work in only one of 20 concurrent requests', async () => {
    const user = await enrollUser(passbell, freshMail());
    expect(successes(await inParallel(20, () => user.page.verify(user.recoveryCodes[3])))).toHaveLength(1);
  });

  it('do not work for another identity, and are locked for an hour after ten wrong codes', async () => {
    const ana = await enrollUser(passbell, freshMail());
    const bob = await enrollUser(passbell, freshMail());
    for (const code of ana.recoveryCodes) expect(await bob.page.verify(code)).toMatchObject({ code: 'INVALID_OTP' });
    const lock = { code: 'OTP_LOCKED', retryAfterSeconds: 3600 };
    expect(await bob.page.verify(bob.recoveryCodes[0])).toMatchObject(lock);
    advance(3_600_000);
    for (const code of ana.recoveryCodes) expect(await bob.page.verify(code)).toMatchObject({ code: 'INVALID_OTP' });
    expect(await bob.page.verify(bob.recoveryCodes[0])).toMatchObject(lock);
  });
});

describe('data.token', () => {
  const verifyToken = (token: string) => passbell.post('/auth/verifytoken', { token, purpose: 'two-factor' });

  it('contains the identity, marked as not verified', async () => {
    const user = await enrollUser(passbell, freshMail());
    const { data } = await user.page.verify(user.nextCode());
    expect(data.user).toMatchObject({ email: user.identity, phone: '' });
    expect((await verifyToken(data.token)).data).toMatchObject({
      userId: data.user.userId,
      identities: { identityType: 'email', channel: 'totp', verified: false },
    });
  });

  const FORMS = [
    ['a userToken', userToken],
    ['a sign-in token', signInToken],
  ] as const;

  it.each(FORMS)('contains the identity, marked as verified, with %s', async (_form, tokenOf) => {
    const identity = freshMail();
    const token = tokenOf(passbell.keys.appSecret, identity, now() / 1000 + 600);
    const user = await enrollUser(passbell, identity, { more: { userToken: token } });
    const { data } = await user.page.verify(user.nextCode());
    expect((await verifyToken(data.token)).data.identities.verified).toBe(true);
  });

  it.each(FORMS)('has the same user as a login with a code sent to the address, with %s', async (_form, tokenOf) => {
    const identity = freshMail();
    const token = tokenOf(passbell.keys.appSecret, identity, now() / 1000 + 600);
    const user = await enrollUser(passbell, identity, { more: { userToken: token } });
    const { data } = await user.page.verify(user.nextCode());
    const { maskId, code } = await passbell.send(identity);
    const verified = await passbell.post('/auth/verifyotp', { maskId, otp: code });
    expect(verified.data.user).toEqual(data.user);
  });

  it('contains the same user every time', async () => {
    const user = await enrollUser(passbell, freshMail());
    const { data } = await user.page.verify(user.nextCode());
    expect((await user.page.verify(user.nextCode())).data.user).toEqual(data.user);
  });
});
