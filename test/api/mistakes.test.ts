/** Common mistakes of callers: each reply names the mistake and says how to correct it. */
import { ERRORS } from '../../backend/src/platform/contract/generated/errors.js';
import type { KeyPair } from '../../backend/src/modules/applications/application.js';
import { MISTAKES, send, type Call } from '../support/mistakes.js';
import { freshMail, freshPhone, NO_LIMITS, startService, type Body, type TestService } from '../support/service.js';

const BASE_URL = 'http://localhost:4321';

let passbell: TestService;
let keys: KeyPair;
beforeAll(async () => {
  passbell = await startService({ BASE_URL });
  keys = await passbell.application(NO_LIMITS);
});
afterAll(() => passbell.stop());

const JSON_BODY = { 'Content-Type': 'application/json' };

async function call({ method = 'POST', path, body, headers }: Call): Promise<Body> {
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const response = await passbell.fetch(
    path,
    { method, body: text as string },
    { keys, headers: { ...JSON_BODY, ...headers } },
  );
  return response.json();
}

it.each(MISTAKES)('explains %s', async (_mistake, mistake, expected) => {
  const body = await call(mistake);
  expect(body).toMatchObject({ success: false, ...expected });
  expect(body.docs).toBe(`${BASE_URL}/docs/errors#${body.code}`);
  expect(JSON.stringify(body)).not.toMatch(/undefined|\{\w+\}/);
});

it.each([{ otp: '12#4' }, { clientIp: 'localhost' }])(
  'does not repeat the confidential value in %j',
  async (parameter) => {
    expect(await call(send({ to: freshPhone(), ...parameter }))).not.toHaveProperty('received');
  },
);

it('warns about a parameter that has no effect, and sends the message', async () => {
  const { success, warnings } = await call(send({ to: freshPhone(), channel: 'VOICE', lang: 'de', x: 1 }));
  expect({ success, warnings }).toEqual({
    success: true,
    warnings: [
      'channel is not a parameter of this call and was ignored. Did you mean authWay?',
      'lang is not a parameter of this call and was ignored. Did you mean language?',
      'x is not a parameter of this call and was ignored.',
    ],
  });
});

it('adds no warnings to a correct call', async () => {
  expect(await call(send({ to: freshMail(), AUTHWAY: 'email' }))).not.toHaveProperty('warnings');
});

it.each([
  ['gmial.com', 'gmail.com'],
  ['gmail.con', 'gmail.com'],
  ['hotmial.com', 'hotmail.com'],
  ['yahooo.com', 'yahoo.com'],
])('suggests a domain for %s', async (typed, suggested) => {
  const { success, warnings } = await call(send({ to: `ana@${typed}` }));
  expect({ success, warnings }).toEqual({
    success: true,
    warnings: [`The domain in “to” may be mistyped. Did you mean ${suggested}?`],
  });
});

it.each(['gmail.com', 'ymail.com', 'email.com', 'yahoo.de', 'example.com', 'gmx.com'])(
  'suggests nothing for %s',
  async (domain) => {
    expect(await call(send({ to: `bo@${domain}` }))).not.toHaveProperty('warnings');
  },
);

it('serves a page that describes every error code', async () => {
  const response = await passbell.fetch('/docs/errors');
  const page = await response.text();
  expect(response.status).toBe(200);
  for (const code of Object.keys(ERRORS)) expect(page).toContain(`id="${code}"`);
  expect(page).not.toMatch(/\{\w+\}/);
});
