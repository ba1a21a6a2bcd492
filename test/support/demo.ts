/**
 * Starts a service with two weeks of a shop's traffic and a bad night, for looking at the dashboard:
 * `npx tsx test/support/demo.ts [port]`. It prints sign-in links. Nothing leaves this machine.
 */
import { spawn } from 'node:child_process';
import { cpSync } from 'node:fs';
import { createServer } from 'node:http';
import { DEFAULT_LIMITS } from '../../backend/src/modules/applications/application-limits.js';
import { recordBackup } from '../../backend/src/platform/backup.js';
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { DAY, HOUR, MINUTE, SECOND } from '../../backend/src/platform/clock.js';
import { createTestClock } from './clock.js';
import { createDataFolder } from './data-folder.js';
import { signIn } from './dashboard.js';
import { startGatewayServer } from './gateway-server.js';
import { accountOf, addGateway, addTwilio, setRoute, VERIFIED, waitForRoutingUpdate } from './providers.js';
import { NO_SEND_LIMITS, startService } from './service.js';
import { freshOrder } from './shop-events.js';
import { createShops } from './shops.js';
import { startSmtpServer } from './smtp-server.js';
import { startTwilioServer, twilioError } from './twilio-server.js';
import { startWebhookServer } from './webhook-server.js';

const DAYS = 14;
const PEOPLE = ['ana@fjordwear.example', 'ben@fjordwear.example', 'carla@fjordwear.example'];
const BASE_URL = 'http://codes.fjordwear.example';
const NAMES = ['lena', 'oskar', 'ines', 'priya', 'tom', 'sofia', 'mehmet', 'chloe', 'jan', 'aiko'];

let seed = 7;
/** Returns the same sequence of numbers at each start. */
const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
const digits = (count: number): string => Array.from({ length: count }, () => random(10)).join('');

const NUMBERS: readonly (() => string)[] = [
  () => `+49151${digits(8)}`,
  () => `+49160${digits(7)}`,
  () => `+4366012${digits(5)}`,
  () => `+4179${2 + random(7)}${digits(6)}`,
  () => `+1415${2 + random(7)}${digits(6)}`,
];
const person = (): string =>
  random(4) === 0 ? `${NAMES[random(NAMES.length)]}.${digits(2)}@example.com` : NUMBERS[random(NUMBERS.length)]!();

const clock = createTestClock(Math.floor(Date.now() / SECOND) * SECOND - DAYS * DAY);
const twilio = await startTwilioServer('', clock.now);
const gateway = await startGatewayServer();
const mail = await startSmtpServer();
const listener = await startWebhookServer();
const SETTINGS = { BASE_URL, WEBHOOKS_ALLOW_PRIVATE: 'true' };
const passbell = await startService(SETTINGS, { clock });
const { core } = passbell;
const db = passbell.openDatabase();
for (const [n, role] of (['owner', 'member', 'viewer'] as const).entries())
  await signIn(passbell, role, { email: PEOPLE[n]! });

await addTwilio(passbell, 'Twilio', twilio, { whatsappFrom: '+14155550100', voiceFrom: '+14155550100' });
await addGateway(passbell, 'Nordic SMS', gateway);
const accountId = await accountOf(passbell);
// Usage keeps the days of the time zone in which it was counted.
await core.applications.profiles.update(OPERATOR, accountId, { timeZone: 'Europe/Oslo' });
const smtp = {
  host: '127.0.0.1',
  port: new URL(mail.url).port,
  security: 'none',
  from: 'Fjordwear <codes@fjordwear.example>',
};
await core.providers.service.add(OPERATOR, accountId, { type: 'smtp', name: 'Shop mail', settings: smtp }, VERIFIED);
const providers = await core.providers.service.list(OPERATOR, accountId);
const idOf = (name: string) => providers.find((provider) => provider.name === name)!.id;
await setRoute(passbell, 'SMS', '*', idOf('Twilio'), idOf('Nordic SMS'));
await setRoute(passbell, 'SMS', 'DE', idOf('Nordic SMS'), idOf('Twilio'));
await core.providers.prices.set(OPERATOR, {
  accountId,
  channel: 'SMS',
  prices: { '*': '0.0500', DE: '0.0750', AT: '0.0600', CH: '0.0650', US: '0.0083', FR: '0.0700' },
  replace: true,
});
await waitForRoutingUpdate(passbell);

const { appKey } = passbell.keys;
const update = core.applications.service.update;
await update(OPERATOR, appKey, {
  ...NO_SEND_LIMITS,
  name: 'Fjordwear',
  settings: { servedCountries: ['DE', 'AT', 'CH', 'US'], language: 'de' },
  design: { title: 'Fjordwear' },
});
await passbell.application({ name: 'Fjordwear staff' });
const application = await core.applications.service.load(appKey);
const subscribe = (url: string, events: readonly string[]) =>
  core.webhooks.service.create(OPERATOR, application, { url, events } as never);
const events = ['message.accepted', 'message.failed', 'message.delivered', 'otp.verified'];
await subscribe(`${listener.url}/passbell`, events);

