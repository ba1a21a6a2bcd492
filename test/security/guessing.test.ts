/** The chance of guessing one of a recipient's codes within a day stays under 0.1%, whatever the code length. */
import type { KeyPair } from '../../backend/src/modules/applications/application.js';
import {
  freshMail,
  freshPhone,
  NO_LIMITS,
  startService,
  wrongCode,
  type Body,
  type TestService,
} from '../support/service.js';

let passbell: TestService;
/**
 * Credentials of an application that has no limits other than the daily limit on wrong codes, which cannot be disabled.
 */
let keys: KeyPair;
beforeAll(async () => {
  passbell = await startService();
  keys = await passbell.application(NO_LIMITS);
});
afterAll(() => passbell.stop());

const send = (to: string, parameters: object): Promise<Body> =>
  passbell.send(to, { expiry: 1440, ...parameters }, { keys });
const verify = (maskId: string, otp: string): Promise<Body> =>
  passbell.post('/auth/verifyotp', { maskId, otp }, { keys });
const countReplies = (replies: readonly Body[], code: string) => replies.filter((reply) => reply.code === code).length;

it.each([
  ['4 digits', { otpLength: 4 }, 9],
  ['5 digits', { otpLength: 5 }, 99],
  ['4 digits chosen by the caller', { otp: '0042' }, 9],
  ['2 letters and 2 digits chosen by the caller', { otp: 'QX42' }, 67],
])("%s: limits parallel guesses across all of a recipient's sessions", async (_kind, parameters, allowed) => {
  const to = freshMail();
  const maskIds: string[] = [];
  for (let n = 0; n < 4; n++) {
    const variant = n % 2 ? to : to.replace('@', `+${n}@`);
    const { data } = await passbell.post('/auth/sendotp', { to: variant, expiry: 1440, ...parameters }, { keys });
    maskIds.push(data.results[0].maskId);
  }
  const wrong = (n: number): string => String(n).padStart(3, '0');
  const replies = await Promise.all(Array.from({ length: allowed + 21 }, (_, n) => verify(maskIds[n % 4]!, wrong(n))));
  expect(countReplies(replies, 'INVALID_OTP')).toBe(allowed);
  expect(countReplies(replies, 'OTP_LOCKED')).toBe(21);
});

it('a locked recipient stays locked for new codes and after a restart, and is released after retryAfterSeconds', async () => {
  const to = freshPhone();
  const first = await send(to, { otpLength: 4 });
  for (let n = 1; n <= 9; n++)
    expect(await verify(first.maskId, wrongCode(first.code, n))).toMatchObject({ code: 'INVALID_OTP' });
  passbell = await passbell.restart();
  const second = await send(to, { otpLength: 4 });
  const { retryAfterSeconds, ...reply } = await verify(second.maskId, second.code);
  expect(reply).toMatchObject({ success: false, code: 'OTP_LOCKED' });
  expect(retryAfterSeconds).toBeGreaterThanOrEqual(86_400);
  expect(retryAfterSeconds).toBeLessThanOrEqual(90_000);

  const longer = await send(to, { otpLength: 8 });
  expect(await verify(longer.maskId, longer.code)).toMatchObject({ success: true });
  const stranger = await send(freshPhone(), { otpLength: 4 });
  expect(await verify(stranger.maskId, stranger.code)).toMatchObject({ success: true });

  passbell.clock.advance(retryAfterSeconds * 1000 - 1);
  const third = await send(to, { otpLength: 4 });
  expect(await verify(third.maskId, third.code)).toMatchObject({ code: 'OTP_LOCKED', retryAfterSeconds: 1 });
  passbell.clock.advance(1);
  expect(await verify(third.maskId, third.code)).toMatchObject({ success: true });
});

it('wrong codes are counted for a day, even if a code with a shorter validity is sent later', async () => {
  const to = freshMail();
  const { expireTime } = await send(to, { otpLength: 4 });
  await send(to, { expiry: 1 });
  const db = passbell.openDatabase();
  const { expires_at } = await db('recipient_guesses').orderBy('id', 'desc').first();
  await db.destroy();
  expect(Number(expires_at)).toBeGreaterThanOrEqual(expireTime * 1000 + 90_000_000);
});

it('a session stored by an earlier version is treated as having a numeric code', async () => {
  const { maskId } = await send(freshMail(), { otp: '4711' });
  const db = passbell.openDatabase();
  await db('otp_sessions').where({ mask_id: maskId }).update({ code_space: null });
  await db('recipient_guesses').update({ risks: null });
  await db.destroy();
  for (let n = 0; n < 9; n++) expect(await verify(maskId, `wrong${n}`)).toMatchObject({ code: 'INVALID_OTP' });
  expect(await verify(maskId, '4711')).toMatchObject({ code: 'OTP_LOCKED' });
});
