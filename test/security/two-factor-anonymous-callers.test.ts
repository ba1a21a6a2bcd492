/** Attacks by callers who know only the App Key and a user's email address, from the user's network or another one. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { CLEANUP_INTERVAL_MS } from '../../backend/src/core.js';
import { MAX_FAILURES } from '../../backend/src/modules/twofactor/second-factor.js';
import {
  codeAt,
  createPage,
  enrollUser,
  OTHER_BROWSER,
  signInToken,
  userToken,
  type EnrolledUser,
  type PageOptions,
  newWrongCode,
} from '../support/authenticator.js';
import { freshMail, NO_LIMITS, startService, type Body, type TestService } from '../support/service.js';

const MINUTE = 60_000;
const DAY = 86_400_000;
const USER_ADDRESS = '192.0.2.1';
const OTHER_ADDRESS = '192.0.2.2';

let passbell: TestService;
beforeAll(async () => {
  passbell = await startService({ TRUST_PROXY: '1' });
  await passbell.core.applications.service.update(OPERATOR, passbell.keys.appKey, NO_LIMITS);
});
afterAll(() => passbell.stop());

const now = () => passbell.clock.now();
const advance = (ms: number) => passbell.clock.advance(ms);
const TOKEN_FORMS = [
  ['a userToken', userToken],
  ['a sign-in token', signInToken],
] as const;
const signed = (identity: string, tokenOf = userToken) => ({
  userToken: tokenOf(passbell.keys.appSecret, identity, Math.floor(now() / 1000) + 600),
});
const page = (identity: string, options: PageOptions = {}) => createPage(passbell, identity, options);
const addressOf = (n: number) => `198.51.100.${n}`;

/** Sends wrong codes, five from each IP address, until the identity is blocked for unknown callers. */
async function exhaust(identity: string, options: PageOptions = {}): Promise<Body[]> {
  const replies: Body[] = [];
  for (let n = 0; n < MAX_FAILURES.unknown; n++)
    replies.push(
      await page(identity, { address: addressOf(Math.floor(n / 5)), browser: null, ...options }).verify(newWrongCode()),
    );
  return replies;
}

/** Advances the clock until the clean-up has run and `done` returns true. */
async function cleanUpUntil(done: () => Promise<boolean>): Promise<void> {
  for (let runs = 0; runs < 100 && !(await done()); runs++) {
    advance(CLEANUP_INTERVAL_MS);
    await passbell.get('/auth/authentication');
  }
  expect(await done()).toBe(true);
}

async function count(table: string, where: object): Promise<number> {
  const db = passbell.openDatabase();
  const [row] = await db(table).where(where).count({ rows: '*' });
  await db.destroy();
  return Number(row!.rows);
}

describe('an anonymous caller with the same address and User-Agent', () => {
  it.each([
    ['the widget', undefined],
    ['a custom page', null],
  ])('does not see the secret that a user of %s is about to confirm', async (_who, browser) => {
    const identity = freshMail();
    const mine = await page(identity, {
      browser: browser === undefined ? 'nonce-of-the-users-browser' : null,
    }).enable();
    for (const other of [null, OTHER_BROWSER]) {
      const theirs = await page(identity, { browser: other }).enable();
      expect(theirs.manualKey).not.toBe(mine.manualKey);
      expect(theirs.maskId).not.toBe(mine.maskId);
    }
  });

  it('cannot turn two-factor off or replace the factor after the user has entered a code', async () => {
    for (const browser of ['nonce-of-the-users-browser', null]) {
      const user = await enrollUser(passbell, freshMail(), { browser });
      await user.page.verify(user.nextCode());
      for (const other of [null, OTHER_BROWSER])
        for (const name of ['enable2fa', 'disable2fa'])
          expect(await page(user.identity, { browser: other }).call(name)).toMatchObject({ code: 'PROOF_REQUIRED' });
      expect(await user.page.state()).toBe(true);
    }
  });
});

describe('an API caller without a browser nonce', () => {
  const bare = (identity: string, address = USER_ADDRESS) => page(identity, { browser: null, address });

  it('may have several enrollments; the first confirmed enrollment takes effect', async () => {
    const identity = freshMail();
    const first = await bare(identity).enable();
    const second = await bare(identity).enable();
    expect(await bare(identity).verify(codeAt(first.manualKey, now()))).toMatchObject({ success: true });
    advance(MINUTE);
    expect(await bare(identity).verify(codeAt(second.manualKey, now()))).toMatchObject({ code: 'INVALID_OTP' });
    const late = { maskId: second.maskId };
    expect(await bare(identity).verify(codeAt(second.manualKey, now()), late)).toMatchObject({ code: 'INVALID_OTP' });
    expect(await bare(identity).verify(codeAt(first.manualKey, now()))).toMatchObject({ success: true });
  });

  it('can read its enrollment with the maskId until it expires, like anyone who knows the maskId', async () => {
    const identity = freshMail();
    const first = await bare(identity).enable();
    const { maskId } = first;
    expect(await bare(identity, OTHER_ADDRESS).enable({ maskId: maskId.toUpperCase() })).toEqual(first);
    expect((await bare(freshMail()).enable({ maskId })).manualKey).not.toBe(first.manualKey);
    advance(10 * MINUTE);
    expect((await bare(identity).enable({ maskId })).manualKey).not.toBe(first.manualKey);
  });

  it('can confirm an enrollment by its maskId, regardless of how many enrollments anonymous callers start', async () => {
    const identity = freshMail();
    const { manualKey, maskId } = await bare(identity).enable();
    for (let n = 0; n < 8; n++) await bare(identity).enable();
    expect(await bare(identity).verify(codeAt(manualKey, now()), { maskId })).toMatchObject({ success: true });
  });

  it('gets an error for an expired QR code', async () => {
    const identity = freshMail();
    const { manualKey } = await bare(identity).enable();
    advance(10 * MINUTE);
    expect(await bare(identity).verify(codeAt(manualKey, now()))).toMatchObject({ code: 'ENROLMENT_EXPIRED' });
  });
});