/** Sends a code; usually, the message arrives and the person enters the code. */
async function sendCode(to: string, entered: 'usually' | 'never' = 'usually'): Promise<void> {
  const sms = { authWay: to.includes('@') ? 'EMAIL' : 'SMS' };
  const twilioBefore = twilio.requests.length;
  const gatewayBefore = gateway.requests.length;
  const mailsBefore = mail.received.length;
  const reply = await passbell.post('/auth/sendotp', { to, ...sms, requestId: `login-${digits(6)}` });
  clock.advance(SECOND);
  if (!reply.success) return;
  const [result] = reply.data.results;
  const byTwilio = twilio.requests.slice(twilioBefore).find(({ form }) => form['To'] === to);
  const byGateway = gateway.requests.slice(gatewayBefore).find(({ body }) => body.includes(to));
  const byMail = mail.received.slice(mailsBefore).find(({ envelope }) => envelope.to.includes(to));
  const text = byTwilio?.form['Body'] ?? byGateway?.body ?? byMail?.mail.text ?? '';
  clock.advance((3 + random(8)) * SECOND);
  if ((byTwilio || byGateway) && random(12) !== 0) {
    const id: string = result.messageId;
    const { provider, provider_id: providerId } = await db('messages').where({ id }).first();
    const reportedState = random(40) === 0 ? 'undelivered' : 'delivered';
    await core.messages.service.report({ id, type: 'reported', provider, providerId, reportedState });
  }
  const code = /\b\d{6}\b/.exec(text)?.[0];
  if (entered === 'never' || !code || random(12) === 0) return;
  clock.advance((8 + random(30)) * SECOND);
  if (random(15) === 0) await passbell.post('/auth/verifyotp', { maskId: result.maskId, otp: '000000' });
  await passbell.post('/auth/verifyotp', { maskId: result.maskId, otp: code });
}

/** Advances the clock in steps that background work needs. */
function pass(ms: number): void {
  for (let left = ms; left > 0; left -= 10 * MINUTE) clock.advance(Math.min(left, 10 * MINUTE));
}

const start = clock.now();
for (let day = 0; day < DAYS; day++) {
  const sends = 40 + random(25);
  for (let n = 0; n < sends; n++) {
    const due = start + day * DAY + Math.floor((n / sends) * (day === DAYS - 1 ? 15 : 24) * HOUR);
    if (clock.now() < due) pass(due - clock.now());
    await sendCode(person());
    if (n % 20 === 0)
      await passbell.post('/notifications/order', {
        to: NUMBERS[0]!(),
        templateType: 'order_shipped',
        variables: { orderId: String(freshOrder()), trackingLink: 'https://track.example/1Z999' },
      });
  }
}

const shops = createShops(passbell, await signIn(passbell, 'owner', { email: PEOPLE[0]! }));
const shop = await shops.connect(passbell.keys, 'woocommerce');
await shops.automate(shop, 'paid');
for (let n = 0; n < 3; n++) {
  const date_paid_gmt = new Date(clock.now()).toISOString().slice(0, 19);
  await shops.post(shop, shops.woo({ ...shop, phone: NUMBERS[0]!() }, freshOrder(), { date_paid_gmt }));
}
await shops.handled(shop);

// The bad night: an SMS pumping attack, a provider that is down, a webhook that fails, and French customers.
const dead = createServer((_, response) => response.writeHead(503).end('upstream down')).listen(0, '127.0.0.1');
await new Promise((resolve) => dead.once('listening', resolve));
await subscribe(`http://127.0.0.1:${(dead.address() as { port: number }).port}/orders`, events);
for (let n = 0; n < 45; n++) {
  await sendCode(`+88017${10 + (n % 7)}${digits(6)}`, 'never');
  clock.advance(20 * SECOND);
}
for (let n = 0; n < 24; n++) {
  await sendCode(`+336${digits(8)}`, 'never');
  clock.advance(25 * SECOND);
}
pass(2 * HOUR);
gateway.respondWith({ status: 503, body: { error: 'maintenance' } });
for (let n = 0; n < 20; n++) {
  await sendCode(NUMBERS[n % 2]!());
  clock.advance(50 * SECOND);
}
twilio.respondWith(({ form }) => twilioError(400, 21211, `The 'To' number ${form['To']} is not a valid phone number.`));
for (let n = 0; n < 4; n++) await sendCode(NUMBERS[4]!());
twilio.respondWith('accept');
gateway.respondWith({ status: 200, body: { id: 'gw-1' } });
const loaded = await core.applications.service.load(appKey);
await core.fraud.pauses.act(OPERATOR, loaded, { scope: 'country', key: 'BR' }, 'pause');
await core.fraud.pauses.act(OPERATOR, loaded, { scope: 'country', key: 'GB' }, 'allow');
await update(OPERATOR, appKey, { limits: { messageBudgetPerDay: 5000 } });
if (clock.now() < Date.now()) pass(Date.now() - 20 * MINUTE - clock.now());
for (let n = 0; n < 12; n++) {
  await sendCode(person());
  clock.advance(30 * SECOND);
}

clock.advance(Math.max(0, Date.now() - clock.now()));
// The limits were off while the messages of two weeks were sent within seconds.
await update(OPERATOR, appKey, { limits: { ...DEFAULT_LIMITS, messageBudgetPerDay: 5000 } });

const port = process.argv[2] ?? '4280';
for (const email of PEOPLE) {
  const { token } = await core.people.signInLinks.create(OPERATOR, email);
  console.log(`http://127.0.0.1:${port}/dashboard/sign-in/link?key=${token}`);
}
const folder = createDataFolder('demo');
cpSync(passbell.dataDir, folder, { recursive: true });
recordBackup(folder);
const environment = { ...SETTINGS, DATA_DIR: folder, PORT: port, NODE_ENV: 'development' };
const program = ['--import', 'tsx', 'backend/src/main.ts'];
spawn(process.execPath, program, { env: { ...process.env, ...environment }, stdio: ['ignore', 'inherit', 'inherit'] });
console.log(
  Object.entries(environment)
    .map(([name, value]) => `${name}=${value}`)
    .join(' '),
);
