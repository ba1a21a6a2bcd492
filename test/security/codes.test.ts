/** Generated codes are random, and stay valid when the key is rotated. */
import { random } from '../../backend/src/platform/crypto.js';
import { freshPhone, startService, wrongCode, type Body, type TestService } from '../support/service.js';

describe('generated codes', () => {
  const SAMPLE_COUNT = 20_000;
  /**
   * The chi-square statistic for ten equally likely digits. With 9 degrees of freedom it exceeds 60 less than once in a
   * billion times.
   */
  const chiSquare = (counts: number[], total: number): number =>
    counts.reduce((sum, count) => sum + (count - total / 10) ** 2 / (total / 10), 0);

  it.each([4, 6, 10])(
    'with %i digits have uniformly distributed digits in every place, including leading zeros',
    (length) => {
      const counts = Array.from({ length }, () => Array<number>(10).fill(0));
      const codes = Array.from({ length: SAMPLE_COUNT }, () => random.digits(length));
      expect(codes.filter((code) => code.length !== length)).toEqual([]);
      for (const code of codes) [...code].forEach((digit, place) => counts[place]![Number(digit)]!++);
      for (const place of counts) expect(chiSquare(place, SAMPLE_COUNT)).toBeLessThan(60);
    },
  );

  it('almost never repeat', () => {
    const codes = new Set(Array.from({ length: 1000 }, () => random.digits(10)));
    expect(codes.size).toBeGreaterThan(998);
  });

  it('with ten digits use the whole range', () => {
    const numbers = Array.from({ length: 2000 }, () => Number(random.digits(10)));
    expect(Math.min(...numbers)).toBeLessThan(10 ** 10 / 50);
    expect(Math.max(...numbers)).toBeGreaterThan(10 ** 10 - 10 ** 10 / 50);
  });
});

describe('SECRET_KEY', () => {
  const OLD = 'old-key-'.repeat(5);
  const NEW = 'new-key-'.repeat(5);
  let passbell: TestService;
  afterEach(() => passbell.stop());
  const verify = (maskId: string, otp: string): Promise<Body> => passbell.post('/auth/verifyotp', { maskId, otp });

  it('can be rotated: codes, tokens and signing keys stay valid as long as it contains the old key', async () => {
    passbell = await startService({ SECRET_KEY: OLD, BASE_URL: 'https://otp.example' });
    const first = await passbell.send(freshPhone());
    const second = await passbell.send(freshPhone());
    const { token } = (await verify(first.maskId, first.code)).data;
    passbell = await passbell.restart({ SECRET_KEY: `${NEW},${OLD}` });
    expect(await passbell.post('/auth/verifytoken', { token })).toMatchObject({ success: true });
    expect(await verify(second.maskId, wrongCode(second.code))).toMatchObject({ message: 'Invalid OTP' });
    expect(await verify(second.maskId, second.code)).toMatchObject({ success: true });
    expect(await verify(first.maskId, first.code)).toMatchObject({ message: 'Invalid OTP' });
    const third = await passbell.send(freshPhone());
    expect(await verify(third.maskId, third.code)).toMatchObject({ success: true });
  });

  it('can be rotated while a message is queued', async () => {
    passbell = await startService({
      SECRET_KEY: OLD,
      DEV_INBOX: 'off',
      SMTP_URL: 'smtp://127.0.0.1:1',
      MAIL_FROM: 'a@b.example',
      SEND_WAIT_MS: '0',
    });
    const body = await passbell.post('/auth/sendotp', { to: 'ana@example.com' });
    expect(body).toMatchObject({ success: true });
    const inboxOnly = { SECRET_KEY: `${NEW},${OLD}`, DEV_INBOX: 'on', SMTP_URL: '', MAIL_FROM: '' };
    passbell = await passbell.restart(inboxOnly);
    for (let i = 0; (await passbell.inbox()).length === 0 && i < 100; i++) passbell.clock.advance(1000);
    const otp = await passbell.codeFor('ana@example.com');
    expect(await verify(body.data.results[0].maskId, otp)).toMatchObject({ success: true });
  });

  it('invalidates old codes if it is replaced without the old key; new codes work', async () => {
    passbell = await startService({ SECRET_KEY: OLD });
    const { maskId, code } = await passbell.send(freshPhone());
    passbell = await passbell.restart({ SECRET_KEY: NEW });
    expect(await verify(maskId, code)).toMatchObject({ success: false, message: 'Invalid OTP', code: 'INVALID_OTP' });
    const next = await passbell.send(freshPhone());
    expect(await verify(next.maskId, next.code)).toMatchObject({ success: true });
  });
});
