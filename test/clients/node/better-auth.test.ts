/** clients/better-auth as it would be published, used in better-auth with SQLite. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Sqlite } from '../../../backend/src/platform/db/sqlite-driver.js';
import { createTestClock } from '../../support/clock.js';
import { root } from '../../support/process.js';
import { freshMail, freshPhone, startService, wrongCode, type Body, type TestService } from '../../support/service.js';

const toolbox = createRequire(join(root, '.cache/node-client/package.json'));
const load = (name: string): Promise<Body> => import(pathToFileURL(toolbox.resolve(name)).href);

const ORIGIN = 'http://shop.example';
/** The address that better-auth returns in development and in tests if it cannot determine one. */
const LOCALHOST = '127.0.0.1';

let passbell: TestService;
let auth: Body;
let isReachable = true;
/** Bodies of the plugin's calls to `sendotp`. */
const sends: Body[] = [];
beforeAll(async () => {
  // better-auth uses the system clock.
  passbell = await startService({}, { clock: createTestClock(Math.floor(Date.now() / 1000) * 1000) });
  const { Passbell } = toolbox('passbell');
  const { passbellEmailOTP, passbellPhoneNumber } = await load('passbell-better-auth');
  const { betterAuth } = await load('better-auth');
  const { getMigrations } = await load('better-auth/db/migration');
  const client = new Passbell({
    baseUrl: passbell.url,
    ...passbell.keys,
    maxRetries: 0,
    fetch(input: string, init: RequestInit) {
      if (input.endsWith('/sendotp')) sends.push(JSON.parse(init.body as string));
      return isReachable ? fetch(input, init) : Promise.reject(new TypeError('unreachable'));
    },
  });
  auth = betterAuth({
    baseURL: ORIGIN,
    secret: 'a secret that only this test has, and that protects nothing',
    database: new Sqlite(':memory:'),
    logger: { disabled: true },
    // Disables better-auth's log.
    onAPIError: { onError: () => undefined },
    telemetry: { enabled: false },
    advanced: { ipAddress: { trustedProxies: ['192.0.2.10'] } },
    emailAndPassword: { enabled: true },
    plugins: [
      passbellPhoneNumber(client, {
        signUpOnVerification: { getTempEmail: (number: string) => `${number.slice(1)}@phone.shop.example` },
      }),
      passbellEmailOTP(client, { otpLength: 8, expiresIn: 600, changeEmail: { enabled: true } }),
    ],
  });
  await (await getMigrations(auth.options)).runMigrations();
});
afterAll(() => passbell.stop());

