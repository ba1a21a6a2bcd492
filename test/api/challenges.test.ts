/** Challenges: creating them, checking the answers, and the parameter `challenge`. */
import { hasChallenge, type ChallengeChange } from '../../backend/src/modules/applications/challenge-settings.js';
import type { Application } from '../../backend/src/modules/applications/application.js';
import { createAltcha } from '../../backend/src/modules/challenges/altcha.js';
import { createChallenges } from '../../backend/src/modules/challenges/challenges-service.js';
import type { Vendor } from '../../backend/src/modules/challenges/siteverify.js';
import { refusalOf } from '../../backend/src/modules/messages/refusal.js';
import { failure } from '../../backend/src/platform/contract/errors.js';
import { MINUTE, SECOND } from '../../backend/src/platform/clock.js';
import { createKeyring } from '../../backend/src/platform/crypto.js';
import { createLog } from '../../backend/src/platform/log.js';
import { solveChallenge } from '../../widget/src/challenge.js';
import { createTestClock } from '../support/clock.js';
import { startGatewayServer, type GatewayServer } from '../support/gateway-server.js';
import { checkReply } from '../support/contract.js';
import { freshMail, startService, type TestService } from '../support/service.js';

const SECRET = '0x4AAA-very-secret_key';

let passbell: TestService;
let vendor: GatewayServer;
beforeAll(async () => {
  passbell = await startService();
  vendor = await startGatewayServer();
});
afterAll(async () => {
  await vendor.close();
  await passbell.stop();
});

async function createApplication(challenge: ChallengeChange) {
  const keys = await passbell.application({ challenge });
  return { keys, application: await passbell.core.applications.service.load(keys.appKey) };
}
const withAltcha = () => createApplication({ kind: 'altcha' });

async function newChallenge(application: Application) {
  const { challenge } = failure(await passbell.core.challenges.challengeRequired(application));
  return challenge!;
}
const solved = async (application: Application) => solveChallenge(await newChallenge(application));
const verify = (application: Application, answer: string) =>
  passbell.core.challenges.verify(application, { challenge: answer });

const encoded = (payload: unknown) => Buffer.from(JSON.stringify(payload)).toString('base64');
const decoded = (answer: string) => JSON.parse(Buffer.from(answer, 'base64').toString());

describe('ALTCHA', () => {
  it('asks for an answer with a challenge that matches the contract, and stores no refused message', async () => {
    const { application } = await withAltcha();
    const error = await passbell.core.challenges.challengeRequired(application);
    const response = Response.json(failure(error), { headers: { 'Cache-Control': 'no-store' } });
    expect(await checkReply('post', '/auth/sendotp', response)).toMatchObject({
      code: 'CHALLENGE_REQUIRED',
      challenge: { kind: 'altcha', altcha: { signature: expect.stringMatching(/^[0-9a-f]{64}$/) } },
    });
    expect(refusalOf(error, 0)).toBeUndefined();
  });

  it('accepts an answer once, if all processes check it at the same time', async () => {
    const { application } = await withAltcha();
    const answer = await solved(application);
    const checks = [...passbell.cores, ...passbell.cores].map(({ challenges }) =>
      challenges.verify(application, { challenge: answer }),
    );
    expect((await Promise.all(checks)).filter(Boolean)).toHaveLength(1);
    // Base64 and JSON have several forms of the same answer.
    for (const again of [answer, answer.replace(/=+$/, ''), encoded({ ...decoded(answer), more: 1 })])
      expect(await verify(application, again)).toBe(false);
  });

  it('accepts an answer until the challenge expires', async () => {
    const { application } = await withAltcha();
    const answers = [await solved(application), await solved(application)] as const;
    passbell.clock.advance(10 * MINUTE - SECOND);
    expect(await verify(application, answers[0])).toBe(true);
    passbell.clock.advance(SECOND);
    expect(await verify(application, answers[1])).toBe(false);
  });

  it('rejects an answer of another application, which does not use it up', async () => {
    const { application } = await withAltcha();
    const { application: other } = await withAltcha();
    const answer = await solved(application);
    expect(await verify(other, answer)).toBe(false);
    expect(await verify(application, answer)).toBe(true);
  });

  it('rejects changed challenges, wrong answers and malformed texts', async () => {
    const { application } = await withAltcha();
    const answer = await solved(application);
    const { challenge, solution } = decoded(answer);
    const { parameters, signature } = challenge;
    const withParameters = (changed: object) =>
      encoded({ challenge: { parameters: { ...parameters, ...changed }, signature }, solution });
    const later = { data: { expiresAt: parameters.data.expiresAt + 1 } };
    const deep = `{"challenge":{"parameters":${'{"a":'.repeat(1000)}1${'}'.repeat(1000)},"signature":"0"}}`;
    const forged = [
      ...[later, { data: undefined }, { cost: 1 }, { keyPrefix: '00' }, { nonce: '00'.repeat(16) }].map(withParameters),
      encoded({ challenge: { parameters }, solution }),
      encoded({ challenge: { parameters, signature: '0'.repeat(64) }, solution }),
      encoded({ challenge: { parameters, signature: [signature] }, solution }),
      encoded({ challenge, solution: { ...solution, counter: solution.counter + 1 } }),
      encoded({ challenge, solution: { ...solution, derivedKey: parameters.keyPrefix.padEnd(64, '0') } }),
      encoded({ challenge, solution: { ...solution, counter: String(solution.counter) } }),
      encoded({ challenge }),
      encoded(null),
      encoded([]),
      encoded({}),
      Buffer.from(deep).toString('base64'),
      '',
      'x',
      JSON.stringify({ challenge, solution }),
    ];
    for (const text of forged) expect([text, await verify(application, text)]).toEqual([text, false]);
    expect(await verify(application, answer)).toBe(true);
  });

  it('accepts answers to challenges that were signed before SECRET_KEY got a new key', async () => {
    const clock = createTestClock();
    const altcha = await createAltcha(createKeyring(['old']), clock).create(1);
    const answer = await solveChallenge({ kind: 'altcha', altcha });
    expect(await createAltcha(createKeyring(['new', 'old']), clock).solvedId(1, answer)).toBe(altcha.parameters.nonce);
    expect(await createAltcha(createKeyring(['new']), clock).solvedId(1, answer)).toBeUndefined();
  });
});

