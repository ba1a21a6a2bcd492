/** The same wrong code twice in a row, for example after a double click, costs one attempt. */
import type { ApplicationChange } from '../../backend/src/modules/applications/application-change.js';
import { codeAt, createPage, enrollUser, STEP } from '../support/authenticator.js';
import {
  freshMail,
  freshPhone,
  NO_LIMITS,
  NO_SEND_LIMITS,
  startService,
  wrongCode,
  type Body,
  type TestService,
} from '../support/service.js';

let passbell: TestService;
beforeAll(async () => void (passbell = await startService()));
afterAll(() => passbell.stop());

const inParallel = <T>(times: number, work: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: times }, (_, n) => work(n)));
const codes = (replies: readonly Body[], code: string): Body[] => replies.filter((reply) => reply.code === code);

describe('a one-time code', () => {
  async function startGuessing(limits: ApplicationChange['limits'] = {}) {
    const keys = await passbell.application({ limits: { ...NO_SEND_LIMITS.limits, ...limits } });
    const to = freshPhone();
    const { maskId, code } = await passbell.send(to, { expiry: 60 }, { keys });
    const verify = (otp: unknown, by: object = { maskId }): Promise<Body> =>
      passbell.post('/auth/verifyotp', { ...by, otp }, { keys });
    return { keys, to, maskId, code, verify, wrong: (n = 1) => wrongCode(code, n) };
  }
  const invalid = (attemptsLeft: number) => ({
    success: false,
    message: 'Invalid OTP',
    code: 'INVALID_OTP',
    attemptsLeft,
  });

  it('that is wrong costs one attempt however often it is repeated in a row, with the same reply', async () => {
    const { verify, wrong, code } = await startGuessing();
    const [first, ...repeated] = [await verify(wrong()), await verify(wrong()), await verify(wrong())];
    expect(first).toMatchObject(invalid(4));
    expect(repeated).toEqual([first, first]);
    for (let n = 2; n <= 4; n++) expect(await verify(wrong(n))).toMatchObject(invalid(5 - n));
    expect(await verify(code)).toMatchObject({ success: true });
  });

  it('costs another attempt after a different code', async () => {
    const { verify, wrong } = await startGuessing();
    for (const [n, left] of [
      [1, 4],
      [2, 3],
      [1, 2],
      [1, 2],
      [2, 1],
      [1, 0],
    ] as const)
      expect(await verify(wrong(n))).toMatchObject(invalid(left));
    expect(await verify(wrong(1))).toMatchObject({ code: 'OTP_LOCKED', retryAfterSeconds: 60 });
  });

  it('costs one attempt in 20 parallel requests, by maskId and by recipient', async () => {
    const { verify, wrong, maskId, to } = await startGuessing();
    const replies = await inParallel(20, (n) => verify(wrong(), n % 2 ? { maskId } : { to }));
    expect(replies).toMatchObject(Array(20).fill(invalid(4)));
    expect(await verify(wrong(2))).toMatchObject(invalid(3));
  });

  it('costs no attempt for the recipient either', async () => {
    const { verify, wrong } = await startGuessing({ wrongCodesPerLock: 0, wrongCodesPerHour: 3 });
    for (const n of [1, 1, 1, 2, 2]) await verify(wrong(n));
    expect(await verify(wrong(3))).toMatchObject(invalid(0));
    expect(await verify(wrong(4))).toMatchObject({ code: 'OTP_LOCKED', retryAfterSeconds: 3600 });
  });

  it('costs an attempt for each code that was sent, because it could be correct for another one', async () => {
    const { keys, to, verify, wrong } = await startGuessing();
    expect(await verify('abc123', { to })).toMatchObject(invalid(4));
    const next = await passbell.send(to, {}, { keys });
    expect(await verify('abc123', { maskId: next.maskId })).toMatchObject(invalid(4));
    for (let n = 1; n <= 3; n++) expect(await verify(wrong(n))).toMatchObject(invalid(4 - n));
  });

  it('is rejected during the lock that it caused, and reports all attempts of the next round after the lock', async () => {
    const { verify, wrong } = await startGuessing();
    for (let n = 1; n <= 5; n++) await verify(wrong(n));
    expect(await verify(wrong(5))).toMatchObject({ code: 'OTP_LOCKED', retryAfterSeconds: 60 });
    passbell.clock.advance(60_000);
    expect(await verify(wrong(5))).toMatchObject(invalid(5));
    expect(await verify(wrong(6))).toMatchObject(invalid(4));
  });

  it('gets the same replies whether or not a code was sent, also for codes with another length', async () => {
    const keys = await passbell.application(NO_SEND_LIMITS);
    const to = freshMail();
    await passbell.send(to, { otp: '987654321' }, { keys });
    const guesses = ['0012', 12, 12, '12', '0012', '0012', 'x', 'y'];
    const guessAll = async (recipient: string) => {
      const replies: Body[] = [];
      for (const otp of guesses) replies.push(await passbell.post('/auth/verifyotp', { to: recipient, otp }, { keys }));
      return replies;
    };
    expect(await guessAll(freshMail())).toEqual(await guessAll(to));
  });

  it('is stored only as a keyed hash', async () => {
    const { verify, maskId } = await startGuessing();
    await verify('QX42ZZ77');
    const db = passbell.openDatabase();
    const row = await db('otp_sessions').where({ mask_id: maskId }).first();
    await db.destroy();
    expect(row.last_wrong_code).toMatch(/^[\w-]{8}\.[\w-]{43}$/);
    expect(JSON.stringify(row)).not.toContain('QX42ZZ77');
  });

  it('that cannot be read is counted each time, because it is not known to be the same', async () => {
    const { verify, code } = await startGuessing();
    for (let n = 0; n < 5; n++) expect(await verify([code])).toMatchObject({ code: 'INVALID_PARAMETER' });
    expect(await verify(code)).toMatchObject({ code: 'OTP_LOCKED' });
  });
});

