/** SIGKILL at random points while codes are being sent: nothing acknowledged is lost, and nothing comes twice for no reason. */
import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { passbell, startProcess, type PassbellProcess } from '../support/process.js';
import type { Body } from '../support/service.js';
import { startSmtpServer, type TestSmtpServer } from '../support/smtp-server.js';
import { startTwilioServer, type TwilioServer } from '../support/twilio-server.js';

const SENDS = 500;
const KILLS = 6;
const IN_FLIGHT = 8;

const dataDir = mkdtempSync(join(tmpdir(), 'passbell-kill-'));
let twilio: TwilioServer;
let smtp: TestSmtpServer;
let service: PassbellProcess;
let keys: Record<string, string>;

const recipient = (n: number) => (n % 4 === 0 ? `person${n}@example.com` : `+1415555${String(1000 + n)}`);

function start(): Promise<PassbellProcess> {
  return startProcess({
    DATA_DIR: dataDir,
    // Acknowledge as soon as it is stored: then a kill hits messages that are still to be delivered.
    SEND_WAIT_MS: '0',
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
  service = await start();
  const [, appKey, appSecret] = service.output().match(/App Key\s+(\S+)\s+App Secret\s+(\S+)/)!;
  keys = { clientId: appKey!, clientSecret: appSecret!, 'Content-Type': 'application/json' };
  await passbell(
    dataDir,
    'app',
    'update',
    appKey!,
    '--burst-per-second',
    '0',
    '--burst-per-minute',
    '0',
    '--channels',
    'SMS',
  );
  // A fresh process has no cached settings.
  await service.end('SIGTERM');
  service = await start();
}, 60_000);

afterAll(async () => {
  await service.end('SIGKILL');
  await Promise.all([twilio.close(), smtp.close()]);
  rmSync(dataDir, { recursive: true, force: true });
});

/** True when the send was acknowledged; a connection that broke is no acknowledgement. */
async function send(to: string): Promise<boolean> {
  try {
    const reply = await fetch(`${service.url}/api/v1/auth/sendotp`, {
      method: 'POST',
      headers: keys,
      body: JSON.stringify({ to, expiry: 60 }),
    });
    const body = (await reply.json()) as Body;
    if (!body.success) throw new Error(`refused: ${JSON.stringify(body)}`);
    return true;
  } catch (error) {
    // By name: the class that fetch throws is not the one of this realm.
    if ((error as Error).name === 'TypeError') return false;
    throw error;
  }
}

interface Delivery {
  readonly to: string;
  readonly code: string;
}

/** What reached phones and mailboxes. Two deliveries with one Message-ID are one mail to its reader. */
function deliveries(): Delivery[] {
  const delivery = (to: string, text: string) => ({ to, code: text.match(/\d{6}/)![0] });
  const texts = twilio.requests.filter(({ method }) => method === 'POST');
  const mails = new Map(smtp.received.map((received) => [received.mail.messageId, received]));
  return [
    ...texts.map(({ form }) => delivery(form['To']!, form['Body']!)),
    ...[...mails.values()].map(({ envelope, mail }) => delivery(envelope.to[0]!, mail.text!)),
  ];
}

/** Waits for the next thing that arrives anywhere. */
function nextArrival(): Promise<unknown> {
  return Promise.race([twilio.request(twilio.requests.length + 1), smtp.mail(smtp.received.length + 1)]);
}

it(`loses none of ${SENDS} sends in ${KILLS} kills, and doubles at most one a kill, with the same code`, async () => {
  const acknowledged = new Set<string>();
  const killAt = Array.from({ length: KILLS }, () => randomInt(1, SENDS)).sort((a, b) => a - b);
  let up = Promise.resolve();
  let next = 0;

  async function killAndRestart(): Promise<void> {
    await service.end('SIGKILL');
    service = await start();
  }

  async function client(): Promise<void> {
    while (acknowledged.size < SENDS) {
      const to = recipient(next++);
      if (killAt[0] !== undefined && acknowledged.size >= killAt[0]) {
        killAt.shift();
        up = up.then(killAndRestart);
      }
      // While the kill is under way the others go on, and are cut off in the middle.
      if (killAt.length % 2 === 0) await up;
      if (await send(to)) acknowledged.add(to);
      else await up;
    }
  }

  await Promise.all(Array.from({ length: IN_FLIGHT }, client));
  await up;
  const missing = () => {
    const reached = new Set(deliveries().map(({ to }) => to));
    return [...acknowledged].filter((to) => !reached.has(to));
  };
  while (missing().length > 0) await nextArrival();

  const all = deliveries();
  const recipients = new Set(all.map(({ to }) => to));
  const codes = new Set(all.map(({ to, code }) => `${to} ${code}`));
  expect(codes.size).toBe(recipients.size);
  expect(all.length - recipients.size).toBeLessThanOrEqual(KILLS);
  expect(await passbell(dataDir, 'messages', 'list', '--state', 'failed', '--json')).toBe('[]\n');
}, 180_000);
