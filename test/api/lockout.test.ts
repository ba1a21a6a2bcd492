/** verifyOtp: what wrong codes lock, and for how long. */
import type { ApplicationChange, KeyPair } from '../../backend/src/modules/applications/applications-service.js';
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

const INVALID = { success: false, message: 'Invalid OTP', code: 'INVALID_OTP' };
const locked = (seconds: number) => ({
  success: false,
  message: `too many wrong codes, try again in ${seconds} seconds`,
  code: 'OTP_LOCKED',
  retryAfterSeconds: seconds,
});

interface Guessing {
  session: Body;
  wrong(times?: number): Promise<Body[]>;
  right(): Promise<Body>;
}

async function guessing(keys: KeyPair, to = freshPhone(), expiry = 60): Promise<Guessing> {
  const session = await passbell.send(to, { expiry }, { keys });
  const guess = (otp: string): Promise<Body> =>
    passbell.post('/auth/verifyotp', { maskId: session.maskId, otp }, { keys });
  return {
    session,
    async wrong(times = 1) {
      const replies = [];
      for (let i = 1; i <= times; i++) replies.push(await guess(wrongCode(session.code, i)));
      return replies;
    },
    right: () => guess(session.code),
  };
}

const application = (limits: ApplicationChange['limits'] = {}): Promise<KeyPair> =>
  passbell.application({ limits: { ...NO_SEND_LIMITS.limits, ...limits } });

describe('a session', () => {
  it('takes five wrong codes and then refuses right and wrong ones for 60 seconds', async () => {
    const { wrong, right } = await guessing(await application());
    expect(await wrong(5)).toEqual(Array(5).fill(INVALID));
    expect(await wrong()).toEqual([locked(60)]);
    expect(await right()).toEqual(locked(60));
    passbell.clock.advance(59_001);
    expect(await right()).toEqual(locked(1));
  });

  it('takes the right code after exactly the time that it told', async () => {
    const { wrong, right } = await guessing(await application());
    await wrong(5);
    passbell.clock.advance(20_500);
    const { retryAfterSeconds } = await right();
    expect(retryAfterSeconds).toBe(40);
    passbell.clock.advance(retryAfterSeconds * 1000);
    expect(await right()).toMatchObject({ success: true });
  });

  it('takes the right code as the fifth', async () => {
    const { wrong, right } = await guessing(await application());
    await wrong(4);
    expect(await right()).toMatchObject({ success: true });
  });

  it('is locked for 300 seconds after five more, and then until it expires', async () => {
    const { session, wrong, right } = await guessing(await application());
    await wrong(5);
    passbell.clock.advance(60_000);
    expect(await wrong(5)).toEqual(Array(5).fill(INVALID));
    expect(await right()).toEqual(locked(300));
    passbell.clock.advance(300_000);
    expect(await wrong(5)).toEqual(Array(5).fill(INVALID));
    expect(await right()).toEqual(locked(3600 - 360));
    passbell.clock.advance(session.expireTime * 1000 - passbell.clock.now() - 1);
    expect(await right()).toEqual(locked(1));
    passbell.clock.advance(1);
    expect(await right()).toMatchObject({ message: 'OTP has expired' });
  });

  it('takes the right code after the second lock', async () => {
    const { wrong, right } = await guessing(await application());
    await wrong(5);
    passbell.clock.advance(60_000);
    await wrong(5);
    passbell.clock.advance(300_000);
    expect(await right()).toMatchObject({ success: true });
  });

  it('does not count what it refuses during a lock', async () => {
    const { wrong, right } = await guessing(await application());
    await wrong(12);
    passbell.clock.advance(60_000);
    expect(await wrong(4)).toEqual(Array(4).fill(INVALID));
    expect(await right()).toMatchObject({ success: true });
  });

  it('does not lock another session of its recipient', async () => {
    const keys = await application();
    const to = freshPhone();
    const [first, second] = [await guessing(keys, to), await guessing(keys, to)];
    await first.wrong(5);
    expect(await first.right()).toEqual(locked(60));
    expect(await second.right()).toMatchObject({ success: true });
  });

  it('counts wrong codes of every form', async () => {
    const keys = await application();
    const { maskId, code } = await passbell.send(freshPhone(), { expiry: 60 }, { keys });
    for (const otp of ['x', 1, -1, '１２３４５６', `${code}0`])
      await passbell.post('/auth/verifyotp', { maskId, otp }, { keys });
    expect(await passbell.get('/auth/verifyotp', { maskId, otp: code }, { keys })).toEqual(locked(60));
  });

  it('does not count calls without a code', async () => {
    const keys = await application();
    const { maskId, code } = await passbell.send(freshPhone(), {}, { keys });
    for (const otp of [undefined, '', null, [code], { code }, true])
      await passbell.post('/auth/verifyotp', { maskId, otp }, { keys });
    expect(await passbell.post('/auth/verifyotp', { maskId, otp: code }, { keys })).toMatchObject({ success: true });
  });

  it('stays locked over a restart', async () => {
    const keys = await application();
    const { wrong, right } = await guessing(keys);
    await wrong(5);
    passbell = await passbell.restart();
    expect(await right()).toEqual(locked(60));
  });
});

