/** `passbell listen`, as a separate process that forwards the events of a running service. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { root, startProgram } from '../support/process.js';
import { freshPhone, startService, type TestService } from '../support/service.js';
import { isSigned, startWebhookServer, type WebhookServer } from '../support/webhook-server.js';
import { until } from '../support/wait.js';
import { run } from './command.js';

let passbell: TestService;
let site: WebhookServer;
beforeAll(async () => {
  passbell = await startService();
  site = await startWebhookServer();
});
afterAll(async () => {
  await passbell.stop();
  await site.close();
});

const settingsOf = ({ appKey, appSecret }: TestService['keys']) => ({
  PASSBELL_URL: passbell.url,
  APP_KEY: appKey,
  APP_SECRET: appSecret,
});

const startListening = (options: string[] = [], settings = settingsOf(passbell.keys)) =>
  startProgram({
    name: 'passbell listen',
    command: process.execPath,
    args: ['--import', 'tsx', join(root, 'backend/src/cli/passbell.ts'), 'listen', site.url, ...options],
    settings,
    ready: /Forwarding events to (\S+),/,
  });

it('forwards new events once, with valid signatures, and prints the replies', async () => {
  await passbell.send(freshPhone());
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const listening = await startListening(['--secret', secret]);
  expect(listening.output()).toContain(`signed with ${secret}\n`);
  const { maskId, code } = await passbell.send(freshPhone());
  await passbell.post('/auth/verifyotp', { maskId, otp: code });
  await until('two calls', () => site.calls.length >= 2);
  const [accepted, verified] = site.calls;
  expect([accepted!.event.event, verified!.event.event]).toEqual(['message.accepted', 'otp.verified']);
  expect(verified!.event.data).toMatchObject({ maskId });
  expect(site.calls.every((call) => isSigned(call, secret))).toBe(true);
  await until('the output', () => listening.output().includes(`otp.verified ${verified!.event.id} → 204\n`));

  site.respondWith({ status: 500 });
  await passbell.send(freshPhone());
  await until('a rejected event', () => listening.output().includes('→ 500\n'));
  await listening.stop('SIGKILL');
  // Neither events from before the start nor repeated ones.
  expect(site.calls).toHaveLength(3);
});

it('continues after errors of a server that restarts behind a proxy', async () => {
  const replies: object[] = [];
  const server = createServer((_request, response) => {
    const reply = replies.shift();
    response.statusCode = reply ? 502 : 200;
    response.end(reply ? JSON.stringify(reply) : '{"success":true,"data":{"events":[]}}');
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const PASSBELL_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const listening = await startListening([], { ...settingsOf(passbell.keys), PASSBELL_URL });
  replies.push({}, { success: false, code: 'SERVICE_UNAVAILABLE', message: 'not yet' });
  await until('both errors', () => /status 502; trying again[^]*not yet; trying again/.test(listening.output()));
  await listening.stop('SIGKILL');
  server.close();
});

it.each([
  ['wrong credentials', { APP_SECRET: 'sk_wrong' }, 'error: http'],
  ['a missing App Key', { APP_KEY: '' }, 'error: set PASSBELL_URL'],
  [
    'an unreachable server',
    { PASSBELL_URL: 'http://127.0.0.1:9' },
    'error: there is no reply from http://127.0.0.1:9\n',
  ],
  ['no server', { PASSBELL_URL: 'passbell' }, 'error: set PASSBELL_URL'],
])('fails with %s', async (_name, settings, problem) => {
  const all = { ...settingsOf(passbell.keys), ...settings };
  Object.assign(process.env, all);
  const { code, out, err } = await run(passbell, 'listen', site.url);
  Object.keys(all).forEach((name) => delete process.env[name]);
  expect([code, out, err.startsWith(problem)]).toEqual([1, '', true]);
  expect(err).not.toContain('sk_wrong');
});

it('rejects a target that is not a URL', async () => {
  expect(await run(passbell, 'listen', 'localhost:4000')).toMatchObject({
    code: 1,
    err: expect.stringContaining('must be a URL'),
  });
});