describe.each<Vendor>(['turnstile', 'hcaptcha'])('%s', (kind) => {
  const logged: string[] = [];
  const log = createLog('debug', { write: (line) => void logged.push(line) });
  const create = (options: { timeoutMs?: number; url?: string } = {}) => {
    const { url = vendor.url, ...rest } = options;
    return createChallenges({ ...passbell.core, log }, { urls: { turnstile: url, hcaptcha: url }, ...rest });
  };
  const withVendor = () => createApplication({ kind, siteKey: 'site-key', secret: SECRET });
  const succeed = () => vendor.respondWith({ status: 200, body: { success: true } });

  it('shows the site key, and not the secret key', async () => {
    const { application } = await withVendor();
    expect(await newChallenge(application)).toEqual({ kind, siteKey: 'site-key' });
  });

  it('accepts a token that the vendor confirms, once', async () => {
    succeed();
    const { application } = await withVendor();
    const { verify } = create();
    const checks = [1, 2].map(() => verify(application, { challenge: 'token-1', clientIp: '198.51.100.7' }));
    expect((await Promise.all(checks)).filter(Boolean)).toHaveLength(1);
    expect(await verify(application, { challenge: 'token-1', clientIp: '198.51.100.7' })).toBe(false);
    const { method, body } = vendor.requests.at(-1)!;
    expect({ method, ...Object.fromEntries(new URLSearchParams(body)) }).toEqual({
      method: 'POST',
      secret: SECRET,
      response: 'token-1',
      remoteip: '198.51.100.7',
      ...(kind === 'hcaptcha' ? { sitekey: 'site-key' } : {}),
    });
  });

  it.each([
    { status: 200, body: { success: false, 'error-codes': ['timeout-or-duplicate'] } },
    { status: 200, body: { success: false, 'error-codes': ['invalid-input-secret'] } },
    { status: 200, body: { success: 'true' } },
    { status: 200, body: 'not JSON' },
    { status: 500, body: { success: true } },
    { status: 302, body: { success: true }, headers: { Location: '/other' } },
    'silent',
    'reset',
    'half',
  ] as const)('rejects a token unless the vendor confirms it: %j', async (behavior) => {
    vendor.respondWith(behavior);
    const { application } = await withVendor();
    const before = vendor.requests.length;
    const { verify } = create(behavior === 'silent' ? { timeoutMs: 100 } : {});
    expect(await verify(application, { challenge: `token-${String(behavior)}` })).toBe(false);
    expect(vendor.requests.length).toBe(before + 1);
  });

  it('logs that the vendor cannot be reached or rejects the secret key, without the keys and the token', async () => {
    const { application } = await withVendor();
    vendor.respondWith({ status: 200, body: { success: false, 'error-codes': ['invalid-input-secret'] } });
    expect(await create().verify(application, { challenge: 'token-secret' })).toBe(false);
    expect(await create({ url: 'http://127.0.0.1:1' }).verify(application, { challenge: 'token-unreached' })).toBe(
      false,
    );
    expect(logged.join('')).toContain('cannot be reached');
    expect(logged.join('')).toContain('rejects the secret key');
    expect(logged.join('')).not.toMatch(/very-secret|token-/);
  });
});

describe('the parameter challenge of sendotp', () => {
  it.each(['x'.repeat(8193), { kind: 'altcha' }, ['a'], null])(
    'must be a text of limited length (%#)',
    async (challenge) => {
      const { keys } = await withAltcha();
      const reply = await passbell.post('/auth/sendotp', { to: freshMail(), challenge }, { keys });
      expect(reply).toMatchObject({ success: false, code: 'INVALID_PARAMETER', field: 'challenge' });
      expect(JSON.stringify(reply)).not.toContain('xxx');
    },
  );

  it('is used up by the request, unless a repetition gets the reply of an earlier request', async () => {
    const { keys, application } = await withAltcha();
    const to = freshMail();
    const headers = { 'Idempotency-Key': 'sign-in-1' };
    const answers = [await solved(application), await solved(application)] as const;
    for (const challenge of answers)
      expect(await passbell.post('/auth/sendotp', { to, challenge }, { keys, headers })).toMatchObject({
        success: true,
      });
    expect(await verify(application, answers[0])).toBe(false);
    expect(await verify(application, answers[1])).toBe(true);
  });

  it('is ignored if it is wrong and no challenge is required', async () => {
    for (const challenge of [{ kind: 'altcha' }, { kind: 'off' }] as const) {
      const { keys, application } = await createApplication(challenge);
      expect(hasChallenge(application)).toBe(challenge.kind !== 'off');
      const sent = await passbell.post('/auth/sendotp', { to: freshMail(), challenge: 'wrong' }, { keys });
      expect(sent).toMatchObject({ success: true });
    }
  });
});
