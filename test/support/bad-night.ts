/**
 * A made-up account after a bad night: its provider was down for 20 minutes, somebody pumped SMS to Bangladesh, nobody in
 * France enters a code, a webhook is dead, and the daily budget is at 85%. `npx tsx test/support/bad-night.ts` starts it, and prints a sign-in link.
 */
import { pathToFileURL } from 'node:url';
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { DAY, HOUR, MINUTE, SECOND } from '../../backend/src/platform/clock.js';
import { signIn, type Visitor } from './dashboard.js';
import { numbers, startGuardedService, type GuardedService } from './guarded-service.js';
import { accountOf } from './providers.js';
import { until } from './wait.js';

const BUDGET = 40;
const OUTAGE_FAILURES = 58;
const OUTAGE_RESCUES = 41;
const LATER_MESSAGES = 12;
const FAILED = { state: 'failed', ending: 'failed', report: null, reported_at: null };

export interface BadNight {
  readonly service: GuardedService;
  readonly owner: Visitor;
}

/** Stores the usage of the last two weeks: more on weekdays, and 1,204 messages yesterday. */
async function fillUsage({ passbell }: GuardedService, applicationId: number, today: number): Promise<void> {
  const db = passbell.openDatabase();
  const rows = Array.from({ length: 30 }, (_, ago) => {
    const sent = ago === 0 ? 2150 : ago === 1 ? 1204 : 900 + ((ago * 137) % 400);
    const row = { application_id: applicationId, currency: 'usd', undelivered: Math.round(sent * 0.01) };
    const day = new Date(today - ago * DAY).toISOString().slice(0, 10);
    return [
      { share: 0.7, channel: 'SMS', country: 'US', price: 79 },
      { share: 0.2, channel: 'SMS', country: 'FR', price: 520 },
      { share: 0.1, channel: 'EMAIL', country: '', price: 0 },
    ].map(({ share, price, ...kind }) => {
      const count = Math.round(sent * share);
      const failed = ago === 0 && kind.country === 'US' ? OUTAGE_FAILURES : Math.round(count * 0.004);
      const counts = { sent: count, delivered: Math.round(count * 0.97), failed, codes: count };
      return { ...row, ...kind, day, ...counts, verified: Math.round(count * 0.91), cost: count * price };
    });
  }).flat();
  await db('usage_counts').insert(rows);
  await db.destroy();
}

/** Stores the messages that failed while the provider was down, those that another provider sent, and later ones. */
async function failMessages({ passbell }: GuardedService, applicationId: number, from: number): Promise<void> {
  const db = passbell.openDatabase();
  const attempt = {
    channel: 'SMS',
    provider: 'Twilio',
    success: false,
    message: 'the provider cannot accept messages at the moment (503)',
  };
  const sent = { channel: 'SMS', provider: 'Vonage', success: true, message: 'sent' };
  const rows = Array.from({ length: OUTAGE_FAILURES + OUTAGE_RESCUES + LATER_MESSAGES }, (_, n) => {
    const isSent = n >= OUTAGE_FAILURES;
    const isLater = n >= OUTAGE_FAILURES + OUTAGE_RESCUES;
    const step = isSent ? n - OUTAGE_FAILURES : n;
    const createdAt = from + (isLater ? (step - 30) * 9 * MINUTE : (step * 20 * MINUTE) / OUTAGE_FAILURES);
    const at = createdAt + 30 * SECOND;
    const end = isSent ? { state: 'sent', ending: 'delivered', report: 'delivered', reported_at: at } : FAILED;
    return {
      id: `night${n}`,
      application_id: applicationId,
      mask_id: `night${n}`,
      template: 'otp',
      request_id: '',
      recipient: `+1415555${2000 + n}`,
      plan: '["SMS"]',
      ...end,
      channel: 'SMS',
      tried: JSON.stringify([...(isSent ? [{ ...sent, at }] : []), ...(isLater ? [] : [{ ...attempt, at }])]),
      attempts: 3,
      created_at: createdAt,
      expires_at: createdAt + 5 * MINUTE,
      finished_at: at,
    };
  });
  await db('messages').insert(rows);
  await db.destroy();
}

/** Stores what the guard refused before midnight, and the customers whom it challenged. */
async function fillRefusals({ passbell }: GuardedService, applicationId: number, at: number): Promise<void> {
  const db = passbell.openDatabase();
  const row = { application_id: applicationId, day: at, rule: 'country' };
  const day = Math.floor(at / DAY) * DAY;
  await db('fraud_days').insert({ application_id: applicationId, country: 'FR', day, sent: 23, verified: 0 });
  await db('fraud_refusals').insert([
    { ...row, country: 'BD', messages: 412, people: 409, challenged: 0, served: false },
    { ...row, country: 'FR', messages: 0, people: 0, challenged: 3, served: true },
  ]);
  await db.destroy();
}

/** It is 7:10 in Berlin on a Saturday morning. */
export async function startBadNight(): Promise<BadNight> {
  const prices = { '*': '0.05', US: '0.0079', FR: '0.052', BD: '0.0755' };
  const service = await startGuardedService({ WEBHOOKS_ALLOW_PRIVATE: 'true' }, prices, 'USD');
  const { passbell, keys } = service;
  const { core, clock } = passbell;
  const accountId = await accountOf(passbell);
  await core.applications.service.update(OPERATOR, passbell.keys.appKey, { name: 'Harbor Books staging' });
  await core.applications.service.update(OPERATOR, keys.appKey, {
    name: 'Harbor Books',
    settings: { servedCountries: ['US', 'FR'] },
    limits: { budgetPerDay: BUDGET },
  });
  const timeZone = 'Europe/Berlin';
  await core.applications.profiles.update(OPERATOR, accountId, { name: 'Harbor Books', timeZone });
  const application = await core.applications.service.load(keys.appKey);
  const midnight = Date.parse('2027-01-15T23:00Z');
  clock.advance(midnight - HOUR - clock.now());
  await service.learnConversion();
  await fillRefusals(service, application.id, midnight - HOUR);
  clock.advance(midnight + 2 * HOUR - clock.now());
  await core.webhooks.service.create(OPERATOR, application, {
    url: 'http://127.0.0.1:9/passbell',
    events: ['message.accepted'],
  });
  await service.sendToAll(numbers('+88017120001', 30));
  const db = passbell.openDatabase();
  const hasFailed = async () => (await db('webhooks').where('failures', '>', 2).first('id')) !== undefined;
  await until('failed calls of the webhook', hasFailed, async () => clock.advance(MINUTE));
  await db('usage_counts').delete();
  await db.destroy();
  await fillUsage(service, application.id, midnight + 12 * HOUR);
  await failMessages(service, application.id, midnight + 2 * HOUR + 10 * MINUTE);
  clock.advance(midnight + 7 * HOUR + 10 * MINUTE - clock.now());
  const key = `budget:${application.id}:cost`;
  const used = await core.limiter.sumOf(key);
  const amount = 0.85 * BUDGET * 10_000 - used;
  await core.limiter.take([{ key, code: 'APPLICATION_DAILY_LIMIT', perDay: Number.MAX_SAFE_INTEGER, amount }]);
  // The session would have expired during the night.
  return { service, owner: await signIn(passbell) };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { service, owner } = await startBadNight();
  const { core, url } = service.passbell;
  const link = await core.people.signInLinks.create(OPERATOR, owner.person!.email);
  process.stdout.write(
    `${'token' in link ? `${url}/dashboard/sign-in/link?key=${link.token}` : JSON.stringify(link)}\n`,
  );
}