describe('an anonymous caller with wrong codes', () => {
  let user: EnrolledUser;
  beforeEach(async () => void (user = await enrollUser(passbell, freshMail(), { address: USER_ADDRESS })));
  const lock = async (options: PageOptions) => {
    for (let n = 0; n < 5; n++) await page(user.identity, options).verify(newWrongCode());
    expect(await page(user.identity, options).verify(newWrongCode())).toMatchObject({ code: 'OTP_LOCKED' });
  };

  it("does not lock the user's browser, even from the same network", async () => {
    await lock({ address: USER_ADDRESS, browser: OTHER_BROWSER });
    expect(await user.page.verify(user.nextCode())).toMatchObject({ success: true });
  });

  it.each(TOKEN_FORMS)(
    "does not lock the user's new browser in another network, or in the same network with %s",
    async (_form, tokenOf) => {
      await lock({ address: OTHER_ADDRESS, browser: null });
      const phone = page(user.identity, { address: USER_ADDRESS, browser: 'nonce-of-a-new-browser' });
      expect(await phone.verify(user.nextCode())).toMatchObject({ success: true });
      const vouched = page(user.identity, {
        address: OTHER_ADDRESS,
        browser: 'nonce-of-a-newer-browser',
        more: signed(user.identity, tokenOf),
      });
      expect(await vouched.verify(user.nextCode())).toMatchObject({ success: true });
    },
  );

  it('is locked for longer each time', async () => {
    const waits: number[] = [];
    const anonymousCaller = page(user.identity, { address: OTHER_ADDRESS, browser: null });
    for (let locks = 0; locks < 8; locks++) {
      for (let n = 0; n < 5; n++)
        expect(await anonymousCaller.verify(newWrongCode())).toMatchObject({ code: 'INVALID_OTP' });
      const { retryAfterSeconds } = await anonymousCaller.verify(newWrongCode());
      waits.push(retryAfterSeconds);
      advance(retryAfterSeconds * 1000);
    }
    expect(waits).toEqual([900, 1800, 3600, 7200, 14_400, 28_800, 57_600, 86_400]);
  });

  it('has 40 guesses in total, regardless of the number of networks and the time between guesses', async () => {
    const addresses = Array.from({ length: 12 }, (_, n) => addressOf(n));
    const guesses = addresses.flatMap((address) =>
      Array.from({ length: 5 }, () => page(user.identity, { address, browser: null }).verify(newWrongCode())),
    );
    const codes = (await Promise.all(guesses)).map(({ code }) => code);
    expect(codes.filter((code) => code === 'INVALID_OTP')).toHaveLength(MAX_FAILURES.unknown);
    expect(codes.filter((code) => code === 'TWO_FACTOR_BLOCKED')).toHaveLength(20);
    advance(100 * DAY);
    await passbell.get('/auth/authentication');
    const right = codeAt(user.manualKey, now());
    expect(await page(user.identity, { address: OTHER_ADDRESS, browser: null }).verify(right)).toMatchObject({
      success: false,
      code: 'TWO_FACTOR_BLOCKED',
      message: 'Too many wrong codes. Use a recovery code, or ask the site to reset two-factor',
    });
  });

  it('cannot prevent the user from using a known browser, a userToken, a recovery code or a reset', async () => {
    const isBlocked = async () => {
      const { code } = await page(user.identity, { address: OTHER_ADDRESS, browser: null }).verify(newWrongCode());
      return code === 'TWO_FACTOR_BLOCKED';
    };
    await exhaust(user.identity);
    expect(await isBlocked()).toBe(true);
    expect(await user.page.verify(user.nextCode())).toMatchObject({ success: true });
    advance(2 * DAY);
    await exhaust(user.identity);
    expect(await isBlocked()).toBe(true);
    const vouched = page(user.identity, { address: OTHER_ADDRESS, browser: null, more: signed(user.identity) });
    expect(await vouched.verify(user.nextCode())).toMatchObject({ success: true });
    advance(2 * DAY);
    await exhaust(user.identity);
    expect(await isBlocked()).toBe(true);
    const phone = page(user.identity, { address: OTHER_ADDRESS, browser: 'nonce-of-a-new-browser' });
    expect(await phone.verify(user.recoveryCodes[0])).toMatchObject({ success: true });
    advance(2 * DAY);
    await exhaust(user.identity);
    await passbell.post('/auth/reset2fa', { identity: user.identity });
    await enrollUser(passbell, user.identity, { address: OTHER_ADDRESS, browser: 'nonce-of-a-newer-browser' });
  });

  it('does not prevent a user from setting up two-factor', async () => {
    const identity = freshMail();
    await exhaust(identity);
    const { page: enrolled } = await enrollUser(passbell, identity, { address: USER_ADDRESS });
    expect(await enrolled.state()).toBe(true);
  });

  it('has at most 100 guesses in total, even with known browsers and userTokens', async () => {
    const guessesOf = async (optionsOf: (n: number) => PageOptions) => {
      for (let n = 0, guesses = 0; n < 100; n++) {
        const reply = await page(user.identity, { address: addressOf(n), ...optionsOf(n) }).verify(newWrongCode());
        if (reply.code === 'INVALID_OTP') guesses++;
        if (reply.code === 'OTP_LOCKED') advance(reply.retryAfterSeconds * 1000);
        if (reply.code === 'TWO_FACTOR_BLOCKED') return guesses;
      }
      throw new Error('not blocked');
    };
    const guesses = [
      await guessesOf(() => ({ browser: null })),
      await guessesOf((n) => ({ browser: null, more: signed(user.identity, n % 2 ? userToken : signInToken) })),
      await guessesOf(() => ({ browser: 'nonce-of-the-users-browser' })),
    ];
    expect(guesses).toEqual([40, 40, 20]);
    advance(DAY);
    expect(await user.page.verify(user.nextCode())).toMatchObject({ code: 'TWO_FACTOR_BLOCKED' });
    expect(await user.page.verify(user.recoveryCodes[0])).toMatchObject({ success: true });
    expect(await user.page.verify(user.nextCode())).toMatchObject({ success: true });
  });
});

