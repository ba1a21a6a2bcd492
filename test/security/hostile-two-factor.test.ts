/** Every request that a page can send gets a well-formed reply, and cannot change a user's second factor. */
import fc from 'fast-check';
import type { KeyPair } from '../../backend/src/modules/applications/application.js';
import { enrollUser, HEADERS, SITE, type EnrolledUser } from '../support/authenticator.js';
import { freshMail, NO_LIMITS, startService, type Body, type TestService } from '../support/service.js';
import { check, json, name, expectHandled } from './hostile.js';

let passbell: TestService;
let keys: KeyPair;
let victim: EnrolledUser;

beforeAll(async () => {
  passbell = await startService();
  keys = await passbell.application(NO_LIMITS);
  victim = await enrollUser(passbell, freshMail(), { keys });
});
afterAll(() => passbell.stop());

const COMMON_PARAMETERS = ['domainUrl', 'appKey', 'identity', 'userToken', 'browserNonce'];
const PARAMETERS: Record<string, string[]> = {
  authstate: COMMON_PARAMETERS,
  enable2fa: [...COMMON_PARAMETERS, 'otp', 'maskId'],
  verifyotp: [...COMMON_PARAMETERS, 'otp', 'maskId'],
  disable2fa: [...COMMON_PARAMETERS, 'otp'],
};
const ACTIONS = Object.keys(PARAMETERS);

const validBody = () => ({ domainUrl: SITE, appKey: keys.appKey, identity: victim.identity, otp: 'AAAAA-AAAAA' });
const post = async (action: string, body: unknown): Promise<Body> => {
  const headers = { ...HEADERS, clientId: undefined, clientSecret: undefined };
  return expectHandled(await passbell.post(`/authserviceclient/${action}`, body, { headers }));
};

/**
 * Asserts that a successful call without a code or userToken reads a state, or starts the enrollment of another user.
 */
function expectHarmless(action: string, body: Body, identity: unknown = victim.identity): void {
  if (!body.success) return;
  expect(['authstate', 'enable2fa']).toContain(action);
  if (action === 'enable2fa') expect(String(identity).trim().toLowerCase()).not.toBe(victim.identity);
}

describe.each(ACTIONS.flatMap((action) => PARAMETERS[action]!.map((parameter) => [action, parameter] as const)))(
  '%s: %s',
  (action, parameter) => {
    it('handles any JSON value', () =>
      check(
        json,
        async (value) => {
          const parameters = { ...validBody(), [parameter]: value };
          expectHarmless(action, await post(action, parameters), parameters.identity);
        },
        40,
      ));
  },
);

describe.each(ACTIONS)('%s', (action) => {
  it('handles any parameter names with any values, and any JSON text', () =>
    check(
      fc.dictionary(fc.oneof(name, fc.constantFrom(...PARAMETERS[action]!)), json, { maxKeys: 8 }),
      async (body) => {
        expectHarmless(action, await post(action, body), body.identity);
        expectHarmless(action, await post(action, JSON.stringify(Object.values(body))));
      },
      40,
    ));

  it('handles deep nesting and broken JSON', async () => {
    const nested = '['.repeat(20_000) + ']'.repeat(20_000);
    expect(await post(action, `{"identity":${nested}}`)).toMatchObject({ success: false });
    expect(await post(action, '{"identity":')).toMatchObject({ code: 'MALFORMED_JSON' });
  });
});

it("the victim's second factor is unchanged", async () => {
  passbell.clock.advance(15 * 60_000);
  expect(await victim.page.verify(victim.nextCode())).toMatchObject({ success: true });
});
