/** How each refusal of the service is provoked with the n8n node. */
import type { ApplicationChange } from '../../../backend/src/modules/applications/applications-service.js';
import { freshMail, freshPhone, wrongCode, type Body } from '../../support/service.js';
import type { Credentials, Workbench } from './engine.js';

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

export interface Scene {
  parameters: object;
  item: Body;
  credentials?: Partial<Credentials>;
}

/** The key pair of another application. */
export async function own(bench: Workbench, change?: ApplicationChange): Promise<Credentials> {
  return { ...(await bench.passbell.application(change)), baseUrl: bench.passbell.url };
}

async function account(bench: Workbench, status: 'inactive' | 'blocked'): Promise<Credentials> {
  const { applications } = bench.passbell.service;
  const pair = await applications.create({ name: 'Own account', email: `${status}@shop.example` });
  await applications.setAccountStatus(pair.appKey, status);
  return { ...pair, baseUrl: bench.passbell.url };
}

/** A session of an application with all limits. */
async function session(bench: Workbench): Promise<Body> {
  const credentials = await own(bench);
  const sent = await bench.passbell.send(freshPhone(), {}, { keys: credentials });
  return { ...sent, credentials };
}

async function token(bench: Workbench): Promise<string> {
  const { maskId, code } = await bench.passbell.send(freshPhone(), {}, { keys: bench.keys });
  return (await bench.passbell.post('/auth/verifyotp', { maskId, otp: code }, { keys: bench.keys })).data.token;
}

export const SCENES: Record<string, (bench: Workbench) => Promise<Scene>> = {
  MISSING_CREDENTIALS: async () => ({ parameters: SEND, item: { to: freshPhone() }, credentials: { appKey: '' } }),
  INVALID_CREDENTIALS: async () => ({
    parameters: SEND,
    item: { to: freshPhone() },
    credentials: { appSecret: 'sk_x' },
  }),
  APPLICATION_INACTIVE: async (bench) => ({
    parameters: SEND,
    item: { to: freshPhone() },
    credentials: await own(bench, { status: 'inactive' }),
  }),
  USER_INACTIVE: async (bench) => ({
    parameters: SEND,
    item: { to: freshPhone() },
    credentials: await account(bench, 'inactive'),
  }),
  ACCOUNT_BLOCKED: async (bench) => ({
    parameters: SEND,
    item: { to: freshPhone() },
    credentials: await account(bench, 'blocked'),
  }),
  INVALID_ENDPOINT: async (bench) => ({
    parameters: SEND,
    item: { to: freshPhone() },
    credentials: await own(bench, { settings: { authorizedEndpoints: ['https://shop.example'] } }),
  }),
  MISSING_PARAMETERS: async () => ({ parameters: VERIFY, item: { maskId: '', code: '123456' } }),
  INVALID_PARAMETER: async () => ({
    parameters: { ...SEND, options: { expiry: '={{ $json.minutes }}' } },
    item: { to: freshPhone(), minutes: 2000 },
  }),
  MISSING_RECIPIENT: async () => ({ parameters: SEND, item: { to: '' } }),
  INVALID_RECIPIENT: async () => ({ parameters: SEND, item: { to: 'nobody' } }),
  COUNTRY_NOT_ALLOWED: async (bench) => ({
    parameters: SEND,
    item: { to: freshPhone() },
    credentials: await own(bench, { settings: { countries: ['DE'] } }),
  }),
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
  COOLDOWN: async (bench) => {
    const [credentials, to] = [await own(bench), freshPhone()];
    await bench.passbell.send(to, {}, { keys: credentials });
    return { parameters: SEND, item: { to }, credentials };
  },
  DUPLICATE_NOTIFICATION: async (bench) => {
    const [credentials, to] = [await own(bench), freshMail()];
    const body = { to, templateType: 'order_shipped', variables: { orderId: 'A-1' } };
    await bench.passbell.post('/notifications/order', body, { keys: credentials });
    return { parameters: { ...ORDER, orderId: 'A-1' }, item: { to }, credentials };
  },
  BURST_LIMIT: async (bench) => {
    const credentials = await own(bench, { limits: { burstPerMinute: 1 } });
    await bench.passbell.send(freshPhone(), {}, { keys: credentials });
    return { parameters: SEND, item: { to: freshPhone() }, credentials };
  },
  INVALID_OTP: async (bench) => {
    const { maskId, code, credentials } = await session(bench);
    return { parameters: VERIFY, item: { maskId, code: wrongCode(code) }, credentials };
  },
  OTP_EXPIRED: async (bench) => {
    const { maskId, code, credentials } = await session(bench);
    bench.passbell.clock.advance(301_000);
    return { parameters: VERIFY, item: { maskId, code }, credentials };
  },
  OTP_LOCKED: async (bench) => {
    const { maskId, code, credentials } = await session(bench);
    const guess = { maskId, otp: wrongCode(code) };
    for (let i = 0; i < 5; i++) await bench.passbell.post('/auth/verifyotp', guess, { keys: credentials });
    return { parameters: VERIFY, item: { maskId, code }, credentials };
  },
  INVALID_TOKEN: async () => ({ parameters: TOKEN, item: { token: 'not.a.token' } }),
  TOKEN_EXPIRED: async (bench) => {
    const item = { token: await token(bench) };
    bench.passbell.clock.advance(1_801_000);
    return { parameters: TOKEN, item };
  },
  TOKEN_REVOKED: async (bench) => {
    const item = { token: await token(bench) };
    await bench.passbell.post('/auth/revokesession', item, { keys: bench.keys });
    return { parameters: TOKEN, item };
  },
  INVALID_IDEMPOTENCY_KEY: async () => ({
    parameters: { ...SEND, options: { idempotencyKey: 'k'.repeat(256) } },
    item: { to: freshPhone() },
  }),
  IDEMPOTENCY_KEY_REUSED: async (bench) => {
    const headers = { 'Idempotency-Key': 'order-7' };
    await bench.passbell.post('/auth/sendotp', { to: freshPhone() }, { keys: bench.keys, headers });
    return { parameters: { ...SEND, options: { idempotencyKey: 'order-7' } }, item: { to: freshPhone() } };
  },
  BODY_TOO_LARGE: async () => ({
    parameters: { ...ORDER, orderId: '={{ "x".repeat(70000) }}' },
    item: { to: freshPhone() },
  }),
  // The last one, since it shuts out every wrong key pair that comes after it.
  TOO_MANY_FAILED_AUTHENTICATIONS: async (bench) => {
    const wrong = { ...bench.keys, appSecret: 'sk_wrong' };
    for (let i = 0; i < 10; i++) await bench.passbell.get('/auth/authentication', {}, { keys: wrong });
    return { parameters: SEND, item: { to: freshPhone() }, credentials: wrong };
  },
};
