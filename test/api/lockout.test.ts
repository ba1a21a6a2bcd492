/** verifyOtp: locks after wrong codes. */
import { durationText } from '../../backend/src/platform/clock.js';
import type { ApplicationChange } from '../../backend/src/modules/applications/application-change.js';
import type { KeyPair } from '../../backend/src/modules/applications/application.js';
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

const INVALID_OTP = { success: false, message: 'Invalid OTP', code: 'INVALID_OTP' };
const locked = (seconds: number) => ({
  success: false,
  message: `Too many wrong codes. Try again in ${durationText(seconds)}`,
  code: 'OTP_LOCKED',
  retryAfterSeconds: seconds,
});

interface Guesser {
  session: Body;
  guessWrong(times?: number): Promise<Body[]>;
  guessRight(): Promise<Body>;
}

async function startGuessing(keys: KeyPair, to = freshPhone(), expiry = 60): Promise<Guesser> {
  const session = await passbell.send(to, { expiry }, { keys });
  const guess = (otp: string): Promise<Body> =>
    passbell.post('/auth/verifyotp', { maskId: session.maskId, otp }, { keys });
  return {
    session,
    async guessWrong(times = 1) {
      const replies = [];
      for (let i = 1; i <= times; i++) replies.push(await guess(wrongCode(session.code, i)));
      return replies;
    },
    guessRight: () => guess(session.code),
  };
}

const application = (limits: ApplicationChange['limits'] = {}): Promise<KeyPair> =>
  passbell.application({ limits: { ...NO_SEND_LIMITS.limits, ...limits } });

describe('a session', () => {
  it('says after the last attempt how long it is locked', async () => {
    const { guessWrong } = await startGuessing(await application());
    const replies = await guessWrong(5);
    for (const reply of replies.slice(0, 4)) expect(reply).not.toHaveProperty('lockedForSeconds');
    expect(replies[4]).toMatchObject({
      message: 'Invalid OTP',
      attemptsLeft: 0,
      lockedForSeconds: 60,
      hint: 'Too many wrong codes. Try again in 60 seconds.',
    });
    // The same code can never succeed, so clients must not repeat it.
    expect(replies[4]).not.toHaveProperty('retryAfterSeconds');
  });

  it('rejects correct and wrong codes for 60 seconds after five wrong codes', async () => {
    const { guessWrong, guessRight } = await startGuessing(await application());
    expect(await guessWrong(5)).toMatchObject(
      [4, 3, 2, 1, 0].map((attemptsLeft) => ({ ...INVALID_OTP, attemptsLeft })),
    );
    expect(await guessWrong()).toMatchObject([locked(60)]);
    expect(await guessRight()).toMatchObject(locked(60));
    passbell.clock.advance(59_001);
    expect(await guessRight()).toMatchObject(locked(1));
  });

  it('accepts the correct code after exactly retryAfterSeconds', async () => {
    const { guessWrong, guessRight } = await startGuessing(await application());
    await guessWrong(5);
    passbell.clock.advance(20_500);
    const { retryAfterSeconds } = await guessRight();
    expect(retryAfterSeconds).toBe(40);
    passbell.clock.advance(retryAfterSeconds * 1000);
    expect(await guessRight()).toMatchObject({ success: true });
  });

  it('accepts the correct code on the fifth attempt', async () => {
    const { guessWrong, guessRight } = await startGuessing(await application());
    await guessWrong(4);
    expect(await guessRight()).toMatchObject({ success: true });
  });

  it('is locked for 300 seconds after five more wrong codes, and then until it expires', async () => {
    const { session, guessWrong, guessRight } = await startGuessing(await application());
    await guessWrong(5);
    passbell.clock.advance(60_000);
    expect(await guessWrong(5)).toMatchObject(Array(5).fill(INVALID_OTP));
    expect(await guessRight()).toMatchObject(locked(300));
    passbell.clock.advance(300_000);
    expect(await guessWrong(5)).toMatchObject(Array(5).fill(INVALID_OTP));
    expect(await guessRight()).toMatchObject(locked(3600 - 360));
    passbell.clock.advance(session.expireTime * 1000 - passbell.clock.now() - 1);
    expect(await guessRight()).toMatchObject(locked(1));
    passbell.clock.advance(1);
    expect(await guessRight()).toMatchObject({ message: 'OTP has expired' });
  });

  it('accepts the correct code after the second lock', async () => {
    const { guessWrong, guessRight } = await startGuessing(await application());
    await guessWrong(5);
    passbell.clock.advance(60_000);
    await guessWrong(5);
    passbell.clock.advance(300_000);
    expect(await guessRight()).toMatchObject({ success: true });
  });

  it('does not count attempts during a lock', async () => {
    const { guessWrong, guessRight } = await startGuessing(await application());
    await guessWrong(12);
    passbell.clock.advance(60_000);
    expect(await guessWrong(4)).toMatchObject(Array(4).fill(INVALID_OTP));
    expect(await guessRight()).toMatchObject({ success: true });
  });

  it("leaves the recipient's other sessions unlocked when it is locked", async () => {
    const keys = await application();
    const to = freshPhone();
    const first = await startGuessing(keys, to);
    const second = await startGuessing(keys, to);
    await first.guessWrong(5);
    expect(await first.guessRight()).toMatchObject(locked(60));
    expect(await second.guessRight()).toMatchObject({ success: true });
  });

  it('counts wrong codes in every format', async () => {
    const keys = await application();
    const { maskId, code } = await passbell.send(freshPhone(), { expiry: 60 }, { keys });
    for (const otp of ['x', 1, -1, '１２３４５６', `${code}0`])
      await passbell.post('/auth/verifyotp', { maskId, otp }, { keys });
    expect(await passbell.get('/auth/verifyotp', { maskId, otp: code }, { keys })).toMatchObject(locked(60));
  });

  it('does not count calls without a code', async () => {
    const keys = await application();
    const { maskId, code } = await passbell.send(freshPhone(), {}, { keys });
    for (const otp of [undefined, '', null, [code], { code }, true])
      await passbell.post('/auth/verifyotp', { maskId, otp }, { keys });
    expect(await passbell.post('/auth/verifyotp', { maskId, otp: code }, { keys })).toMatchObject({ success: true });
  });

  it('stays locked after a restart', async () => {
    const keys = await application();
    const { guessWrong, guessRight } = await startGuessing(keys);
    await guessWrong(5);
    passbell = await passbell.restart();
    expect(await guessRight()).toMatchObject(locked(60));
  });
});

