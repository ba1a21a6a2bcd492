/** Parameters of the n8n node that make the service reply with each error code. */
import { OPERATOR } from '../../../backend/src/modules/access/actor.js';
import type { ApplicationChange } from '../../../backend/src/modules/applications/application-change.js';
import { freshMail, freshPhone, wrongCode, type Body } from '../../support/service.js';
import type { Credentials, Fixture } from './engine.js';

export const SEND = { resource: 'otp', operation: 'send', to: '={{ $json.to }}', options: {} as object };
export const VERIFY = {
  resource: 'otp',
  operation: 'verify',
  ifNotVerified: 'fail',
  maskId: '={{ $json.maskId }}',
  otp: '={{ $json.code }}',
};
export const TOKEN = { resource: 'session', operation: 'verifyToken', token: '={{ $json.token }}' };
export const ORDER = {
  resource: 'notification',
  operation: 'sendOrder',
  to: '={{ $json.to }}',
  templateType: 'order_shipped',
};

export interface FailureCase {
  parameters: object;
  item: Body;
  credentials?: Partial<Credentials>;
}

/** Creates an application, and returns its credentials. */
export async function createCredentials(fixture: Fixture, change?: ApplicationChange): Promise<Credentials> {
  return { ...(await fixture.passbell.application(change)), baseUrl: fixture.passbell.url };
}

async function createAccountWithStatus(fixture: Fixture, status: 'inactive' | 'blocked'): Promise<Credentials> {
  const { applications } = fixture.passbell.core;
  const pair = await applications.service.create(OPERATOR, { name: 'Own account', email: `${status}@shop.example` });
  await applications.service.setAccountStatus(OPERATOR, pair.appKey, status);
  return { ...pair, baseUrl: fixture.passbell.url };
}

/** Sends a code in an application with the default limits. */
async function sendCode(fixture: Fixture): Promise<Body> {
  const credentials = await createCredentials(fixture);
  const sent = await fixture.passbell.send(freshPhone(), {}, { keys: credentials });
  return { ...sent, credentials };
}

async function createToken(fixture: Fixture): Promise<string> {
  const { maskId, code } = await fixture.passbell.send(freshPhone(), {}, { keys: fixture.keys });
  return (await fixture.passbell.post('/auth/verifyotp', { maskId, otp: code }, { keys: fixture.keys })).data.token;
}

