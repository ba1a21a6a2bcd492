/** Attacks with userTokens: forged tokens, and sign-in tokens read from the page that asks for the second factor. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import {
  createPage,
  enrollUser,
  OTHER_BROWSER,
  signInToken,
  userToken,
  type EnrolledUser,
  newWrongCode,
  newWrongRecoveryCode,
} from '../support/authenticator.js';
import { freshMail, NO_LIMITS, startService, type Body, type TestService } from '../support/service.js';

const ACTIONS = ['authstate', 'enable2fa', 'verifyotp', 'disable2fa'];

let passbell: TestService;
beforeAll(async () => {
  passbell = await startService({ TRUST_PROXY: '1' });
  await passbell.core.applications.service.update(OPERATOR, passbell.keys.appKey, NO_LIMITS);
});
afterAll(() => passbell.stop());

const advance = (ms: number) => passbell.clock.advance(ms);
const seconds = () => Math.floor(passbell.clock.now() / 1000);

describe('an attacker who knows the password and reads the sign-in token from the page that asks for the code', () => {
  const strict = async () => passbell.application({ ...NO_LIMITS, settings: { strictTwoFactor: true } });
  type TokenOf = typeof userToken;
  const tokenFor = (tokenOf: TokenOf, identity: string, { appSecret } = passbell.keys) => ({
    userToken: tokenOf(appSecret, identity, seconds() + 600),
  });

  it.each([
    ['strict mode', strict],
    ['an application without strict mode', async () => passbell.keys],
  ])('cannot turn the second factor off or replace it with a sign-in token, in %s', async (_mode, keysOf) => {
    const keys = await keysOf();
    const identity = freshMail();
    const more = tokenFor(signInToken, identity, keys);
    const victim = await enrollUser(passbell, identity, { keys, more });
    for (const browser of [OTHER_BROWSER, null]) {
      const attacker = createPage(passbell, identity, { keys, browser, more });
      expect(await attacker.state()).toBe(true);
      for (const name of ['disable2fa', 'enable2fa']) {
        expect(await attacker.call(name)).toMatchObject({ success: false, code: 'PROOF_REQUIRED' });
        expect(await attacker.call(name, { otp: '000000' })).toMatchObject({ success: false, code: 'INVALID_OTP' });
      }
    }
    expect(await victim.page.verify(victim.nextCode())).toMatchObject({ success: true });
    // The code was verified by another browser.
    expect(await createPage(passbell, identity, { keys, browser: OTHER_BROWSER, more }).disable()).toMatchObject({
      code: 'PROOF_REQUIRED',
    });
    expect(await victim.page.state()).toBe(true);
  });

  it('a caller with a full token, which sites issue only after the second factor, can turn off or replace the factor', async () => {
    const keys = await strict();
    for (const name of ['disable2fa', 'enable2fa']) {
      const identity = freshMail();
      await enrollUser(passbell, identity, { keys, more: tokenFor(signInToken, identity, keys) });
      const more = tokenFor(userToken, identity, keys);
      const full = createPage(passbell, identity, { keys, browser: OTHER_BROWSER, more });
      expect(await full.call(name)).toMatchObject({ success: true });
    }
  });

  it("cannot use a sign-in token's signature for a full token, or vice versa", async () => {
    const identity = freshMail();
    const parts = (token: { userToken: string }) => token.userToken.split('.');
    const [expires, form, signature] = parts(tokenFor(signInToken, identity));
    const [, fullSignature] = parts(tokenFor(userToken, identity));
    const send = (token: string) => createPage(passbell, identity).call('authstate', { userToken: token });
    expect(await send(`${expires}.${form}.${signature}`)).toMatchObject({ success: true });
    for (const token of [
      `${expires}.${signature}`,
      `${expires}.sign-in.${fullSignature}`,
      `${expires}.Sign-In.${signature}`,
      `${expires}..${signature}`,
      `${expires}.sign-in.sign-in.${signature}`,
      `sign-in.${signature}`,
    ])
      expect([token, await send(token)]).toEqual([token, expect.objectContaining({ code: 'INVALID_USER_TOKEN' })]);
  });

  it('cannot turn one kind of token into the other by adding line feeds to the identity or the expiry', async () => {
    const victim = await enrollUser(passbell, freshMail());
    const expires = seconds() + 600;
    const { identity } = victim;
    const { appSecret } = passbell.keys;
    const signature = (token: string) => token.slice(token.lastIndexOf('.') + 1);
    const signIn = signature(signInToken(appSecret, identity, expires));
    // Signed by a site that lets users choose the identity.
    const chosen = signature(userToken(appSecret, `${identity}\n${expires}`, expires));
    const attempts = [
      { identity: `${identity}\n${expires}`, userToken: `sign-in.${signIn}` },
      { identity, userToken: `${expires}\nsign-in.${signIn}` },
      { identity, userToken: `${expires}\n.sign-in.${signIn}` },
      { identity, userToken: `${expires}\n${expires}.${chosen}` },
      { identity, userToken: `${expires}.sign-in.${chosen}` },
      { identity: `${identity}\n${expires}`, userToken: `${expires}.${chosen}` },
      { identity: `${identity}\n`, userToken: `${expires}.${signIn}` },
    ];
    for (const attempt of attempts) {
      const { success, code } = await createPage(passbell, identity, { browser: OTHER_BROWSER }).disable(attempt);
      expect([attempt, success, code]).toEqual([
        attempt,
        false,
        expect.stringMatching(/^INVALID_(USER_TOKEN|PARAMETER)$/),
      ]);
    }
    // White space around the identity is ignored; the token remains a sign-in token.
    const padded = { identity: `${identity}\n`, userToken: `${expires}.sign-in.${signIn}` };
    expect(await createPage(passbell, identity, { browser: OTHER_BROWSER }).disable(padded)).toMatchObject({
      code: 'PROOF_REQUIRED',
    });
    expect(await victim.page.state()).toBe(true);
  });
});

describe('an attacker who knows the password and sends wrong codes with a sign-in token', () => {
  const USER_ADDRESS = '192.0.2.1';
  const OTHER_ADDRESS = '192.0.2.2';
  let victim: EnrolledUser;
  const attacker = (address: string) =>
    createPage(passbell, victim.identity, {
      address,
      browser: null,
      more: { userToken: signInToken(passbell.keys.appSecret, victim.identity, seconds() + 600) },
    });
  /** Repeats `send` until the reply has the error code `end`. Waits for locks to expire, unless `end` is a lock. */
  async function sendUntil(end: string, send: () => Promise<Body>): Promise<void> {
    for (let n = 0; n < 100; n++) {
      const { code, retryAfterSeconds } = await send();
      if (code === end) return;
      if (code === 'OTP_LOCKED') advance(retryAfterSeconds * 1000);
    }
    throw new Error(`no reply had the code ${end}`);
  }
  beforeEach(async () => void (victim = await enrollUser(passbell, freshMail(), { address: USER_ADDRESS })));

  it("cannot lock the user's own browser", async () => {
    for (const address of [OTHER_ADDRESS, USER_ADDRESS])
      await sendUntil('OTP_LOCKED', () => attacker(address).verify(newWrongCode()));
    expect(await victim.page.verify(victim.nextCode())).toMatchObject({ success: true });
    await sendUntil('TWO_FACTOR_BLOCKED', () => attacker(OTHER_ADDRESS).verify(newWrongCode()));
    expect(await victim.page.verify(victim.nextCode())).toMatchObject({ success: true });
  });

  it('cannot block recovery codes, which work during a lock and a block, or extend either with wrong recovery codes', async () => {
    const [first, second, third, fourth] = victim.recoveryCodes;
    const inUserNetwork = () => attacker(USER_ADDRESS);
    for (const [end, before, after] of [
      ['OTP_LOCKED', first, second],
      ['TWO_FACTOR_BLOCKED', third, fourth],
    ] as const) {
      await sendUntil(end, () => attacker(OTHER_ADDRESS).verify(newWrongCode()));
      const locked = await attacker(OTHER_ADDRESS).verify(newWrongCode());
      expect(await attacker(OTHER_ADDRESS).verify(before)).toMatchObject({ success: true });
      await sendUntil(end, () => attacker(OTHER_ADDRESS).verify(newWrongCode()));
      await sendUntil('OTP_LOCKED', () => attacker(OTHER_ADDRESS).verify(newWrongRecoveryCode()));
      expect(await attacker(OTHER_ADDRESS).verify(newWrongCode())).toEqual(locked);
      expect(await inUserNetwork().verify(after)).toMatchObject({ success: true });
      expect(await victim.page.verify(victim.nextCode())).toMatchObject({ success: true });
      advance(86_400_000);
    }
  });

  it('is limited to ten wrong recovery codes an hour, which lock neither the user nor authenticator codes', async () => {
    const replies = [];
    for (let n = 0; n < 11; n++) replies.push(await attacker(USER_ADDRESS).verify(newWrongRecoveryCode()));
    expect(replies.map(({ code }) => code)).toEqual([...Array<string>(10).fill('INVALID_OTP'), 'OTP_LOCKED']);
    expect(replies[10]).toMatchObject({ retryAfterSeconds: 3600 });
    expect(await attacker(OTHER_ADDRESS).verify(newWrongCode())).toMatchObject({ code: 'INVALID_OTP' });
    expect(await victim.page.verify(victim.recoveryCodes[0])).toMatchObject({ success: true });
  });
});