describe('a recipient', () => {
  /** Twenty wrong codes, four on each of five sessions, so that no session is locked. */
  async function exhaust(keys: KeyPair, to: string, perSession = 4): Promise<void> {
    for (let i = 0; i < 20 / perSession; i++)
      expect(await (await guessing(keys, to)).wrong(perSession)).toEqual(Array(perSession).fill(INVALID));
  }

  it('is locked after 20 wrong codes over all of its sessions, for the hour that is counted', async () => {
    const keys = await application();
    const to = freshPhone();
    const early = await guessing(keys, to, 120);
    await exhaust(keys, to);
    expect(await early.right()).toEqual(locked(3600));
    const { retryAfterSeconds } = await (await guessing(keys, to)).right();
    expect(retryAfterSeconds).toBe(3600);
    passbell.clock.advance(retryAfterSeconds * 1000);
    expect(await early.right()).toMatchObject({ success: true });
  });

  it('gets no new guesses by a new send, another channel or another spelling', async () => {
    const keys = await application();
    const to = freshPhone();
    await exhaust(keys, to);
    expect(await (await guessing(keys, to.replace('+', ''))).right()).toEqual(locked(3600));
    const { maskId, code } = await passbell.send(to, { authWay: 'VOICE' }, { keys });
    expect(await passbell.post('/auth/verifyotp', { maskId, otp: code }, { keys })).toEqual(locked(3600));
  });

  it('shares its guesses with its plus-tags', async () => {
    const keys = await application();
    const to = freshMail();
    await exhaust(keys, to);
    expect(await (await guessing(keys, to.replace('@', '+tag@').toUpperCase())).right()).toEqual(locked(3600));
  });

  it('is not locked in another application, nor is another recipient', async () => {
    const keys = await application();
    const to = freshPhone();
    await exhaust(keys, to);
    expect(await (await guessing(keys)).right()).toMatchObject({ success: true });
    expect(await (await guessing(await application(), to)).right()).toMatchObject({ success: true });
  });

  it('is not charged for right codes', async () => {
    const keys = await application();
    const to = freshPhone();
    for (let i = 0; i < 25; i++) expect(await (await guessing(keys, to)).right()).toMatchObject({ success: true });
    await exhaust(keys, to);
  });

  it('never has more than 20 wrong codes judged in any hour', async () => {
    const keys = await application();
    const to = freshPhone();
    await (await guessing(keys, to)).wrong(1);
    passbell.clock.advance(3_540_000);
    for (let i = 0; i < 5; i++) await (await guessing(keys, to)).wrong(i === 4 ? 2 : 4);
    // The first one is more than an hour ago now; the eighteen others are two minutes old.
    passbell.clock.advance(120_000);
    const replies = [];
    for (let i = 0; i < 5; i++) replies.push(...(await (await guessing(keys, to)).wrong(4)));
    expect(replies.filter(({ code }) => code === 'INVALID_OTP').length).toBeLessThanOrEqual(2);
  });

  it('stays locked over a restart', async () => {
    const keys = await application();
    const to = freshPhone();
    await exhaust(keys, to);
    passbell = await passbell.restart();
    expect(await (await guessing(keys, to)).right()).toEqual(locked(3600));
  });
});

describe('the settings of an application', () => {
  it('change the number of guesses before a lock', async () => {
    const { wrong, right } = await guessing(await application({ wrongCodesPerLock: 2 }));
    expect(await wrong(3)).toEqual([INVALID, INVALID, locked(60)]);
    expect(await right()).toEqual(locked(60));
  });

  it('change the number of guesses on a recipient', async () => {
    const { wrong, right } = await guessing(await application({ wrongCodesPerHour: 3 }));
    expect(await wrong(4)).toEqual([INVALID, INVALID, INVALID, locked(3600)]);
    expect(await right()).toEqual(locked(3600));
  });

  it('switch both off with 0', async () => {
    const { wrong, right } = await guessing(await application({ wrongCodesPerLock: 0, wrongCodesPerHour: 0 }));
    expect(await wrong(30)).toEqual(Array(30).fill(INVALID));
    expect(await right()).toMatchObject({ success: true });
  });
});