export const FAILURE_CASES: Record<string, (fixture: Fixture) => Promise<FailureCase>> = {
  MISSING_CREDENTIALS: async () => ({ parameters: SEND, item: { to: freshPhone() }, credentials: { appKey: '' } }),
  INVALID_CREDENTIALS: async () => ({
    parameters: SEND,
    item: { to: freshPhone() },
    credentials: { appSecret: 'sk_x' },
  }),
  APPLICATION_INACTIVE: async (fixture) => ({
    parameters: SEND,
    item: { to: freshPhone() },
    credentials: await createCredentials(fixture, { status: 'inactive' }),
  }),
  USER_INACTIVE: async (fixture) => ({
    parameters: SEND,
    item: { to: freshPhone() },
    credentials: await createAccountWithStatus(fixture, 'inactive'),
  }),
  ACCOUNT_BLOCKED: async (fixture) => ({
    parameters: SEND,
    item: { to: freshPhone() },
    credentials: await createAccountWithStatus(fixture, 'blocked'),
  }),
  INVALID_ENDPOINT: async (fixture) => ({
    parameters: SEND,
    item: { to: freshPhone() },
    credentials: await createCredentials(fixture, { settings: { authorizedEndpoints: ['https://shop.example'] } }),
  }),
  MISSING_PARAMETERS: async () => ({ parameters: VERIFY, item: { maskId: '0'.repeat(32), code: '' } }),
  INVALID_PARAMETER: async () => ({
    parameters: { ...SEND, options: { expiry: '={{ $json.minutes }}' } },
    item: { to: freshPhone(), minutes: 2000 },
  }),
  MISSING_RECIPIENT: async () => ({ parameters: SEND, item: { to: '' } }),
  INVALID_RECIPIENT: async () => ({ parameters: SEND, item: { to: 'nobody' } }),
  COUNTRY_NOT_ALLOWED: async (fixture) => ({
    parameters: SEND,
    item: { to: freshPhone() },
    credentials: await createCredentials(fixture, { settings: { countries: ['DE'] } }),
  }),
  NUMBER_NOT_ALLOWED: async () => ({ parameters: SEND, item: { to: '+18005550199' } }),
  INVALID_AUTH_WAY: async () => ({
    parameters: { ...SEND, channel: '={{ $json.by }}' },
    item: { to: freshPhone(), by: 'PIGEON' },
  }),
  UNKNOWN_TEMPLATE: async () => ({
    parameters: { ...ORDER, variablesFrom: 'json', templateType: '={{ $json.template }}' },
    item: { to: freshPhone(), template: 'order_lost' },
  }),
  MISSING_TEMPLATE_VARIABLES: async () => ({
    parameters: { ...ORDER, orderId: '={{ $json.order }}' },
    item: { to: freshPhone(), order: '' },
  }),
  COOLDOWN: async (fixture) => {
    const credentials = await createCredentials(fixture);
    const to = freshPhone();
    await fixture.passbell.send(to, {}, { keys: credentials });
    return { parameters: SEND, item: { to }, credentials };
  },
  DUPLICATE_NOTIFICATION: async (fixture) => {
    const credentials = await createCredentials(fixture);
    const to = freshMail();
    const body = { to, templateType: 'order_shipped', variables: { orderId: 'A-1' } };
    await fixture.passbell.post('/notifications/order', body, { keys: credentials });
    return { parameters: { ...ORDER, orderId: 'A-1' }, item: { to }, credentials };
  },
  BURST_LIMIT: async (fixture) => {
    const credentials = await createCredentials(fixture, { limits: { burstPerMinute: 1 } });
    await fixture.passbell.send(freshPhone(), {}, { keys: credentials });
    return { parameters: SEND, item: { to: freshPhone() }, credentials };
  },
  INVALID_OTP: async (fixture) => {
    const { maskId, code, credentials } = await sendCode(fixture);
    return { parameters: VERIFY, item: { maskId, code: wrongCode(code) }, credentials };
  },
  OTP_EXPIRED: async (fixture) => {
    const { maskId, code, credentials } = await sendCode(fixture);
    fixture.passbell.clock.advance(301_000);
    return { parameters: VERIFY, item: { maskId, code }, credentials };
  },
  OTP_LOCKED: async (fixture) => {
    const { maskId, code, credentials } = await sendCode(fixture);
    for (let step = 1; step <= 5; step++)
      await fixture.passbell.post('/auth/verifyotp', { maskId, otp: wrongCode(code, step) }, { keys: credentials });
    return { parameters: VERIFY, item: { maskId, code }, credentials };
  },
  INVALID_TOKEN: async () => ({ parameters: TOKEN, item: { token: 'not.a.token' } }),
  TOKEN_EXPIRED: async (fixture) => {
    const item = { token: await createToken(fixture) };
    fixture.passbell.clock.advance(1_801_000);
    return { parameters: TOKEN, item };
  },
  TOKEN_REVOKED: async (fixture) => {
    const item = { token: await createToken(fixture) };
    await fixture.passbell.post('/auth/revokesession', item, { keys: fixture.keys });
    return { parameters: TOKEN, item };
  },
  INVALID_IDEMPOTENCY_KEY: async () => ({
    parameters: { ...SEND, options: { idempotencyKey: 'k'.repeat(256) } },
    item: { to: freshPhone() },
  }),
  IDEMPOTENCY_KEY_REUSED: async (fixture) => {
    const headers = { 'Idempotency-Key': 'order-7' };
    await fixture.passbell.post('/auth/sendotp', { to: freshPhone() }, { keys: fixture.keys, headers });
    return { parameters: { ...SEND, options: { idempotencyKey: 'order-7' } }, item: { to: freshPhone() } };
  },
  BODY_TOO_LARGE: async () => ({
    parameters: { ...ORDER, orderId: '={{ "x".repeat(70000) }}' },
    item: { to: freshPhone() },
  }),
  // Must be the last case, because it blocks all later tests with wrong credentials.
  TOO_MANY_FAILED_AUTHENTICATIONS: async (fixture) => {
    const wrong = { ...fixture.keys, appSecret: 'sk_wrong' };
    for (let i = 0; i < 10; i++) await fixture.passbell.get('/auth/authentication', {}, { keys: wrong });
    return { parameters: SEND, item: { to: freshPhone() }, credentials: wrong };
  },
};
