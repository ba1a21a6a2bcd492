/** `/auth/verifytoken`, and the keys at `/.well-known/jwks.json` and their discovery. */
import type { KeyObject } from 'node:crypto';
import {
  base64url,
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  decodeJwt,
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
  jwtVerify,
  SignJWT,
  UnsecuredJWT,
  type JWTHeaderParameters,
  type JWTPayload,
} from 'jose';
import type { KeyPair } from '../../backend/src/modules/applications/application.js';
import { freshMail, freshPhone, NO_LIMITS, startService, type Body, type TestService } from '../support/service.js';

let passbell: TestService;
let keys: KeyPair;
beforeAll(async () => {
  passbell = await startService({ BASE_URL: 'https://otp.example' });
  keys = await passbell.application(NO_LIMITS);
});
afterAll(() => passbell.stop());

const INVALID = { success: false, message: 'invalid token', code: 'INVALID_TOKEN' };
const EXPIRED = { success: false, message: 'token has expired', code: 'TOKEN_EXPIRED' };

async function login(to = freshPhone(), more: object = {}, pair = keys): Promise<Body> {
  const { maskId, code } = await passbell.send(to, more, { keys: pair });
  return (await passbell.post('/auth/verifyotp', { maskId, otp: code }, { keys: pair })).data;
}
const verify = (token: unknown, pair = keys): Promise<Body> =>
  passbell.post('/auth/verifytoken', { token }, { keys: pair });
const jwks = async (): Promise<Body> => (await fetch(`${passbell.url}/.well-known/jwks.json`)).json();

/** Signs a token with changed claims, with the service's own key by default. */
async function forge(
  token: string,
  { claims = {}, header = {}, key }: { claims?: object; header?: object; key?: CryptoKey | KeyObject } = {},
): Promise<string> {
  const payload = { ...decodeJwt(token), ...claims } as JWTPayload;
  const protectedHeader = { ...decodeProtectedHeader(token), ...header } as JWTHeaderParameters;
  const own = await passbell.core.sessions.signingKeys.current();
  return new SignJWT(payload).setProtectedHeader(protectedHeader).sign(key ?? own.privateKey);
}

describe('a valid token', () => {
  it('returns the masked identity', async () => {
    const { token, user } = await login('+14155550144', { authWay: 'VOICE' });
    expect(await verify(token)).toEqual({
      success: true,
      message: expect.any(String),
      data: {
        userId: user.userId,
        identities: {
          identityType: 'phone',
          identityValue: '+1415*****44',
          channel: 'voice',
          verified: true,
          verifiedAt: String(passbell.clock.now() / 1000),
        },
      },
    });
  });

  it('returns the email address if the code was sent by email', async () => {
    const { token } = await login('ana@example.com');
    expect((await verify(token)).data.identities).toMatchObject({
      identityType: 'email',
      identityValue: 'an***@example.com',
      channel: 'email',
    });
  });

  it('returns the time when the code was verified', async () => {
    const { token } = await login();
    const verifiedAt = String(passbell.clock.now() / 1000);
    passbell.clock.advance(600_000);
    expect((await verify(token)).data.identities.verifiedAt).toBe(verifiedAt);
  });

  it('may be verified repeatedly, with surrounding spaces and with any case of the parameter name', async () => {
    const { token } = await login();
    expect(await verify(` ${token}\n`)).toMatchObject({ success: true });
    expect(await passbell.post('/auth/verifytoken', { Token: token }, { keys })).toMatchObject({ success: true });
  });

  it('can be validated with the published keys, and has the specified claims', async () => {
    const { token, user, expiresIn } = await login(freshPhone(), { authWay: 'WHATSAPP' });
    const { payload, protectedHeader } = await jwtVerify(token, createLocalJWKSet(await jwks()), {
      issuer: 'https://otp.example',
      audience: keys.appKey,
      currentDate: new Date(passbell.clock.now()),
    });
    const iat = passbell.clock.now() / 1000;
    expect(protectedHeader).toMatchObject({ alg: 'ES256', kid: expect.stringMatching(/.+/) });
    expect(payload).toEqual({
      iss: 'https://otp.example',
      sub: user.userId,
      aud: keys.appKey,
      iat,
      exp: iat + expiresIn,
      jti: expect.stringMatching(/^[\w-]{20,}$/),
      channel: 'whatsapp',
      amr: ['otp'],
    });
  });

  it('has a unique jti', async () => {
    const ids = [(await login()).token, (await login()).token].map((token) => decodeJwt(token).jti);
    expect(new Set(ids).size).toBe(2);
  });

  it('is valid until its last second', async () => {
    const { token, expiresIn } = await login();
    passbell.clock.advance(expiresIn * 1000 - 1);
    expect(await verify(token)).toMatchObject({ success: true });
    passbell.clock.advance(1);
    expect(await verify(token)).toMatchObject(EXPIRED);
    passbell.clock.advance(86_400_000);
    expect(await verify(token)).toMatchObject({ success: false });
  });

  it('survives a restart', async () => {
    const { token } = await login();
    passbell = await passbell.restart();
    expect(await verify(token)).toMatchObject({ success: true });
  });
});

