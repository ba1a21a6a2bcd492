/**
 * A backup of a running service: after kill -9, the restored service sends every message that was accepted before it.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand, startProcess, type PassbellProcess } from '../support/process.js';
import type { Body } from '../support/service.js';
import { startSmtpServer, type TestSmtpServer } from '../support/smtp-server.js';
import { until } from '../support/wait.js';

/** Fewer than the burst limit of an application. */
const MESSAGES = 8;
/** A port on which nothing listens, so that no message leaves the first service. */
const NO_SERVER = 'smtp://127.0.0.1:9';

const folder = mkdtempSync(join(tmpdir(), 'passbell-restore-'));
const [first, copy, second] = ['first', 'copy', 'second'].map((name) => join(folder, name)) as [string, string, string];
let smtp: TestSmtpServer;
let service: PassbellProcess | undefined;

beforeAll(async () => void (smtp = await startSmtpServer()));
afterAll(async () => {
  await service?.stop('SIGKILL');
  await smtp.close();
  rmSync(folder, { recursive: true, force: true });
});

const start = (dataDir: string, smtpUrl: string): Promise<PassbellProcess> =>
  startProcess({ DATA_DIR: dataDir, SEND_WAIT_MS: '0', SMTP_URL: smtpUrl, MAIL_FROM: 'codes@shop.example' });

async function post(path: string, headers: Record<string, string>, body: object): Promise<Body> {
  const reply = await fetch(`${service!.url}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return reply.json();
}

const mailTo = (to: string) => smtp.received.find(({ envelope }) => envelope.to.includes(to))?.mail.text;

it('loses no accepted message when the service is killed, and a backup is restored to another folder', async () => {
  service = await start(first, NO_SERVER);
  const [, appKey, appSecret] = service.output().match(/App Key\s+(\S+)\s+App Secret\s+(\S+)/)!;
  const headers = { clientId: appKey!, clientSecret: appSecret!, 'Content-Type': 'application/json' };
  const sendTo = (to: string) => post('/auth/sendotp', headers, { to, expiry: 60 });
  const recipients = Array.from({ length: MESSAGES }, (_, n) => `person${n}@example.com`);

  const maskIds = new Map<string, string>();
  for (const to of recipients) maskIds.set(to, (await sendTo(to)).data.results[0].maskId);
  // More messages are accepted during the backup, which must be one consistent state all the same.
  const [output] = await Promise.all([
    runCommand(first, 'backup', copy),
    ...recipients.map((to) => sendTo(to.replace('person', 'during-backup'))),
  ]);
  expect(output).toContain('Copied secret.key and passbell.sqlite');
  await service.stop('SIGKILL');
  await runCommand(second, 'restore', copy);

  service = await start(second, smtp.url);
  await until('the delivery of all messages', () => recipients.every((to) => mailTo(to) !== undefined));
  for (const to of recipients) {
    const otp = mailTo(to)!.match(/\b\d{6}\b/)![0];
    expect([to, (await post('/auth/verifyotp', headers, { maskId: maskIds.get(to), otp })).message]).toEqual([
      to,
      'verified',
    ]);
  }
});