describe('userToken', () => {
  it('is rejected if it is forged, belongs to another user or secret, has expired, or is valid for more than a day', async () => {
    const identity = freshMail();
    const secret = passbell.keys.appSecret;
    const good = userToken(secret, identity, seconds() + 60);
    const goodForSignIn = signInToken(secret, identity, seconds() + 60);
    const send = (token: string) => createPage(passbell, identity).call('authstate', { userToken: token });
    for (const token of [good, goodForSignIn]) expect(await send(token)).toMatchObject({ success: true });
    const [expires, signature] = good.split('.') as [string, string];
    const bad = [
      `${Number(expires) + 1}.${signature}`,
      `${expires}.${'0'.repeat(64)}`,
      `0${expires}.${signature}`,
      signInToken(secret, freshMail(), seconds() + 60),
      signInToken(`${secret}x`, identity, seconds() + 60),
      signInToken(secret, identity, seconds() + 86_401),
      userToken(secret, freshMail(), seconds() + 60),
      userToken(`${secret}x`, identity, seconds() + 60),
      userToken(secret, identity, seconds() + 86_401),
      'x',
    ];
    for (const token of bad) expect(await send(token)).toMatchObject({ code: 'INVALID_USER_TOKEN' });
    advance(60_000);
    for (const token of [good, goodForSignIn]) expect(await send(token)).toMatchObject({ code: 'USER_TOKEN_EXPIRED' });
  });

  it('remains valid after a rotation until the old secret expires', async () => {
    const keys = await passbell.application(NO_LIMITS);
    const identity = freshMail();
    const rotated = await passbell.core.applications.service.rotateSecret(OPERATOR, keys.appKey, 60);
    const send = (secret: string) =>
      createPage(passbell, identity, { keys }).call('authstate', {
        userToken: userToken(secret, identity, seconds() + 600),
      });
    for (const secret of [keys.appSecret, rotated.appSecret])
      expect(await send(secret)).toMatchObject({ success: true });
    advance(60_000);
    expect(await send(keys.appSecret)).toMatchObject({ code: 'INVALID_USER_TOKEN' });
    expect(await send(rotated.appSecret)).toMatchObject({ success: true });
  });

  it('is required for every call in strict mode, before any other error', async () => {
    const keys = await passbell.application({ ...NO_LIMITS, settings: { strictTwoFactor: true } });
    const identity = freshMail();
    const token = userToken(keys.appSecret, identity, seconds() + 600);
    await enrollUser(passbell, identity, { keys, more: { userToken: token } });
    for (const name of ACTIONS)
      for (const who of [identity, freshMail()])
        expect(await createPage(passbell, who, { keys }).call(name, { otp: '123456' })).toMatchObject({
          success: false,
          code: 'USER_TOKEN_REQUIRED',
          message: 'this application requires a userToken',
        });
  });
});