describe('a recipient', () => {
  /** Enters twenty wrong codes, four for each of five codes, so that no code is locked. */
  async function exhaust(keys: KeyPair, to: string, perSession = 4): Promise<void> {
    for (let i = 0; i < 20 / perSession; i++)
      expect(await (await startGuessing(keys, to)).guessWrong(perSession)).toMatchObject(
        Array(perSession).fill(INVALID_OTP),
      );
  }

  it('is locked for an hour after 20 wrong codes across all of its sessions', async () => {
    const keys = await application();
    const to = freshPhone();
    const early = await startGuessing(keys, to, 120);
    await exhaust(keys, to);
    expect(await early.guessRight()).toMatchObject(locked(3600));
    const { retryAfterSeconds } = await (await startGuessing(keys, to)).guessRight();
    expect(retryAfterSeconds).toBe(3600);
    passbell.clock.advance(retryAfterSeconds * 1000);
    expect(await early.guessRight()).toMatchObject({ success: true });
  });

  it('stays locked after a new send, on other channels and for other formats of the number', async () => {
    const keys = await application();
    const to = freshPhone();
    await exhaust(keys, to);
    expect(await (await startGuessing(keys, to.replace('+', ''))).guessRight()).toMatchObject(locked(3600));
    const { maskId, code } = await passbell.send(to, { authWay: 'VOICE' }, { keys });
    expect(await passbell.post('/auth/verifyotp', { maskId, otp: code }, { keys })).toMatchObject(locked(3600));
  });

  it('shares its limit with plus-tagged variants of its address', async () => {
    const keys = await application();
    const to = freshMail();
    await exhaust(keys, to);
    expect(await (await startGuessing(keys, to.replace('@', '+tag@').toUpperCase())).guessRight()).toMatchObject(
      locked(3600),
    );
  });

  it('is not locked in other applications, and does not lock other recipients', async () => {
    const keys = await application();
    const to = freshPhone();
    await exhaust(keys, to);
    expect(await (await startGuessing(keys)).guessRight()).toMatchObject({ success: true });
    expect(await (await startGuessing(await application(), to)).guessRight()).toMatchObject({ success: true });
  });

  it('is not locked by correct codes', async () => {
    const keys = await application();
    const to = freshPhone();
    for (let i = 0; i < 25; i++)
      expect(await (await startGuessing(keys, to)).guessRight()).toMatchObject({ success: true });
    await exhaust(keys, to);
  });

  it('is limited to 20 wrong codes in any hour', async () => {
    const keys = await application();
    const to = freshPhone();
    await (await startGuessing(keys, to)).guessWrong(1);
    passbell.clock.advance(3_540_000);
    for (let i = 0; i < 5; i++) await (await startGuessing(keys, to)).guessWrong(i === 4 ? 2 : 4);
    // The first guess is now more than an hour old; the eighteen later guesses are two minutes old.
    passbell.clock.advance(120_000);
    const replies = [];
    for (let i = 0; i < 5; i++) replies.push(...(await (await startGuessing(keys, to)).guessWrong(4)));
    expect(replies.filter(({ code }) => code === 'INVALID_OTP').length).toBeLessThanOrEqual(2);
  });

  it('stays locked after a restart', async () => {
    const keys = await application();
    const to = freshPhone();
    await exhaust(keys, to);
    passbell = await passbell.restart();
    expect(await (await startGuessing(keys, to)).guessRight()).toMatchObject(locked(3600));
  });
});

describe('application limits', () => {
  it('set the number of wrong codes before a lock', async () => {
    const { guessWrong, guessRight } = await startGuessing(await application({ wrongCodesPerLock: 2 }));
    expect(await guessWrong(3)).toMatchObject([INVALID_OTP, INVALID_OTP, locked(60)]);
    expect(await guessRight()).toMatchObject(locked(60));
  });

  it('set the number of wrong codes for a recipient', async () => {
    const { guessWrong, guessRight } = await startGuessing(await application({ wrongCodesPerHour: 3 }));
    const [first, second, third, fourth] = await guessWrong(4);
    expect([first, second, third]).toMatchObject([2, 1, 0].map((attemptsLeft) => ({ ...INVALID_OTP, attemptsLeft })));
    expect(fourth).toMatchObject(locked(3600));
    expect(await guessRight()).toMatchObject(locked(3600));
  });

  it('turn off both locks if set to 0', async () => {
    const { guessWrong, guessRight } = await startGuessing(
      await application({ wrongCodesPerLock: 0, wrongCodesPerHour: 0 }),
    );
    expect(await guessWrong(30)).toMatchObject(Array(30).fill(INVALID_OTP));
    expect(await guessRight()).toMatchObject({ success: true });
  });
});
