/** Parallel requests cannot exceed the limits that apply to sequential requests. */
import type { KeyPair } from '../../backend/src/modules/applications/application.js';
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
/** An application without send limits, but with the default lockout. */
let keys: KeyPair;
beforeAll(async () => {
  passbell = await startService();
  keys = await passbell.application(NO_SEND_LIMITS);
});
afterAll(() => passbell.stop());

const guess = (maskId: string, otp: string): Promise<Body> =>
  passbell.post('/auth/verifyotp', { maskId, otp }, { keys });
const inParallel = <T>(times: number, work: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: times }, (_, n) => work(n)));
const withCode = (replies: Body[], code: string): Body[] => replies.filter((body) => body.code === code);
const successes = (replies: Body[]): Body[] => replies.filter(({ success }) => success);

it('checks only five of 200 parallel wrong codes', async () => {
  const { maskId, code } = await passbell.send(freshPhone(), {}, { keys });
  const replies = await inParallel(200, (n) => guess(maskId, wrongCode(code, n + 1)));
  expect(withCode(replies, 'INVALID_OTP')).toHaveLength(5);
  const locked = withCode(replies, 'OTP_LOCKED');
  expect(locked).toHaveLength(195);
  for (const { retryAfterSeconds } of locked) expect(retryAfterSeconds).toBe(60);
});

it('counts 200 parallel requests with the same wrong code as one wrong code', async () => {
  const { maskId, code } = await passbell.send(freshPhone(), {}, { keys });
  const replies = await inParallel(200, () => guess(maskId, wrongCode(code)));
  expect(withCode(replies, 'INVALID_OTP')).toHaveLength(200);
  expect(replies.every(({ attemptsLeft }) => attemptsLeft === 4)).toBe(true);
});

it('checks at most five of 200 parallel requests that alternate between different wrong codes', async () => {
  const { maskId, code } = await passbell.send(freshPhone(), {}, { keys });
  const replies = await inParallel(200, (n) => guess(maskId, wrongCode(code, 1 + (n % 10))));
  const judged = new Set(withCode(replies, 'INVALID_OTP').map(({ attemptsLeft }) => attemptsLeft));
  expect(judged.size).toBe(5);
  expect(withCode(replies, 'OTP_LOCKED').length).toBeGreaterThan(0);
});

it('accepts only one of 100 parallel requests with the correct code', async () => {
  const to = freshPhone();
  const { maskId, code } = await passbell.send(to, {}, { keys });
  const replies = await inParallel(100, () => guess(maskId, code));
  expect(successes(replies)).toHaveLength(1);
  for (const reply of replies.filter(({ success }) => !success))
    expect(reply.code).toMatch(/^(INVALID_OTP|OTP_LOCKED)$/);
});

it('does not count rejected parallel requests with a correct code as wrong codes', async () => {
  const to = freshPhone();
  for (let round = 0; round < 6; round++) {
    const { maskId, code } = await passbell.send(to, {}, { keys });
    const replies = await inParallel(10, () => guess(maskId, code));
    expect(successes(replies)).toHaveLength(1);
  }
});

it('accepts at most one correct code among 500 parallel guesses', async () => {
  const { maskId, code } = await passbell.send(freshPhone(), {}, { keys });
  const wrong = inParallel(250, (n) => guess(maskId, wrongCode(code, n + 1)));
  const right = inParallel(250, () => guess(maskId, code));
  const replies = [...(await wrong), ...(await right)];
  expect(withCode(await wrong, 'INVALID_OTP').length).toBeLessThanOrEqual(5);
  expect(successes(replies).length).toBeLessThanOrEqual(1);
});

it("checks only 20 parallel guesses across a recipient's 15 sessions", async () => {
  const to = freshMail();
  const sessions: Body[] = [];
  for (let i = 0; i < 15; i++)
    sessions.push(await passbell.send(i % 2 ? to : to.replace('@', `+${i}@`), { expiry: 60 }, { keys }));
  const replies = await inParallel(15 * 8, (n) => {
    const { maskId, code } = sessions[n % 15]!;
    return guess(maskId, wrongCode(code, 1 + Math.floor(n / 15)));
  });
  expect(withCode(replies, 'INVALID_OTP')).toHaveLength(20);
  expect(withCode(replies, 'OTP_LOCKED')).toHaveLength(100);
});

