/** A two-factor token is never accepted as a login token, and an application can turn the widget off. */
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify, SignJWT } from 'jose';
import type { KeyPair } from '../../backend/src/modules/applications/application.js';
import { createPage, enrollUser, userToken } from '../support/authenticator.js';
import { freshMail, NO_LIMITS, startService, type Body, type TestService } from '../support/service.js';

let passbell: TestService;
let keys: KeyPair;
beforeAll(async () => {
  passbell = await startService();
  keys = await passbell.application(NO_LIMITS);
});
afterAll(() => passbell.stop());

const INVALID = { success: false, message: 'invalid token', code: 'INVALID_TOKEN' };
const verify = (token: string, purpose?: string): Promise<Body> =>
  passbell.post('/auth/verifytoken', { token, purpose }, { keys });

/** Creates a token with only the public App Key and an invented email address. */
async function anonymousToken(more: object = {}, identity = freshMail()): Promise<string> {
  const { page, nextCode } = await enrollUser(passbell, identity, { keys, more });
  return (await page.verify(nextCode())).data.token;
}

async function loginToken(): Promise<string> {
  const { maskId, code } = await passbell.send(freshMail(), {}, { keys });
  return (await passbell.post('/auth/verifyotp', { maskId, otp: code }, { keys })).data.token;
}

describe('a two-factor token', () => {
  it('is invalid unless the caller asks for two-factor tokens', async () => {
    const token = await anonymousToken();
    expect(await verify(token)).toMatchObject(INVALID);
    expect(await verify(token, 'login')).toMatchObject(INVALID);
    expect((await verify(token, 'two-factor')).data.identities).toMatchObject({ channel: 'totp', verified: false });
  });

  it('is not accepted as a login, even with a userToken', async () => {
    const identity = freshMail();
    const expires = passbell.clock.now() / 1000 + 600;
    const token = await anonymousToken({ userToken: userToken(keys.appSecret, identity, expires) }, identity);
    expect(await verify(token)).toMatchObject(INVALID);
    expect((await verify(token, 'two-factor')).data.identities.verified).toBe(true);
  });

  it('differs from a login token in audience, type and amr, so sites that use the JWKS reject it', async () => {
    const twoFactor = await anonymousToken();
    const login = await loginToken();
    expect(decodeJwt(login)).toMatchObject({ aud: keys.appKey, amr: ['otp'] });
    expect(decodeProtectedHeader(login).typ).toBe('JWT');
    expect(decodeJwt(twoFactor)).toMatchObject({ aud: `${keys.appKey}/two-factor`, amr: ['totp'] });
    expect(decodeProtectedHeader(twoFactor).typ).toBe('two-factor+jwt');
    const jwks = createLocalJWKSet(await passbell.core.sessions.service.jwks());
    const currentDate = new Date(passbell.clock.now());
    const options = { issuer: 'passbell', audience: keys.appKey, currentDate };
    await expect(jwtVerify(login, jwks, options)).resolves.toBeDefined();
    await expect(jwtVerify(twoFactor, jwks, options)).rejects.toThrow('aud');
  });

  it('is invalid for every purpose if it has the audience of login tokens, as in version 0.1', async () => {
    const token = await anonymousToken();
    const { kid, privateKey } = await passbell.core.sessions.signingKeys.current();
    const old = await new SignJWT({ ...decodeJwt(token), aud: keys.appKey, amr: ['otp'] })
      .setProtectedHeader({ alg: 'ES256', typ: 'JWT', kid })
      .sign(privateKey);
    for (const purpose of [undefined, 'login', 'two-factor']) expect(await verify(old, purpose)).toMatchObject(INVALID);
  });

  it('can be revoked like a login token', async () => {
    const token = await anonymousToken();
    expect(await passbell.post('/auth/revokesession', { token }, { keys })).toMatchObject({ success: true });
    expect(await verify(token, 'two-factor')).toMatchObject({ code: 'TOKEN_REVOKED' });
  });
});

it('a login is invalid as a two-factor token', async () => {
  const token = await loginToken();
  expect(await verify(token, 'two-factor')).toMatchObject(INVALID);
  for (const purpose of ['login', '', undefined]) expect(await verify(token, purpose)).toMatchObject({ success: true });
});

it('an unknown purpose is rejected with an error that names the parameter', async () => {
  const rejected = { code: 'INVALID_PARAMETER', message: 'purpose must be login or two-factor' };
  expect(await verify(await loginToken(), 'anything')).toMatchObject(rejected);
});

describe('an application that turned the widget off', () => {
  it('rejects all calls from the widget, but no other calls', async () => {
    const off = await passbell.application({ ...NO_LIMITS, settings: { twoFactorWidget: false } });
    const identity = freshMail();
    const token = userToken(off.appSecret, identity, passbell.clock.now() / 1000 + 600);
    for (const more of [{}, { userToken: token }])
      for (const name of ['authstate', 'enable2fa', 'verifyotp', 'disable2fa'])
        expect(await createPage(passbell, identity, { keys: off, more }).call(name, { otp: '123456' })).toMatchObject({
          success: false,
          code: 'WIDGET_OFF',
          message: 'this application does not use the two-factor widget',
        });
    expect(await passbell.post('/auth/reset2fa', { identity }, { keys: off })).toMatchObject({ success: true });
    expect(await passbell.send(identity, {}, { keys: off })).toMatchObject({ success: true });
  });
});
