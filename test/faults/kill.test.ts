/** SIGKILL at random points during sends: no acknowledged message is lost, and duplicates are limited. */
import { randomInt } from 'node:crypto';
import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { openDatabase } from '../../backend/src/platform/db/database.js';
import { createDataFolder } from '../support/data-folder.js';
import { expireLeases } from '../support/messages.js';
import { runCommand, startProcess, type PassbellProcess } from '../support/process.js';
import type { Body } from '../support/service.js';
import { startSmtpServer, type TestSmtpServer } from '../support/smtp-server.js';
import { startTwilioServer, type TwilioServer } from '../support/twilio-server.js';
import { until } from '../support/wait.js';

const SENDS = 500;
const KILLS = 6;
const SEARCH_PAUSE_MS = 100;
const IN_FLIGHT = 8;

const dataDir = createDataFolder('kill');
let twilio: TwilioServer;
let smtp: TestSmtpServer;
let service: PassbellProcess;
let keys: Record<string, string>;

const recipient = (n: number) => (n % 4 === 0 ? `person${n}@example.com` : `+1415555${String(1000 + n)}`);

function start(): Promise<PassbellProcess> {
  return startProcess({
    DATA_DIR: dataDir,
    // Replies as soon as a message is stored. Kills then hit undelivered messages.
    SEND_WAIT_MS: '0',
    // A busy machine can delay a reply of the local servers beyond a shorter timeout.
    PROVIDER_TIMEOUT_MS: '120000',
    SMTP_URL: smtp.url,
    MAIL_FROM: 'codes@shop.example',
    TWILIO_ACCOUNT_SID: twilio.accountSid,
    TWILIO_AUTH_TOKEN: twilio.authToken,
    TWILIO_SMS_FROM: '+14155550100',
    TWILIO_API_URL: twilio.url,
  });
}

beforeAll(async () => {
  [twilio, smtp] = await Promise.all([startTwilioServer(), startSmtpServer()]);
  await runCommand(dataDir, 'init');
  const { appKey, appSecret } = JSON.parse(
    await runCommand(dataDir, 'app', 'create', '--name', 'Kill', '--json'),
  ) as Body;
  const off = ['--burst-per-second', '0', '--burst-per-minute', '0', '--channels', 'SMS'];
  await runCommand(dataDir, 'app', 'update', appKey, ...off);
  keys = { clientId: appKey, clientSecret: appSecret, 'Content-Type': 'application/json' };
  service = await start();
});

afterAll(async () => {
  await service.stop('SIGKILL');
  await Promise.all([twilio.close(), smtp.close()]);
  rmSync(dataDir, { recursive: true, force: true });
});

/** Returns whether the send was acknowledged; false on a broken connection. */
async function send(to: string): Promise<boolean> {
  try {
    const reply = await fetch(`${service.url}/api/v1/auth/sendotp`, {
      method: 'POST',
      headers: keys,
      body: JSON.stringify({ to, expiry: 60 }),
    });
    const body = (await reply.json()) as Body;
    if (!body.success) throw new Error(`rejected: ${JSON.stringify(body)}`);
    return true;
  } catch (error) {
    // Compares the name, because `instanceof` fails for an error from another realm.
    if ((error as Error).name === 'TypeError') return false;
    throw error;
  }
}

interface Delivery {
  readonly to: string;
  readonly code: string;
}

/** Returns the delivered messages. Emails with the same Message-ID count once, because email clients show them once. */
function deliveries(): Delivery[] {
  const delivery = (to: string, text: string) => ({ to, code: text.match(/\d{6}/)![0] });
  const texts = twilio.requests.filter(({ method }) => method === 'POST');
  const mails = new Map(smtp.received.map((received) => [received.mail.messageId, received]));
  return [
    ...texts.map(({ form }) => delivery(form['To']!, form['Body']!)),
    ...[...mails.values()].map(({ envelope, mail }) => delivery(envelope.to[0]!, mail.text!)),
  ];
}

it(`loses none of ${SENDS} sends in ${KILLS} kills, with at most one duplicate per kill, always with the same code`, async () => {
  const acknowledged = new Set<string>();
  const killAt = Array.from({ length: KILLS }, () => randomInt(1, SENDS)).sort((a, b) => a - b);
  let running = Promise.resolve();
  let next = 0;

  async function killAndRestart(): Promise<void> {
    await service.stop('SIGKILL');
    const db = openDatabase({ url: undefined, dataDir });
    await expireLeases(db);
    await db.destroy();
    service = await start();
  }

  async function client(): Promise<void> {
    while (acknowledged.size < SENDS) {
      const to = recipient(next++);
      if (killAt[0] !== undefined && acknowledged.size >= killAt[0]) {
        killAt.shift();
        running = running.then(killAndRestart);
      }
      // During every other kill, the clients keep sending, which interrupts some requests.
      if (killAt.length % 2 === 0) await running;
      if (await send(to)) acknowledged.add(to);
      else await running;
    }
  }

  await Promise.all(Array.from({ length: IN_FLIGHT }, client));
  await running;
  const missing = () => {
    const reached = new Set(deliveries().map(({ to }) => to));
    return [...acknowledged].filter((to) => !reached.has(to));
  };
  // Polls rarely, because searching all deliveries takes time.
  await until(
    'the delivery of every acknowledged send',
    () => missing().length === 0,
    () => pause(SEARCH_PAUSE_MS),
  );

  const all = deliveries();
  const recipients = new Set(all.map(({ to }) => to));
  const codes = new Set(all.map(({ to, code }) => `${to} ${code}`));
  expect(codes.size).toBe(recipients.size);
  expect(all.length - recipients.size).toBeLessThanOrEqual(KILLS);
  expect(await runCommand(dataDir, 'messages', 'list', '--state', 'failed', '--json')).toBe('[]\n');
});
