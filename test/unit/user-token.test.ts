/** Verification of full tokens and sign-in tokens, without the contract's check of the token format. */
import { createApplicationSecrets } from '../../backend/src/modules/applications/application-secrets.js';
import type { Application } from '../../backend/src/modules/applications/application.js';
import type { ApplicationsService } from '../../backend/src/modules/applications/applications-service.js';
import { createCallerOf } from '../../backend/src/modules/twofactor/caller.js';
import { createKeyring } from '../../backend/src/platform/crypto.js';
import { signInToken, userToken } from '../support/authenticator.js';
import { createTestClock } from '../support/clock.js';

const SECRET = 'sk_of-this-test';
const IDENTITY = 'ana@example.com';

const clock = createTestClock();
const expires = Math.floor(clock.now() / 1000) + 600;
const keyring = createKeyring(['a key of this test']);
const { storedForm, isSignedBy } = createApplicationSecrets(keyring, clock);
const callerOf = createCallerOf({ isSignedBy } as ApplicationsService, keyring, clock);
const application = (strictTwoFactor: boolean) =>
  ({
    id: 1,
    secrets: [{ ...storedForm(SECRET), expiresAt: null }],
    settings: { strictTwoFactor },
  }) as unknown as Application;
const call = (token: string | undefined, { identity = IDENTITY, strict = false } = {}) =>
  callerOf({ application: application(strict), identity, userToken: token, browser: undefined, source: '192.0.2.1' });
const signatureOf = (token: string) => token.slice(token.lastIndexOf('.') + 1);

it.each([
  ['a sign-in token', signInToken(SECRET, IDENTITY, expires), { hasUserToken: true, tokenReplacesCode: false }],
  ['a full token', userToken(SECRET, IDENTITY, expires), { hasUserToken: true, tokenReplacesCode: true }],
])('%s confirms the user; only a full token replaces a code', (_form, token, expected) => {
  for (const strict of [false, true]) expect(call(token, { strict })).toMatchObject(expected);
});

it('a missing token neither confirms the user nor replaces a code', () => {
  expect(call(undefined)).toMatchObject({ hasUserToken: false, tokenReplacesCode: false });
});

it.each([
  [
    'the signature of a sign-in token as a full token',
    `${expires}.${signatureOf(signInToken(SECRET, IDENTITY, expires))}`,
  ],
  [
    'the signature of a full token as a sign-in token',
    `${expires}.sign-in.${signatureOf(userToken(SECRET, IDENTITY, expires))}`,
  ],
  ['a line feed in the expiry', `${expires}\nsign-in.${signatureOf(signInToken(SECRET, IDENTITY, expires))}`],
  ['an unknown form', `${expires}.settings.${signatureOf(userToken(SECRET, IDENTITY, expires))}`],
  ['more parts', `${userToken(SECRET, IDENTITY, expires)}.sign-in`],
])('rejects %s', (_what, token) => {
  expect(() => call(token)).toThrow(expect.objectContaining({ code: 'INVALID_USER_TOKEN' }));
});

it('rejects a sign-in token whose last line is passed as the expiry', () => {
  const signature = signatureOf(signInToken(SECRET, IDENTITY, expires));
  // The signed text of both tokens is identical.
  expect(() => call(`sign-in.${signature}`, { identity: `${IDENTITY}\n${expires}` })).toThrow();
});