it("accepts only one of 20 parallel correct codes for a recipient's 20 sessions", async () => {
  const to = freshPhone();
  const sessions: Body[] = [];
  for (let i = 0; i < 20; i++) sessions.push(await passbell.send(to, {}, { keys }));
  const replies = await inParallel(20, (n) => guess(sessions[n]!.maskId, sessions[n]!.code));
  expect(successes(replies)).toHaveLength(1);
  // One accepted code invalidates all codes of the recipient.
  for (const { maskId, code } of sessions) expect(await guess(maskId, code)).toMatchObject({ success: false });
});

it('creates only one message from 50 parallel sends to different formats of one number', async () => {
  const strict = await passbell.application({ limits: { burstPerSecond: 0, burstPerMinute: 0 } });
  const formats = ['+14155550166', '0014155550166', '1 (415) 555-0166', '1-415-555-0166'];
  const replies = await inParallel(50, (n) => passbell.post('/auth/sendotp', { to: formats[n % 4] }, { keys: strict }));
  expect(successes(replies)).toHaveLength(1);
  for (const { code, retryAfterSeconds } of replies.filter(({ success }) => !success))
    expect({ code, retryAfterSeconds }).toEqual({ code: 'COOLDOWN', retryAfterSeconds: 30 });
  expect(await passbell.inbox('+14155550166')).toHaveLength(1);
});

it('creates only one message from 50 parallel sends after 50 parallel verifications and reports of one code', async () => {
  const strict = await passbell.application({ limits: { burstPerSecond: 0, burstPerMinute: 0 } });
  const to = freshPhone();
  const { maskId, code } = await passbell.send(to, {}, { keys: strict });
  const headers = { 'Idempotency-Key': 'verification' };
  const verifications = await inParallel(50, (n) =>
    n % 2
      ? passbell.post('/auth/verifyotp', { maskId, otp: code }, { keys: strict, headers })
      : passbell.post('/auth/reportverified', { maskId }, { keys: strict }),
  );
  expect(successes(verifications)).toHaveLength(50);
  const sends = await inParallel(50, () => passbell.post('/auth/sendotp', { to }, { keys: strict }));
  expect(successes(sends)).toHaveLength(1);
  expect(withCode(sends, 'COOLDOWN')).toHaveLength(49);
  await inParallel(10, () => passbell.post('/auth/verifyotp', { maskId, otp: code }, { keys: strict, headers }));
  expect(await passbell.post('/auth/sendotp', { to }, { keys: strict })).toMatchObject({ code: 'COOLDOWN' });
});

it('creates only one message from 50 parallel GET and POST sends with the same Idempotency-Key', async () => {
  const to = freshPhone();
  const options = { keys, headers: { 'Idempotency-Key': 'parallel' } };
  const replies = await inParallel(50, (n) =>
    n % 2 ? passbell.post('/auth/sendotp', { to }, options) : passbell.get('/auth/sendotp', { to }, options),
  );
  expect(new Set(successes(replies).map((body) => body.data.results[0].maskId)).size).toBe(1);
  expect(await passbell.inbox(to)).toHaveLength(1);
});

it('applies the burst limit to parallel sends to 60 recipients', async () => {
  const strict = await passbell.application();
  const replies = await inParallel(60, () => passbell.post('/auth/sendotp', { to: freshPhone() }, { keys: strict }));
  expect(successes(replies)).toHaveLength(20);
  expect(withCode(replies, 'BURST_LIMIT')).toHaveLength(40);
});

it('assigns numbers to thirty parallel new users without gaps or duplicates', async () => {
  const newKeys = await passbell.application(NO_LIMITS);
  const users = await inParallel(30, async () => {
    const { maskId, code } = await passbell.send(freshPhone(), {}, { keys: newKeys });
    return (await passbell.post('/auth/verifyotp', { maskId, otp: code }, { keys: newKeys })).data.user;
  });
  const numbers = users.map((user) => user.userApplicationId).sort((a, b) => a - b);
  expect(numbers).toEqual(Array.from({ length: 30 }, (_, n) => n + 1));
});