describe('the published keys', () => {
  it('contain no private key', async () => {
    const { keys: served } = await jwks();
    expect(served.length).toBeGreaterThan(0);
    for (const key of served) {
      expect(key).toMatchObject({ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig', kid: expect.any(String) });
      expect(key).not.toHaveProperty('d');
    }
  });

  it('are found with OpenID Connect Discovery, as a consumer does that knows only the issuer', async () => {
    const issuer = 'https://otp.example';
    // The issuer's host does not exist.
    const fetchFromIssuer = (url: string): Promise<Response> => fetch(url.replace(issuer, passbell.url));
    const reply = await fetchFromIssuer(`${issuer}/.well-known/openid-configuration`);
    const discovered = (await reply.json()) as Record<string, string> & Record<string, string[]>;
    expect(discovered.issuer).toBe(issuer);
    const keySet = createRemoteJWKSet(new URL(discovered.jwks_uri!), { [customFetch]: fetchFromIssuer });
    const { token } = await login();
    const { payload } = await jwtVerify(token, keySet, {
      issuer: discovered.issuer!,
      algorithms: discovered.id_token_signing_alg_values_supported as unknown as string[],
      audience: keys.appKey,
      currentDate: new Date(passbell.clock.now()),
    });
    expect(Object.keys(payload).sort()).toEqual([...discovered.claims_supported!].sort());
    expect(Object.keys(discovered).filter((name) => name.endsWith('_endpoint'))).toEqual([]);
  });

  it('cannot be discovered without BASE_URL, because the issuer is not a URL then', async () => {
    const local = await startService();
    expect((await fetch(`${local.url}/.well-known/openid-configuration`)).status).toBe(404);
    await local.stop();
  });

  it('exist before the first token', async () => {
    const fresh = await startService();
    const response = await fetch(`${fresh.url}/.well-known/jwks.json`);
    expect(((await response.json()) as Body).keys).toHaveLength(1);
    await fresh.stop();
  });

  it('include the old key during a rotation, until its last token has expired', async () => {
    const old = await login();
    const { kid } = await passbell.core.sessions.signingKeys.rotate();
    const fresh = await login();
    expect(decodeProtectedHeader(fresh.token).kid).toBe(kid);
    expect(decodeProtectedHeader(old.token).kid).not.toBe(kid);
    expect((await jwks()).keys.map((key: Body) => key.kid)).toEqual(
      expect.arrayContaining([kid, decodeProtectedHeader(old.token).kid]),
    );
    passbell.clock.advance(1_799_000);
    expect(await verify(old.token)).toMatchObject({ success: true });
    expect(await verify(fresh.token)).toMatchObject({ success: true });
    passbell.clock.advance(3_600_000);
    expect((await jwks()).keys.map((key: Body) => key.kid)).toEqual([kid]);
  });

  it('no longer verify tokens once the keys are retired', async () => {
    const { token } = await login();
    await passbell.core.sessions.signingKeys.rotate();
    passbell.clock.advance(3_600_000);
    expect(await verify(token)).toMatchObject({ success: false });
    const { privateKey } = await passbell.core.sessions.signingKeys.current();
    const now = passbell.clock.now() / 1000;
    expect(await verify(await forge(token, { claims: { iat: now, exp: now + 60 }, key: privateKey }))).toMatchObject(
      INVALID,
    );
  });
});

describe('a forged token', () => {
  it('is accepted if its claims are valid, which shows that the other tests fail because of the claims', async () => {
    const { token } = await login();
    expect(await verify(await forge(token))).toMatchObject({ success: true });
  });

  it.each([
    ['another audience', { aud: 'pk_other' }],
    ['no audience', { aud: undefined }],
    ['another issuer', { iss: 'https://evil.example' }],
    ['no issuer', { iss: undefined }],
    ['no subject', { sub: undefined }],
    ['an unknown subject', { sub: `USR-${'x'.repeat(32)}` }],
    ['no id', { jti: undefined }],
    ['no expiry', { exp: undefined }],
    ['no issue time', { iat: undefined }],
    ['no channel', { channel: undefined }],
    ['a start time in the future', { nbf: 1_900_000_000_000 }],
    ['an expiry that is not a number', { exp: '9999999999' }],
  ])('is rejected with %s', async (_what, claims) => {
    const { token } = await login();
    expect(await verify(await forge(token, { claims }))).toMatchObject(INVALID);
  });

  it('is reported as expired if its expiry is in the past', async () => {
    const { token } = await login();
    expect(await verify(await forge(token, { claims: { exp: passbell.clock.now() / 1000 } }))).toMatchObject(EXPIRED);
  });

  it('is rejected if it is signed with an unknown key, regardless of the key id in its header', async () => {
    const { token } = await login();
    const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
    const jwk = await exportJWK(publicKey);
    const headers = [{}, { kid: 'unknown' }, { kid: undefined }, { jwk }, { kid: undefined, jwk }];
    headers.push({ jku: 'http://127.0.0.1:1/jwks.json', kid: 'x' } as object, { x5u: 'http://127.0.0.1:1/' } as object);
    for (const header of headers)
      expect(await verify(await forge(token, { header, key: privateKey }))).toMatchObject(INVALID);
  });

  it('is rejected without a known kid, even if it is signed with the right key', async () => {
    const { token } = await login();
    for (const kid of [undefined, 'unknown', '', '../../etc/passwd', "' or 1=1 --"])
      expect(await verify(await forge(token, { header: { kid } }))).toMatchObject(INVALID);
  });

  it('is rejected with an unknown critical header', async () => {
    const { token } = await login();
    const [, payload, signature] = token.split('.');
    const header = { ...decodeProtectedHeader(token), crit: ['x'], x: 1 };
    expect(await verify([base64url.encode(JSON.stringify(header)), payload, signature].join('.'))).toMatchObject(
      INVALID,
    );
  });

  it('is rejected without a signature', async () => {
    const { token } = await login();
    const [header, payload] = token.split('.');
    const unsigned = new UnsecuredJWT(decodeJwt(token)).encode();
    const none = base64url.encode(JSON.stringify({ ...decodeProtectedHeader(token), alg: 'none' }));
    for (const forged of [unsigned, `${none}.${payload}.`, `${header}.${payload}.`, `${header}.${payload}`])
      expect(await verify(forged)).toMatchObject(INVALID);
  });

  it('is rejected if it is signed with HS256 and the public key as the secret', async () => {
    const { token } = await login();
    const [jwk] = (await jwks()).keys;
    for (const secret of [JSON.stringify(jwk), jwk.x, keys.appSecret, keys.appKey]) {
      const forged = await new SignJWT(decodeJwt(token))
        .setProtectedHeader({ alg: 'HS256', kid: jwk.kid })
        .sign(new TextEncoder().encode(secret));
      expect(await verify(forged)).toMatchObject(INVALID);
    }
  });

  it('is rejected if any byte of its payload is changed', async () => {
    const { token } = await login();
    const [header, payload, signature] = token.split('.') as [string, string, string];
    for (let i = 0; i < payload.length; i += 17) {
      const changed = `${payload.slice(0, i)}${payload[i] === 'A' ? 'B' : 'A'}${payload.slice(i + 1)}`;
      expect(await verify(`${header}.${changed}.${signature}`)).toMatchObject(INVALID);
    }
  });
});

describe('a token of another application', () => {
  it('is invalid for this application, but valid for the issuing application', async () => {
    const other = await passbell.application();
    const { token } = await login(freshMail(), {}, other);
    expect(await verify(token)).toMatchObject(INVALID);
    expect(await verify(token, other)).toMatchObject({ success: true });
  });

  it("is invalid even with this application's audience", async () => {
    const { token } = await login(freshMail(), {}, await passbell.application());
    expect(await verify(await forge(token, { claims: { aud: keys.appKey } }))).toMatchObject(INVALID);
  });
});

describe('the token parameter', () => {
  it.each([[{}], [{ token: '' }], [{ token: '  ' }]])('is reported as missing in %j', async (parameters) => {
    expect(await passbell.post('/auth/verifytoken', parameters, { keys })).toMatchObject({
      success: false,
      message: 'missing parameters',
      code: 'MISSING_PARAMETERS',
    });
  });

  it.each([null, true, {}, [], ['a.b.c']])('is rejected with a specific error if it is %j', async (token) => {
    expect(await verify(token)).toMatchObject({
      success: false,
      code: 'INVALID_PARAMETER',
      message: 'token must be a string',
    });
  });

  const LONG_TOKEN = `${'a'.repeat(20_000)}.b.c`;
  it.each(['nonsense', 'a.b.c', '..', '\u0000', '\ud800.\ud800.\ud800', 'é.é.é', 5, LONG_TOKEN, 'e30.e30.e30'])(
    'is invalid if it is not a token: %.30j',
    async (token) => expect(await verify(token)).toMatchObject(INVALID),
  );
});