describe('look-ups of two-factor states', () => {
  it.each(TOKEN_FORMS)('are limited to a few users per hour and IP address, except with %s', async (_form, tokenOf) => {
    const keys = await passbell.application({ limits: { widgetIdentitiesPerHour: 3, widgetCallsPerMinute: 0 } });
    const state = (identity: string, address: string, more = {}) =>
      page(identity, { keys, address, browser: null, more }).call('authstate');
    const [known, ...others] = [freshMail(), freshMail(), freshMail()];
    for (const identity of [known!, ...others, known!.toUpperCase(), known!])
      expect(await state(identity, USER_ADDRESS)).toMatchObject({ success: true });
    const fourth = freshMail();
    expect(await state(fourth, USER_ADDRESS)).toMatchObject({ code: 'TOO_MANY_CALLS', retryAfterSeconds: 3600 });
    expect(await state(known!, USER_ADDRESS)).toMatchObject({ success: true });
    expect(await state(fourth, OTHER_ADDRESS)).toMatchObject({ success: true });
    const token = tokenOf(keys.appSecret, fourth, Math.floor(now() / 1000) + 600);
    expect(await state(fourth, USER_ADDRESS, { userToken: token })).toMatchObject({ success: true });
    advance(60 * MINUTE);
    expect(await state(fourth, USER_ADDRESS)).toMatchObject({ success: true });
  });
});

describe('the clean-up', () => {
  const factorOf = (identity: string) => count('two_factors', { identity });
  const userOf = (identity: string) => count('users', { identity: `:${identity}` });

  it('deletes an unused factor that an anonymous caller may have created, and its user', async () => {
    const abandoned = freshMail();
    const used = freshMail();
    const vouched = freshMail();
    const signedIn = freshMail();
    await enrollUser(passbell, abandoned);
    await enrollUser(passbell, vouched, { more: signed(vouched) });
    await enrollUser(passbell, signedIn, { more: signed(signedIn, signInToken) });
    const returning = await enrollUser(passbell, used);
    advance(2 * DAY);
    await returning.page.verify(returning.nextCode());
    expect([await factorOf(abandoned), await userOf(abandoned)]).toEqual([1, 1]);
    advance(181 * DAY);
    await cleanUpUntil(async () => (await factorOf(abandoned)) === 0);
    expect(await userOf(abandoned)).toBe(0);
    expect([await factorOf(used), await factorOf(vouched), await factorOf(signedIn)]).toEqual([1, 1, 1]);
    expect(await userOf(used)).toBe(1);
  });

  it('deletes failed attempts and unconfirmed enrollments of identities without two-factor', async () => {
    const identity = freshMail();
    await page(identity).enable();
    await page(identity).verify(newWrongCode());
    expect(await count('two_factor_enrolments', { identity })).toBe(1);
    expect(await count('two_factor_failures', { identity })).toBe(2);
    advance(3 * DAY);
    const rows = async () =>
      (await count('two_factor_enrolments', { identity })) + (await count('two_factor_failures', { identity }));
    await cleanUpUntil(async () => (await rows()) === 0);
  });
});
