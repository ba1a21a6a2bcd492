/** Service start: the printed output, and failures. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createDataFolder } from '../support/data-folder.js';
import { root, startProcess } from '../support/process.js';
import { startTwilioServer, type TwilioServer } from '../support/twilio-server.js';
import { until } from '../support/wait.js';

let dataDir: string;
let twilio: TwilioServer;
beforeEach(async () => {
  dataDir = createDataFolder('start');
  twilio = await startTwilioServer();
});
afterEach(async () => {
  await twilio.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const start = (settings: Record<string, string>) =>
  startProcess({
    DATA_DIR: dataDir,
    SEND_WAIT_MS: '0',
    TWILIO_ACCOUNT_SID: twilio.accountSid,
    TWILIO_AUTH_TOKEN: twilio.authToken,
    TWILIO_SMS_FROM: '+14155550100',
    TWILIO_API_URL: twilio.url,
    ...settings,
  });

it('prints the provider for each channel, and no secrets', async () => {
  const mail = { SMTP_URL: 'smtp://shop:hunter2@mail.example:587', MAIL_FROM: 'codes@shop.example' };
  const service = await start({ ...mail, DEV_INBOX: 'force' });
  expect(service.output()).toContain(
    'Channels:   SMS → Twilio, WHATSAPP → dev inbox, VOICE → dev inbox, EMAIL → mail.example:587\n',
  );
  expect(service.output()).not.toMatch(new RegExp(`hunter2|${twilio.authToken}`));
  expect(await service.stop('SIGTERM')).toBe(0);
});

it("prints the dev inbox's URL with its key, and a new dashboard link on every start until there is an owner", async () => {
  const linkOf = (output: string) => output.match(/Dashboard: {2}(\S+\/dashboard\/start\?key=[\w-]{43})\n/)?.[1];
  const startLocal = () => startProcess({ DATA_DIR: dataDir });
  const first = await startLocal();
  const link = linkOf(first.output());
  expect(link).toBeDefined();
  expect((await fetch(link!, { redirect: 'manual' })).headers.get('location')).toBe('/dashboard/start');
  // The inbox shows messages of the dashboard only with the key.
  const [, inbox, key] = /Dev inbox: {2}(\S+\/dev\/inbox)(\?key=[\w-]{43})\n/.exec(first.output())!;
  expect(inbox).toBe(`${first.url}/dev/inbox`);
  expect((await fetch(`${inbox}.json${key}`)).status).toBe(200);
  expect((await fetch(`${inbox}.json?key=guess`)).status).toBe(404);
  await first.stop('SIGTERM');
  const second = await startLocal();
  expect(linkOf(second.output())).not.toBe(link);
  expect(linkOf(second.output())).toBeDefined();
  await second.stop('SIGTERM');
  // Without a mail server, no link is printed, because the owner could not receive a code to sign in again.
  const withoutMail = await start({});
  expect(linkOf(withoutMail.output())).toBeUndefined();
  expect(withoutMail.output()).toContain(
    'print a sign-in link with: npm run --silent passbell -- account sign-in-link EMAIL',
  );
  await withoutMail.stop('SIGTERM');
});

it.each([
  [
    '192.0.2.1',
    /HOST 192\.0\.2\.1 is not an address of this machine \(EADDRNOTAVAIL\)\. Set HOST to one of its addresses/,
  ],
  ['no host', /HOST no host is not an address of this machine \(ENOTFOUND\)\. Set HOST to one of its addresses/],
])('exits with a one-line error when HOST is %s', async (HOST, sentence) => {
  await expect(start({ HOST })).rejects.toThrow(sentence);
});

it('exits with a one-line error when DATA_DIR is a file', async () => {
  const DATA_DIR = join(dataDir, 'file');
  writeFileSync(DATA_DIR, '');
  const sentence = `DATA_DIR ${DATA_DIR} cannot be used (EEXIST). Set it to a folder`;
  for (const settings of [{}, { SECRET_KEY: 'a key that only tests use and nobody else' }])
    await expect(start({ ...settings, DATA_DIR })).rejects.toThrow(sentence);
});

it('logs an error when SECRET_KEY did not encrypt the stored secrets', async () => {
  const error = 'SECRET_KEY does not decrypt all stored secrets';
  const service = await start({});
  await service.stop('SIGTERM');
  expect(service.output()).not.toContain(error);
  const other = await start({ SECRET_KEY: 'a key that only tests use and nobody else' });
  await until('the error in the log', () => other.output().includes(error));
});

it('names the source file of an unexpected error', () => {
  mkdirSync(join(dataDir, '.env'));
  const options = { cwd: dataDir, env: { PATH: process.env.PATH }, encoding: 'utf8' } as const;
  const { stderr } = spawnSync(process.execPath, [join(root, 'scripts/start.mjs')], options);
  expect(stderr).toMatch(/at run \(.*backend\/src\/main\.ts:\d+/);
});

it('delivers no message when its port is in use', async () => {
  twilio.respondWith('silent');
  const service = await start({});
  const [, clientId, clientSecret] = service.output().match(/App Key\s+(\S+)\s+App Secret\s+(\S+)/)!;
  await fetch(`${service.url}/api/v1/auth/sendotp?to=%2B14155550123&authWay=SMS`, {
    headers: { clientId: clientId!, clientSecret: clientSecret! },
  });
  await twilio.waitForRequest(1);
  await service.stop('SIGKILL');

  const { port } = new URL(twilio.url);
  await expect(start({ PORT: port })).rejects.toThrow(`Port ${port} is in use. Choose another port: PORT=`);
  // If the process had started delivery, it would have looked up the message at the provider.
  expect(twilio.requests).toHaveLength(1);
});
