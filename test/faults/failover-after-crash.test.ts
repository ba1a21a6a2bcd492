/** A process crashes after a failover to the second provider. The next process continues with the second provider. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { createCore } from '../../backend/src/core.js';
import { readConfig } from '../../backend/src/platform/config/config.js';
import { createLog } from '../../backend/src/platform/log.js';
import { startProcess, type PassbellProcess } from '../support/process.js';
import { twilioSettings, VERIFIED } from '../support/providers.js';
import { startTwilioServer, TWILIO_ERRORS, type TwilioServer } from '../support/twilio-server.js';

const dataDir = mkdtempSync(join(tmpdir(), 'passbell-failover-'));
let first: TwilioServer;
let second: TwilioServer;
let service: PassbellProcess;
let keys: { appKey: string; appSecret: string };

const start = () => startProcess({ DATA_DIR: dataDir, SEND_WAIT_MS: '0', DEV_INBOX: 'off' });

beforeAll(async () => {
  [first, second] = [await startTwilioServer(), await startTwilioServer()];
  const config = readConfig({ DATA_DIR: dataDir, DEV_INBOX: 'off' });
  const core = await createCore(config, { log: createLog('silent'), jobs: false });
  keys = await core.applications.service.create(OPERATOR, { name: 'Shop' });
  const accountId = await core.applications.service.createAccount(OPERATOR, 'operator@localhost');
  const entries: { provider: string }[] = [];
  for (const [name, server] of [
    ['First', first],
    ['Second', second],
  ] as const) {
    const request = { type: 'twilio', name, settings: twilioSettings(server) };
    entries.push({ provider: (await core.providers.service.add(OPERATOR, accountId, request, VERIFIED)).id });
  }
  await core.providers.routes.set(OPERATOR, { accountId, channel: 'SMS', country: '*', mode: 'ordered', entries });
  await core.stop();
  service = await start();
});
afterAll(async () => {
  await service.stop('SIGKILL');
  await Promise.all([first.close(), second.close()]);
  rmSync(dataDir, { recursive: true, force: true });
});

const methods = ({ requests }: TwilioServer) => requests.map(({ method }) => method);

it('sends again at most once for each kill, and never calls the first provider again', async () => {
  first.respondWith(TWILIO_ERRORS.unavailable);
  second.respondWith('silent');
  await fetch(`${service.url}/api/v1/auth/sendotp?to=%2B14155550123&authWay=SMS`, {
    headers: { clientId: keys.appKey, clientSecret: keys.appSecret },
  });
  await second.waitForRequest(1);
  await service.stop('SIGKILL');

  second.respondWith('accept');
  service = await start();
  await second.waitForRequest(3);
  expect([methods(first), methods(second)]).toEqual([['POST'], ['POST', 'GET', 'POST']]);
  expect(second.requests[2]!.form).toEqual(second.requests[0]!.form);
});
