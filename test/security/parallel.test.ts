/** Many requests at one time: none of them gets more than the same requests in a row. */
import type { KeyPair } from '../../backend/src/modules/applications/applications-service.js';
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
/** May send as often as it wants; its lockout is as it is. */
let keys: KeyPair;
beforeAll(async () => {
  passbell = await startService();
  keys = await passbell.application(NO_SEND_LIMITS);
});
afterAll(() => passbell.stop());

const guess = (maskId: string, otp: string): Promise<Body> =>
  passbell.post('/auth/verifyotp', { maskId, otp }, { keys });
const together = <T>(times: number, work: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: times }, (_, n) => work(n)));
const withCode = (replies: Body[], code: string): Body[] => replies.filter((body) => body.code === code);
const successes = (replies: Body[]): Body[] => replies.filter(({ success }) => success);

it('judges 200 wrong codes at one time as often as 200 in a row: five times', async () => {
  const { maskId, code } = await passbell.send(freshPhone(), {}, { keys });
  const replies = await together(200, (n) => guess(maskId, wrongCode(code, n + 1)));
  expect(withCode(replies, 'INVALID_OTP')).toHaveLength(5);
  const locked = withCode(replies, 'OTP_LOCKED');
  expect(locked).toHaveLength(195);
  for (const { retryAfterSeconds } of locked) expect(retryAfterSeconds).toBe(60);
});

it('lets one of 100 right codes at one time succeed', async () => {
  const to = freshPhone();
  const { maskId, code } = await passbell.send(to, {}, { keys });
  const replies = await together(100, () => guess(maskId, code));
  expect(successes(replies)).toHaveLength(1);
  for (const reply of replies.filter(({ success }) => !success))
    expect(reply.code).toMatch(/^(INVALID_OTP|OTP_LOCKED)$/);
});

it('does not take right codes that came at one time for wrong ones of the recipient', async () => {
  const to = freshPhone();
  for (let round = 0; round < 6; round++) {
    const { maskId, code } = await passbell.send(to, {}, { keys });
    const replies = await together(10, () => guess(maskId, code));
    expect(successes(replies)).toHaveLength(1);
  }
});

it('finds no right code among 500 at one time once five were wrong', async () => {
  const { maskId, code } = await passbell.send(freshPhone(), {}, { keys });
  const wrong = together(250, (n) => guess(maskId, wrongCode(code, n + 1)));
  const right = together(250, () => guess(maskId, code));
  const replies = [...(await wrong), ...(await right)];
  expect(withCode(await wrong, 'INVALID_OTP').length).toBeLessThanOrEqual(5);
  expect(successes(replies).length).toBeLessThanOrEqual(1);
});

it('judges 20 guesses at one time over 15 sessions of a recipient', async () => {
  const to = freshMail();
  const sessions: Body[] = [];
  for (let i = 0; i < 15; i++)
    sessions.push(await passbell.send(i % 2 ? to : to.replace('@', `+${i}@`), { expiry: 60 }, { keys }));
  const replies = await together(15 * 8, (n) => {
    const { maskId, code } = sessions[n % 15]!;
    return guess(maskId, wrongCode(code, 1 + Math.floor(n / 15)));
  });
  expect(withCode(replies, 'INVALID_OTP')).toHaveLength(20);
  expect(withCode(replies, 'OTP_LOCKED')).toHaveLength(100);
});

it('lets one session of a recipient succeed when the codes of twenty come at one time', async () => {
  const to = freshPhone();
  const sessions: Body[] = [];
  for (let i = 0; i < 20; i++) sessions.push(await passbell.send(to, {}, { keys }));
  const replies = await together(20, (n) => guess(sessions[n]!.maskId, sessions[n]!.code));
  expect(successes(replies)).toHaveLength(1);
  // Nor does a second one later.
  for (const { maskId, code } of sessions) expect(await guess(maskId, code)).toMatchObject({ success: false });
});

it('makes one message of 50 sends to one recipient at one time, however it is spelled', async () => {
  const strict = await passbell.application({ limits: { burstPerSecond: 0, burstPerMinute: 0 } });
  const spellings = ['+14155550166', '0014155550166', '1 (415) 555-0166', '1-415-555-0166'];
  const replies = await together(50, (n) => passbell.post('/auth/sendotp', { to: spellings[n % 4] }, { keys: strict }));
  expect(successes(replies)).toHaveLength(1);
  for (const { code, retryAfterSeconds } of replies.filter(({ success }) => !success))
    expect({ code, retryAfterSeconds }).toEqual({ code: 'COOLDOWN', retryAfterSeconds: 30 });
  expect(await passbell.inbox('+14155550166')).toHaveLength(1);
});

it('makes one message of 50 sends under one Idempotency-Key at one time, by GET and by POST', async () => {
  const to = freshPhone();
  const options = { keys, headers: { 'Idempotency-Key': 'parallel' } };
  const replies = await together(50, (n) =>
    n % 2 ? passbell.post('/auth/sendotp', { to }, options) : passbell.get('/auth/sendotp', { to }, options),
  );
  expect(new Set(successes(replies).map((body) => body.data.results[0].maskId)).size).toBe(1);
  expect(await passbell.inbox(to)).toHaveLength(1);
});

it('sends as many as the burst limit allows when 60 recipients come at one time', async () => {
  const strict = await passbell.application();
  const replies = await together(60, () => passbell.post('/auth/sendotp', { to: freshPhone() }, { keys: strict }));
  expect(successes(replies)).toHaveLength(20);
  expect(withCode(replies, 'BURST_LIMIT')).toHaveLength(40);
});

it('numbers thirty new users at one time without a gap or a double', async () => {
  const fresh = await passbell.application(NO_LIMITS);
  const users = await together(30, async () => {
    const { maskId, code } = await passbell.send(freshPhone(), {}, { keys: fresh });
    return (await passbell.post('/auth/verifyotp', { maskId, otp: code }, { keys: fresh })).data.user;
  });
  const numbers = users.map((user) => user.userApplicationId).sort((a, b) => a - b);
  expect(numbers).toEqual(Array.from({ length: 30 }, (_, n) => n + 1));
});