describe('a two-factor code', () => {
  const unlimited = async () => ({ keys: await passbell.application(NO_LIMITS) });
  const enrol = async () => enrollUser(passbell, freshMail(), await unlimited());
  /** Returns a code that is wrong in every time step near the current one. */
  const wrongFrom = (manualKey: string, n: number): string => {
    const near = [-2, -1, 0, 1, 2].map((steps) => codeAt(manualKey, passbell.clock.now() + steps * STEP));
    return Array.from({ length: 40 }, (_, i) => wrongCode(near[2]!, i + 1)).filter((code) => !near.includes(code))[n]!;
  };
  /** Enters different wrong codes until the caller is locked. Returns how many were checked. */
  async function attemptsLeft(guess: (n: number) => Promise<Body>): Promise<number> {
    for (let n = 0; ; n++) if ((await guess(n)).code === 'OTP_LOCKED') return n;
  }

  it.each([
    ['a user with two-factor', true],
    ['a user without two-factor', false],
  ])('that is wrong costs one attempt however often it is repeated: %s', async (_name, isOn) => {
    const { page, manualKey } = isOn
      ? await enrol()
      : { page: createPage(passbell, freshMail(), await unlimited()), manualKey: 'A'.repeat(32) };
    passbell.clock.advance(2 * STEP);
    const wrong = (n: number) => page.verify(wrongFrom(manualKey, n));
    for (let n = 0; n < 8; n++) expect(await wrong(0)).toMatchObject({ message: 'Invalid OTP', code: 'INVALID_OTP' });
    expect(await attemptsLeft((n) => wrong(n + 1))).toBe(4);
  });

  it('costs another attempt after a different code', async () => {
    const { page, manualKey } = await enrol();
    passbell.clock.advance(2 * STEP);
    for (const n of [0, 1, 0, 1, 0])
      expect(await page.verify(wrongFrom(manualKey, n))).toMatchObject({ code: 'INVALID_OTP' });
    expect(await page.verify(wrongFrom(manualKey, 0))).toMatchObject({ code: 'OTP_LOCKED', retryAfterSeconds: 900 });
  });

  it('costs one attempt in 20 parallel requests', async () => {
    const { page, manualKey } = await enrol();
    passbell.clock.advance(2 * STEP);
    const replies = await inParallel(20, () => page.verify(wrongFrom(manualKey, 0)));
    expect(codes(replies, 'INVALID_OTP')).toHaveLength(20);
    expect(await attemptsLeft((n) => page.verify(wrongFrom(manualKey, n + 1)))).toBe(4);
  });

  it('costs another attempt in the next time step, in which it could be correct', async () => {
    const { page, manualKey } = await enrol();
    const guess = wrongFrom(manualKey, 0);
    for (let step = 0; step < 5; step++) {
      expect(await page.verify(guess)).toMatchObject({ code: 'INVALID_OTP' });
      passbell.clock.advance(STEP);
    }
    expect(await page.verify(guess)).toMatchObject({ code: 'OTP_LOCKED' });
  });

  it('costs another attempt for an enrollment, in enable2fa and in disable2fa', async () => {
    const { page, manualKey } = await enrol();
    passbell.clock.advance(30 * STEP);
    const { maskId } = await createPage(passbell, freshMail()).enable();
    const otp = wrongFrom(manualKey, 0);
    for (const call of [
      () => page.verify(otp),
      () => page.verify(otp, { maskId }),
      () => page.disable({ otp }),
      () => page.enable({ otp }),
    ])
      expect(await call()).toMatchObject({ code: 'INVALID_OTP' });
    // The code for the factor itself is the same guess in all three calls, and was interrupted once by the enrollment.
    expect(await attemptsLeft((n) => page.verify(wrongFrom(manualKey, n + 1)))).toBe(2);
  });

  it('that is a wrong recovery code costs one attempt, at any time', async () => {
    const { page } = await enrol();
    const recovery = (n: number) =>
      page.verify(`AAAAA-AAA${'ABCDEFGHIJKL'[Math.floor(n / 12)]}${'ABCDEFGHIJKL'[n % 12]}`);
    for (let n = 0; n < 12; n++) {
      expect(await recovery(0)).toMatchObject({ code: 'INVALID_OTP' });
      passbell.clock.advance(STEP);
    }
    expect(await attemptsLeft((n) => recovery(n + 1))).toBe(9);
  });

  it('that is correct still works after the same code could not be checked', async () => {
    const { page, nextCode, manualKey } = await enrol();
    const code = nextCode();
    const { cores } = passbell;
    const signingKeys = cores.map((core) => core.sessions.service.signingKey);
    const fail = async () => Promise.reject(new Error('the key cannot be loaded'));
    for (const core of cores) Object.assign(core.sessions.service, { signingKey: fail });
    expect(await page.verify(code)).toMatchObject({ code: 'INTERNAL_ERROR' });
    cores.forEach((core, n) => Object.assign(core.sessions.service, { signingKey: signingKeys[n] }));
    expect(await page.verify(code)).toMatchObject({ success: true });
    expect(await page.verify(codeAt(manualKey, passbell.clock.now()))).toMatchObject({ code: 'INVALID_OTP' });
  });

  it('is stored only as a keyed hash', async () => {
    const { page, identity } = await enrol();
    await page.verify('404404');
    const db = passbell.openDatabase();
    const rows = await db('two_factor_failures').where({ identity });
    await db.destroy();
    expect(rows.length).toBeGreaterThan(0);
    for (const { last_code } of rows) expect(last_code).toMatch(/^[\w-]{8}\.[\w-]{43}$/);
    expect(JSON.stringify(rows)).not.toContain('404404');
  });
});
