/** `/hooks/sms/{kind}`: codes that identity servers generate are sent with all limits applied. */
import { createHmac } from 'node:crypto';
import type { KeyPair } from '../../backend/src/modules/applications/application.js';
import type { ApplicationChange } from '../../backend/src/modules/applications/application-change.js';
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { numbers, SEEN_MS, startGuardedService } from '../support/guarded-service.js';
import { freshPhone, startService, type Body, type TestService } from '../support/service.js';

let passbell: TestService;
beforeAll(async () => void (passbell = await startService()));
afterAll(() => passbell.stop());

/** Derives the key as described in docs/integrations.md. */
function codeRequestKey({ appSecret }: KeyPair, kind: string): Buffer {
  const hex = (key: string, text: string) => createHmac('sha256', key).update(text).digest('hex');
  return Buffer.from(hex(hex(appSecret, 'passbell user token'), `passbell sms hook ${kind}`), 'hex');
}

interface Change {
  readonly headers?: Record<string, string | undefined>;
  readonly body?: string;
  readonly query?: string;
  readonly service?: TestService;
}

async function call(kind: string, keys: KeyPair, headers: Record<string, string>, body: string, change: Change) {
  const query = change.query ?? `appKey=${keys.appKey}`;
  const all = { clientId: undefined, clientSecret: undefined, ...headers, ...change.headers };
  const init = { method: 'POST', body: change.body ?? body };
  const reply = await (change.service ?? passbell).fetch(`/hooks/sms/${kind}?${query}`, init, { headers: all });
  return { status: reply.status, ...((await reply.json()) as Body) };
}

let requests = 0;
function supabase(keys: KeyPair, message: object, change: Change = {}, seconds = 0): Promise<Body> {
  const body = JSON.stringify({ metadata: { uuid: String(++requests) }, ...message });
  const timestamp = String(Math.floor(passbell.clock.now() / 1000) + seconds);
  const signed = `${requests}.${timestamp}.${body}`;
  const signature = createHmac('sha256', codeRequestKey(keys, 'supabase')).update(signed).digest('base64');
  const headers = {
    'webhook-id': String(requests),
    'webhook-timestamp': timestamp,
    // The header lists the signature of another secret first.
    'webhook-signature': `v1,${'A'.repeat(43)}=, v1,${signature}`,
  };
  return call('supabase', keys, headers, body, change);
}
const smsTo = (to: string, otp: unknown = '135790') => ({ user: { phone: to.slice(1) }, sms: { otp } });

function logto(keys: KeyPair, message: object, change: Change = {}): Promise<Body> {
  const headers = { Authorization: `Bearer ${codeRequestKey(keys, 'logto').toString('hex')}` };
  return call('logto', keys, headers, JSON.stringify({ type: 'SignIn', ...message }), change);
}

const textTo = async (to: string): Promise<string> => (await passbell.inbox(to)).map(({ text }) => text).join('\n');

it.each<[string, (keys: KeyPair, to: string) => Promise<Body>]>([
  ['supabase', (keys, to) => supabase(keys, smsTo(to))],
  [
    'supabase, for a changed number',
    (keys, to) => supabase(keys, { user: { phone: '14155559999' }, sms: { otp: '135790', phone: to } }),
  ],
  ['logto', (keys, to) => logto(keys, { to, payload: { code: '135790' }, ip: '198.51.100.7' })],
])("sends the caller's own code: %s", async (_name, send) => {
  const keys = await passbell.application();
  const to = freshPhone();
  expect(await send(keys, to)).toEqual({ status: 200, success: true, message: 'OTP sent successfully' });
  expect(await textTo(to)).toContain('135790');
  // The code can be reported to the fraud guard.
  expect(await passbell.post('/auth/reportverified', { to }, { keys })).toMatchObject({ success: true });
});

it('reads the channel, language and expiry from the URL', async () => {
  const keys = await passbell.application();
  const to = freshPhone();
  const query = `appKey=${keys.appKey}&authWay=WHATSAPP&language=de&expiry=15`;
  expect(await supabase(keys, smsTo(to), { query })).toMatchObject({ status: 200, success: true });
  const [message] = await passbell.inbox(to);
  expect(message).toMatchObject({ channel: 'WHATSAPP', text: expect.stringMatching(/15 Minuten/) });
  expect(await logto(keys, { to, payload: { code: '1234' } }, { query: `${query}&expiry=0` })).toMatchObject({
    status: 400,
  });
});

it.each([
  ['de-DE', '', /Er gilt/],
  ['pt_BR', '', /V.lido/],
  ['de-DE', '&language=fr', /valable/],
  ['de-DE', '&Language=fr', /valable/],
  ['ja-JP', '', /valid for/],
  [{ tag: 'de' }, '', /valid for/],
  ['x'.repeat(100), '', /valid for/],
])("uses Logto's locale %j unless the URL names a language (%j)", async (locale, query, text) => {
  const keys = await passbell.application();
  const to = freshPhone();
  const message = { to, payload: { code: '135790', locale } };
  expect(await logto(keys, message, { query: `appKey=${keys.appKey}${query}` })).toMatchObject({ status: 200 });
  expect(await textTo(to)).toMatch(text);
});

it('applies the limits, and returns the error message to Supabase', async () => {
  const keys = await passbell.application();
  const to = freshPhone();
  await supabase(keys, smsTo(to));
  const throttled = await supabase(keys, smsTo(to, '246800'));
  const message = 'Too many codes for this recipient. Try again in 30 seconds';
  expect(throttled).toMatchObject({ status: 200, success: false, error: { http_code: 429, message } });
  const other = await logto(keys, { to, payload: { code: '246800' } });
  expect(other).toMatchObject({ status: 429, code: 'COOLDOWN', message, retryAfterSeconds: 30 });
  expect(await textTo(to)).not.toContain('246800');
});

