/**
 * `/hooks/sms/{kind}`, called with the identity servers' own libraries and the settings that the operator command
 * prints.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { KeyPair } from '../../../backend/src/modules/applications/application.js';
import { createTestClock } from '../../support/clock.js';
import { root } from '../../support/process.js';
import { freshPhone, startService, type Body, type TestService } from '../../support/service.js';
import { json } from '../../cli/command.js';

const toolbox = createRequire(join(root, '.cache/node-client/package.json'));

let passbell: TestService;
let keys: KeyPair;
beforeAll(async () => {
  passbell = await startService({}, { clock: createTestClock(Math.floor(Date.now() / 1000) * 1000) });
  keys = await passbell.application();
});
afterAll(() => passbell.stop());

const settingsOf = async (kind: string): Promise<{ url: string; secret: string }> => {
  const { url, secret } = await json(passbell, 'app', 'sms-hook', keys.appKey, kind);
  return { url: `${passbell.url}${new URL(url).pathname}${new URL(url).search}`, secret };
};

it('accepts a Supabase request signed with Standard Webhooks', async () => {
  const { Webhook } = toolbox('standardwebhooks') as Body;
  const { url, secret } = await settingsOf('supabase');
  // The format that Supabase requires.
  expect(secret).toMatch(/^v1,whsec_[A-Za-z0-9+/=]{32,88}$/);
  const post = async (to: string, otp: string, key: string) => {
    const body = JSON.stringify({ user: { phone: to.slice(1) }, sms: { otp } });
    const time = new Date();
    const headers = {
      'Content-Type': 'application/json',
      'webhook-id': 'f5b0f1f6-0000-4000-8000-000000000000',
      'webhook-timestamp': String(Math.floor(time.getTime() / 1000)),
      'webhook-signature': new Webhook(key.replace('v1,', '')).sign('f5b0f1f6-0000-4000-8000-000000000000', time, body),
    };
    const reply = await fetch(url, { method: 'POST', headers, body });
    return { status: reply.status, type: reply.headers.get('content-type'), body: (await reply.json()) as Body };
  };
  const to = freshPhone();
  const sent = await post(to, '135790', secret);
  // Supabase requires this content type.
  expect(sent).toMatchObject({ status: 200, type: expect.stringMatching(/^application\/json/) });
  expect(sent.body.error).toBeUndefined();
  expect(await passbell.codeFor(to)).toBe('135790');
  expect((await post(to, '246800', secret)).body.error).toMatchObject({ http_code: 429 });
  const other = `v1,whsec_${Buffer.alloc(32, 1).toString('base64')}`;
  expect(await post(freshPhone(), '135790', other)).toMatchObject({ status: 401 });
});

it.each([
  // The default of each server: GoTrue's `GOTRUE_SMS_OTP_EXP` is 60 seconds.
  ['supabase', '1 minute.'],
  ['logto', '10 minutes.'],
])('the printed URL states how long a code is valid on %s', async (kind, validity) => {
  const { url, secret } = await settingsOf(kind);
  expect(new URL(url).searchParams.get('expiry')).toBe(validity.replace(/\D+/, ''));
  if (kind === 'supabase') return;
  const to = freshPhone();
  const headers = { Authorization: secret, 'Content-Type': 'application/json' };
  await fetch(url, { method: 'POST', headers, body: JSON.stringify({ to, payload: { code: '135790' } }) });
  expect((await passbell.inbox(to))[0]!.text).toContain(validity);
});

it("accepts requests from Logto's HTTP SMS connector", async () => {
  const file = pathToFileURL(toolbox.resolve('@logto/connector-http-sms')).href;
  const { default: createConnector } = (await import(file)) as Body;
  const { url, secret } = await settingsOf('logto');
  const send = async (to: string, code: string, authorization = secret) => {
    const config = { endpoint: url, authorization };
    const connector = await createConnector({ getConfig: async () => config });
    return connector.sendMessage({ to, type: 'SignIn', payload: { code, locale: 'en' }, ip: '198.51.100.7' });
  };
  const to = freshPhone();
  await send(to, '135790');
  expect(await passbell.codeFor(to)).toBe('135790');
  await expect(send(to, '246800')).rejects.toMatchObject({ data: { message: expect.stringContaining('COOLDOWN') } });
  await expect(send(freshPhone(), '135790', 'Bearer other')).rejects.toMatchObject({
    data: { message: expect.stringContaining('INVALID_CREDENTIALS') },
  });
});