async function post(path: string, body: object, cookie = '', more: Record<string, string> = {}): Promise<Body> {
  const headers = { 'Content-Type': 'application/json', Origin: ORIGIN, cookie, ...more };
  const request = new Request(`${ORIGIN}/api/auth${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const reply: Response = await auth.handler(request);
  return { ...((await reply.json()) as object), status: reply.status, headers: reply.headers };
}

const phone = {
  name: 'phone number',
  fresh: freshPhone,
  length: 6,
  expiryMinutes: 5,
  send: (to: string) => post('/phone-number/send-otp', { phoneNumber: to }),
  verify: (to: string, code: string) => post('/phone-number/verify', { phoneNumber: to, code }),
};
const email = {
  name: 'email address',
  fresh: freshMail,
  length: 8,
  expiryMinutes: 10,
  send: (to: string) => post('/email-otp/send-verification-otp', { email: to, type: 'sign-in' }),
  verify: (to: string, otp: string) => post('/sign-in/email-otp', { email: to, otp }),
};

describe.each([phone, email])('$name', ({ fresh, length, expiryMinutes, send, verify }) => {
  it('the correct code opens a session once; a wrong code does not', async () => {
    const to = fresh();
    expect(await send(to)).toMatchObject({ status: 200 });
    const code = await passbell.codeFor(to);
    expect(code).toHaveLength(length);
    expect(await verify(to, wrongCode(code))).toMatchObject({ status: 400, code: 'INVALID_OTP' });
    expect(await verify(fresh(), code)).toMatchObject({ status: 400, code: 'INVALID_OTP' });
    const session = await verify(to, code);
    expect(session).toMatchObject({ status: 200, token: expect.any(String), user: expect.any(Object) });
    expect([session.user.phoneNumber, session.user.email]).toContain(to);
    expect(session.headers.getSetCookie().join()).toContain('session_token');
    expect(await verify(to, code)).toMatchObject({ status: 400, code: 'INVALID_OTP' });
  });

  it('a used code stays used after a request for another code that is refused', async () => {
    const to = fresh();
    let code = '';
    for (let n = 0; n < 5; n++) {
      expect(await send(to)).toMatchObject({ status: 200 });
      code = await passbell.codeFor(to);
      expect(await verify(to, code)).toMatchObject({ status: 200 });
    }
    expect(await send(to)).toMatchObject({ status: 429, code: 'COOLDOWN', retryAfterSeconds: 600 });
    expect(await verify(to, code)).toMatchObject({ status: 400, code: 'INVALID_OTP' });
  });

  it('another code cannot be requested for 30 seconds; the first code stays valid', async () => {
    const to = fresh();
    await send(to);
    const code = await passbell.codeFor(to);
    const refused = await send(to);
    expect(refused).toMatchObject({ status: 429, code: 'COOLDOWN', retryAfterSeconds: 30 });
    expect(refused.headers.get('retry-after')).toBe('30');
    expect(await verify(to, code)).toMatchObject({ status: 200 });
  });

  it('only Passbell counts wrong codes, and locks the code', async () => {
    const to = fresh();
    await send(to);
    const code = await passbell.codeFor(to);
    for (let guess = 1; guess <= 5; guess++)
      expect(await verify(to, wrongCode(code, guess))).toMatchObject({ status: 400, code: 'INVALID_OTP' });
    const locked = await verify(to, code);
    expect(locked).toMatchObject({ status: 429, code: 'OTP_LOCKED', retryAfterSeconds: 60 });
    passbell.clock.advance(60_000);
    expect(await verify(to, code)).toMatchObject({ status: 200 });
  });

  it('the code expires at the time that Passbell returned', async () => {
    const to = fresh();
    await send(to);
    const code = await passbell.codeFor(to);
    passbell.clock.advance(expiryMinutes * 60_000);
    expect(await verify(to, code)).toMatchObject({ status: 400, code: 'OTP_EXPIRED' });
  });

  it('an invalid recipient causes a client error; an unreachable service causes a server error', async () => {
    expect((await send('not a recipient')).status).toBe(400);
    isReachable = false;
    const failed = await send(fresh());
    isReachable = true;
    const message = 'Codes are not available. Try again later.';
    expect(failed).toMatchObject({ status: 500, code: 'CONNECTION_FAILED', message });
  });
});

describe('other purposes', () => {
  async function signIn() {
    const to = freshMail();
    await email.send(to);
    const { headers } = await email.verify(to, await passbell.codeFor(to));
    return { to, cookie: headers.getSetCookie()[0].split(';')[0] };
  }

  it('a code for one purpose is rejected for another', async () => {
    const { to } = await signIn();
    await email.send(to);
    const otp = await passbell.codeFor(to);
    const reset = await post('/email-otp/reset-password', { email: to, otp, password: 'a new password' });
    expect(reset).toMatchObject({ status: 400, code: 'INVALID_OTP' });
    expect(await email.verify(to, otp)).toMatchObject({ status: 200 });
  });

  it('a code for a password reset can be checked first, and stays valid if the new password is rejected', async () => {
    const { to } = await signIn();
    await post('/email-otp/request-password-reset', { email: to });
    const otp = await passbell.codeFor(to);
    const reset = (code: string, password: string) =>
      post('/email-otp/reset-password', { email: to, otp: code, password });
    const check = { email: to, type: 'forget-password' };
    expect(await post('/email-otp/check-verification-otp', { ...check, otp })).toMatchObject({ status: 200 });
    expect(await reset(otp, 'short')).toMatchObject({ status: 400, code: 'PASSWORD_TOO_SHORT' });
    expect(await reset(otp, 'a new password')).toMatchObject({ status: 200 });
    expect(await reset(otp, 'another password')).toMatchObject({ status: 400, code: 'INVALID_OTP' });
    expect(await post('/sign-in/email', { email: to, password: 'a new password' })).toMatchObject({ status: 200 });
  });

  it('a code for a password reset is sent right after signing in', async () => {
    const { to } = await signIn();
    const before = await passbell.inbox(to);
    await post('/email-otp/request-password-reset', { email: to });
    expect(await passbell.inbox(to)).toHaveLength(before.length + 1);
    const body = { email: to, otp: await passbell.codeFor(to), password: 'a new password' };
    expect(await post('/email-otp/reset-password', body)).toMatchObject({ status: 200 });
  });

  it('a single wrong code invalidates a code that was accepted before', async () => {
    const { to } = await signIn();
    await post('/email-otp/request-password-reset', { email: to });
    const otp = await passbell.codeFor(to);
    const check = (code: string) =>
      post('/email-otp/check-verification-otp', { email: to, type: 'forget-password', otp: code });
    expect(await check(otp)).toMatchObject({ status: 200 });
    expect(await check(wrongCode(otp))).toMatchObject({ status: 400, code: 'INVALID_OTP' });
    expect(await check(otp)).toMatchObject({ status: 400, code: 'INVALID_OTP' });
  });

  it('requests for codes that are only sent to users do not reveal who is a user', async () => {
    const { to } = await signIn();
    for (const address of [to, to, freshMail()]) {
      const sent = await post('/email-otp/send-verification-otp', { email: address, type: 'forget-password' });
      expect(sent).toMatchObject({ status: 200, success: true });
    }
  });

  it('a code confirms a new email address', async () => {
    const { cookie } = await signIn();
    const newEmail = freshMail();
    expect(await post('/email-otp/request-email-change', { newEmail }, cookie)).toMatchObject({ status: 200 });
    const otp = await passbell.codeFor(newEmail);
    const change = (code: string) => post('/email-otp/change-email', { newEmail, otp: code }, cookie);
    expect(await change(wrongCode(otp))).toMatchObject({ status: 400, code: 'INVALID_OTP' });
    expect(await change(otp)).toMatchObject({ status: 200 });
  });

  it('a code for a password reset can be sent to a phone number', async () => {
    const to = freshPhone();
    await phone.send(to);
    await phone.verify(to, await passbell.codeFor(to));
    passbell.clock.advance(30_000);
    await post('/phone-number/request-password-reset', { phoneNumber: to });
    const otp = await passbell.codeFor(to);
    expect(await phone.verify(to, otp)).toMatchObject({ status: 400, code: 'INVALID_OTP' });
    const reset = await post('/phone-number/reset-password', { phoneNumber: to, otp, newPassword: 'a new password' });
    expect(reset).toMatchObject({ status: 200 });
  });
});

it("better-auth's own code is rejected", async () => {
  const to = freshMail();
  await email.send(to);
  const { otp } = await auth.api.getVerificationOTP({ query: { email: to, type: 'sign-in' } });
  expect(otp).toMatch(/^\d{32}$/);
  expect(await email.verify(to, otp)).toMatchObject({ status: 400 });
});

describe("the user's IP address", () => {
  const endpoints: [string, () => [string, object]][] = [
    ['a phone number', () => ['/phone-number/send-otp', { phoneNumber: freshPhone() }]],
    ['an email address', () => ['/email-otp/send-verification-otp', { email: freshMail(), type: 'sign-in' }]],
  ];

  it.each(endpoints)('is passed to the fraud guard with a code for %s', async (_name, request) => {
    // The user can forge all addresses to the left of the one that the trusted proxy saw.
    const headers = { 'X-Forwarded-For': '203.0.113.1, 198.51.100.7, 192.0.2.10' };
    expect(await post(...request(), '', headers)).toMatchObject({ status: 200 });
    expect(sends.at(-1)).toMatchObject({ clientIp: '198.51.100.7' });
  });

  it.each(endpoints)('is left out if no address can be trusted: %s', async (_name, request) => {
    expect(await post(...request(), '', { 'X-Forwarded-For': '192.0.2.10' })).toMatchObject({ status: 200 });
    expect(sends.at(-1)!.clientIp ?? LOCALHOST).toBe(LOCALHOST);
    // A call by the server itself, without a request.
    await auth.api.sendPhoneNumberOTP({ body: { phoneNumber: freshPhone() } });
    expect(sends.at(-1)).not.toHaveProperty('clientIp');
  });
});