it('rejects numbers and countries that are not allowed', async () => {
  const keys = await passbell.application({ settings: { countries: ['DE'] } });
  const send = (to: string) => logto(keys, { to, payload: { code: '135790' } });
  expect(await send(freshPhone())).toMatchObject({ status: 400, code: 'COUNTRY_NOT_ALLOWED' });
  expect(await send('+881612345678')).toMatchObject({ status: 400, code: 'NUMBER_NOT_ALLOWED' });
});

it('sends codes through the fraud guard', async () => {
  const guarded = await startGuardedService();
  const { passbell: service, keys, twilio } = guarded;
  const codes: unknown[] = [];
  for (const to of numbers('+4474001234', 21)) {
    codes.push((await logto(keys, { to, payload: { code: '135790' } }, { service })).code);
    service.clock.advance(SEEN_MS);
  }
  expect(codes).toEqual([...Array.from({ length: 20 }, () => undefined), 'FRAUD_SUSPECTED']);
  expect(twilio.requests).toHaveLength(20);
  await guarded.close();
});

it('sends one message for a repeated request', async () => {
  const keys = await passbell.application();
  const to = freshPhone();
  const message = { to, payload: { code: '135790' } };
  expect(await logto(keys, message)).toEqual(await logto(keys, message));
  expect(await passbell.inbox(to)).toHaveLength(1);
});

it.each<[string, (keys: KeyPair, to: string) => Promise<Body>]>([
  ['supabase: another body', (keys, to) => supabase(keys, {}, { body: JSON.stringify(smsTo(to)) })],
  ['supabase: another id', (keys, to) => supabase(keys, smsTo(to), { headers: { 'webhook-id': 'other' } })],
  ['supabase: no signature', (keys, to) => supabase(keys, smsTo(to), { headers: { 'webhook-signature': undefined } })],
  ['supabase: an old request', (keys, to) => supabase(keys, smsTo(to), {}, -301)],
  ['supabase: a request from the future', (keys, to) => supabase(keys, smsTo(to), {}, 301)],
  ['supabase: another secret', (keys, to) => supabase({ ...keys, appSecret: 'sk_other' }, smsTo(to))],
  ['supabase: no application', (keys, to) => supabase(keys, smsTo(to), { query: '' })],
  ['logto: another secret', (keys, to) => logto({ ...keys, appSecret: 'sk_other' }, { to, payload: { code: '1234' } })],
  [
    'logto: the App Secret',
    (keys, to) =>
      logto(keys, { to, payload: { code: '1234' } }, { headers: { Authorization: `Bearer ${keys.appSecret}` } }),
  ],
  [
    'logto: no secret',
    (keys, to) => logto(keys, { to, payload: { code: '1234' } }, { headers: { Authorization: undefined } }),
  ],
])('rejects a request without a valid signature: %s', async (_name, send) => {
  // Resets the limit on failed authentications.
  passbell.clock.advance(60_000);
  const keys = await passbell.application();
  const to = freshPhone();
  expect(await send(keys, to)).toMatchObject({ status: 401, code: 'INVALID_CREDENTIALS' });
  expect(await passbell.inbox(to)).toEqual([]);
});

it('accepts the secret for code requests of a replaced App Secret until the App Secret expires', async () => {
  passbell.clock.advance(60_000);
  const keys = await passbell.application();
  await passbell.core.applications.service.rotateSecret(OPERATOR, keys.appKey, 60);
  expect(await supabase(keys, smsTo(freshPhone()))).toMatchObject({ success: true });
  passbell.clock.advance(61_000);
  expect(await supabase(keys, smsTo(freshPhone()))).toMatchObject({ status: 401 });
});

it.each<[string, ApplicationChange, string]>([
  ['an inactive application', { status: 'inactive' }, 'APPLICATION_INACTIVE'],
  [
    'a caller that is not on the allow-list',
    { settings: { authorizedEndpoints: ['203.0.113.9'] } },
    'INVALID_ENDPOINT',
  ],
])('rejects %s', async (_name, change, code) => {
  const keys = await passbell.application(change);
  expect(await logto(keys, { to: freshPhone(), payload: { code: '1234' } })).toMatchObject({ status: 403, code });
});

it.each<[string, Change & { message?: object }, number, string]>([
  ['no code', { message: { to: '+14155550100' } }, 400, 'MISSING_PARAMETERS'],
  ['no recipient', { message: { payload: { code: '1234' } } }, 400, 'MISSING_RECIPIENT'],
  ['an object as the code', { message: { to: '+14155550100', payload: { code: {} } } }, 400, 'INVALID_PARAMETER'],
  ['no JSON', { body: '{' }, 400, 'MALFORMED_JSON'],
  ['null', { body: 'null' }, 400, 'MALFORMED_JSON'],
  ['a large body', { body: 'x'.repeat(70_000) }, 413, 'BODY_TOO_LARGE'],
])('rejects %s', async (_name, { message = {}, ...change }, status, code) => {
  expect(await logto(await passbell.application(), message, change)).toMatchObject({ status, code });
});

it('rejects an unknown kind of identity server', async () => {
  const reply = await call('twilio', passbell.keys, {}, '{}', {});
  expect(reply).toMatchObject({ status: 404, code: 'NOT_FOUND' });
});
