/** The same wrong code twice in a row, for example after a double click, costs one attempt. */
import type { ApplicationChange } from '../../backend/src/modules/applications/application-change.js';
import {
  freshMail,
  freshPhone,
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
