/**
 * A made-up account after a bad night: its provider was down for 20 minutes, somebody pumped SMS to Bangladesh, nobody in
 * France enters a code, a webhook is dead, and the daily budget is at 85%. `npx tsx test/support/bad-night.ts` starts it, and prints a sign-in link.
 */
import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { groupBy } from '../../backend/src/dashboard/group-by.js';
import { total } from '../../backend/src/dashboard/usage/figures.js';
import { DEFAULT_LIMITS } from '../../backend/src/modules/applications/application-limits.js';
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { hintOf } from '../../backend/src/modules/fraud/fraud-texts.js';
import { MAX_STORED_PER_HOUR } from '../../backend/src/modules/messages/record-refusal.js';
import { recipientKeysOf } from '../../backend/src/modules/otp/recipient-keys.js';
import { chargeOf } from '../../backend/src/modules/usage/usage.js';
import { recordBackup } from '../../backend/src/platform/backup.js';
import { DAY, HOUR, MINUTE, SECOND } from '../../backend/src/platform/clock.js';
import { signIn, type Visitor } from './dashboard.js';
import { numbers, startGuardedService, type GuardedService } from './guarded-service.js';
import { accountOf, setRoute, VERIFIED, waitForRoutingUpdate } from './providers.js';
import { until } from './wait.js';

const BUDGET = 20;
const OUTAGE_FAILURES = 58;
const OUTAGE_RESCUES = 41;
/** People who requested another code after the outage. */
const LATER_CODES = 40;
const WRONG_NUMBERS = 3;
/** Mistyped numbers on each of the days before today. On earlier days, the shop checked them itself. */
const EARLIER_WRONG = { perDay: 4, days: 9 };
const DAYS = 30;
/** Sent to France yesterday and today. */
const FRENCH = [9, 14] as const;
/** The countries in which nobody enters a code. */
const NEVER_ENTERED: readonly string[] = ['FR', 'BD'];
/** Sent to Bangladesh in the half hour before its pause. */
const BEFORE_PAUSE = 26;
const PUMPED = 30;
/** The part of {@link PUMPED} that the guard does not refuse. */
const PUMPED_SENT = 10;
const US_PRICE = 83;
const FR_PRICE = 520;
const BD_PRICE = 755;
const PRICES = new Map([
  ['US', US_PRICE],
  ['FR', FR_PRICE],
  ['BD', BD_PRICE],
]);

export interface BadNight {
  readonly service: GuardedService;
  readonly owner: Visitor;
}

/** The numbers of messages to each kind of recipient on a day. */
const sentOn = (ago: number) => {
  const all = ago === 0 ? 2150 - PUMPED_SENT : ago === 1 ? 1204 : 900 + ((ago * 137) % 400);
  const email = Math.round(all * 0.1);
  const french = FRENCH[1 - ago] ?? 0;
  const bangladeshi = ago === 1 ? BEFORE_PAUSE : 0;
  return { email, french, bangladeshi, us: all - email - french - bangladeshi };
};

const wrongOn = (ago: number) => (ago <= EARLIER_WRONG.days ? EARLIER_WRONG.perDay : 0);

/** Stores the usage of the last 30 days. Yesterday had 1,204 messages, and today has 2,150 with those to Bangladesh. */
async function fillUsage(
  { passbell }: GuardedService,
  applicationId: number,
  today: number,
  messages: readonly StoredMessage[],
): Promise<void> {
  const db = passbell.openDatabase();
  const keyOf = (ago: number, country: string, report: StoredMessage['report']) => `${ago} ${country} ${report}`;
  const reports = new Map<string, number>();
  for (const { created_at, country, report } of messages) {
    const key = keyOf(Math.max(0, Math.ceil((today - DAY / 2 - created_at) / DAY)), country, report);
    reports.set(key, (reports.get(key) ?? 0) + 1);
  }
  const days = Array.from({ length: DAYS }, (_, ago) => ({ ago, at: today - ago * DAY, sent: sentOn(ago) }));
  const rows = days.flatMap(({ ago, at, sent: { us, french, bangladeshi, email } }) =>
    [
      { channel: 'SMS', country: 'US', sent: us, price: US_PRICE, entered: 0.91 },
      { channel: 'SMS', country: 'FR', sent: french, price: FR_PRICE, entered: 0 },
      { channel: 'SMS', country: 'BD', sent: bangladeshi, price: BD_PRICE, entered: 0 },
      { channel: 'EMAIL', country: '', sent: email, price: 0, entered: 0.91 },
    ]
      .filter(({ sent }) => sent > 0)
      .map(({ channel, country, sent, price, entered }) => {
        const failedToday = OUTAGE_FAILURES + WRONG_NUMBERS;
        return {
          application_id: applicationId,
          currency: 'usd',
          day: new Date(at).toISOString().slice(0, 10),
          channel,
          country,
          sent,
          delivered: reports.get(keyOf(ago, country, 'delivered')) ?? 0,
          undelivered: reports.get(keyOf(ago, country, 'undelivered')) ?? 0,
          failed: country !== 'US' ? 0 : ago === 0 ? failedToday : wrongOn(ago),
          codes: sent,
          verified: Math.round(sent * entered),
          cost: sent * price,
        };
      }),
  );
  await db('usage_counts').insert(rows);
  // The guard counts the days in UTC.
  const dayOf = ({ created_at, country }: StoredMessage) => `${Math.floor(created_at / DAY) * DAY} ${country}`;
  const guarded = messages.filter(({ state, country }) => state === 'sent' && country !== '');
  const counted = groupBy(
    guarded.filter(({ created_at }) => created_at > today - 14 * DAY),
    dayOf,
  ).map((all) => {
    const [{ created_at, country }] = all as [StoredMessage];
    const verified = NEVER_ENTERED.includes(country) ? 0 : Math.round(all.length * 0.91);
    return {
      application_id: applicationId,
      day: Math.floor(created_at / DAY) * DAY,
      country,
      sent: all.length,
      verified,
    };
  });
  await db('fraud_days').insert(counted);
  await db.destroy();
}

const priceOf = (units: number, country: string) => ({ charge: chargeOf(BigInt(units)), currency: 'usd', country });

const ATTEMPTS = {
  /** Twilio may have sent the message, so no other provider is called. */
  silent: {
    channel: 'SMS',
    provider: 'Twilio',
    success: false,
    message: 'Twilio did not reply in time',
    ifSent: { charge: '0.0083', currency: 'USD', country: 'US' },
  },
  unavailable: {
    channel: 'SMS',
    provider: 'Twilio',
    success: false,
    message: 'the provider was temporarily unavailable (503)',
  },
  wrong: { channel: 'SMS', provider: 'Twilio', success: false, message: 'this is not a valid phone number (21211)' },
  twilio: { channel: 'SMS', provider: 'Twilio', success: true, message: 'sent', price: priceOf(US_PRICE, 'US') },
  twilioFrance: { channel: 'SMS', provider: 'Twilio', success: true, message: 'sent', price: priceOf(FR_PRICE, 'FR') },
  twilioBangladesh: {
    channel: 'SMS',
    provider: 'Twilio',
    success: true,
    message: 'sent',
    price: priceOf(BD_PRICE, 'BD'),
  },
  vonage: { channel: 'SMS', provider: 'Vonage', success: true, message: 'sent', price: priceOf(US_PRICE, 'US') },
  email: { channel: 'EMAIL', provider: 'Harbor mail', success: true, message: 'sent', price: priceOf(0, '') },
} as const;

const COUNTRIES = [
  ['+1', 'US'],
  ['+33', 'FR'],
  ['+880', 'BD'],
] as const;

type StoredMessage = ReturnType<typeof messagesOf>[number];

/** Returns the messages of 30 days. Today, some failed while the provider was down, and another provider sent some. */
function messagesOf(applicationId: number, midnight: number) {
  const outageStart = midnight + 2 * HOUR + 10 * MINUTE;
  const outageMs = 20 * MINUTE;
  const now = midnight + 7 * HOUR + 9 * MINUTE;
  const { us, french, email } = sentOn(0);
  // Few messages are sent before the day of the budget starts (UTC), so that 85% of the budget are used.
  const first = midnight + 51.8 * MINUTE;
  /** Returns a time until now, outside the outage. */
  const spread = (n: number, count: number) => {
    const at = first + ((n + 1) / count) * (now - first - outageMs);
    return at < outageStart ? at : at + outageMs;
  };
  const during = (n: number, count: number) => outageStart + (n * outageMs) / count;
  const afterOutage = (n: number, count: number) => during(n, count) + outageMs;
  const beforePause = (n: number, count: number) => midnight - HOUR - 30 * MINUTE + (n * 30 * MINUTE) / count;
  const daysAgo = (ago: number) => (n: number, count: number) => midnight - ago * DAY + ((n + 0.5) * DAY) / count;
  type Report = 'delivered' | 'undelivered' | null;
  type Kind = readonly [
    count: number,
    at: typeof spread,
    tried: readonly (keyof typeof ATTEMPTS)[],
    to: (n: number) => string,
    report?: (n: number) => Report,
  ];
  const american = (from: number) => (n: number) => `+1415${2000000 + from + n}`;
  /** Most people whose code did not arrive soon request another one. */
  const again = (from: number) => (n: number) => american(from)(n % 101 === 53 && n % 404 !== 53 ? n - 3 : n);
  const usual = (n: number): Report => (n % 100 === 0 ? null : n % 101 === 50 ? 'undelivered' : 'delivered');
  const earlier = Array.from({ length: DAYS - 1 }, (_, n) => n + 1).flatMap((ago): Kind[] => {
    const sent = sentOn(ago);
    return [
      [sent.us, daysAgo(ago), ['twilio'], again(10_000 + 137 * ago)],
      [sent.email, daysAgo(ago), ['email'], (n) => `reader${n}@example.com`],
      [wrongOn(ago), daysAgo(ago), ['wrong'], american(20_000 + 137 * ago)],
      [sent.french, daysAgo(ago), ['twilioFrance'], (n) => `+336123500${10 + n}`, () => 'delivered'],
      [sent.bangladeshi, beforePause, ['twilioBangladesh'], (n) => `+88018123400${10 + n}`, () => 'delivered'],
    ];
  });
  const kinds: readonly Kind[] = [
    [OUTAGE_FAILURES, during, ['silent'], american(0)],
    [OUTAGE_RESCUES, during, ['vonage', 'unavailable'], american(1000)],
    [WRONG_NUMBERS, spread, ['wrong'], american(2000)],
    [us - OUTAGE_RESCUES - LATER_CODES, spread, ['twilio'], again(3000)],
    [french, spread, ['twilioFrance'], (n) => `+336123400${10 + n}`, () => 'delivered'],
    [email, spread, ['email'], (n) => `reader${n}@example.com`],
    [LATER_CODES, afterOutage, ['twilio'], american(0)],
    ...earlier,
  ];
  return kinds.flatMap(([count, at, tried, to, known = usual], kind) =>
    Array.from({ length: count }, (_, n) => {
      const { channel, success } = ATTEMPTS[tried[0]!];
      const createdAt = Math.floor(at(n, count));
      const end = createdAt + 30 * SECOND;
      const isReported = success && channel === 'SMS';
      // The mail server reports no deliveries.
      const report = isReported ? known(n) : null;
      const recipient = to(n);
      return {
        country: COUNTRIES.find(([prefix]) => recipient.startsWith(prefix))?.[1] ?? '',
        id: `night${kind}-${n}`,
        application_id: applicationId,
        mask_id: `night${kind}-${n}`,
        template: 'otp',
        request_id: '',
        recipient,
        plan: JSON.stringify([channel]),
        state: success ? 'sent' : 'failed',
        ending: success ? (report ?? '') : 'failed',
        report,
        reported_at: report === null ? null : end,
        channel,
        tried: JSON.stringify(tried.map((name) => ({ ...ATTEMPTS[name], at: end }))),
        attempts: tried.length,
        created_at: createdAt,
        expires_at: createdAt + 5 * MINUTE,
        finished_at: end,
      };
    }),
  );
}

async function fillMessages(
  { passbell }: GuardedService,
  applicationId: number,
  midnight: number,
  rows: readonly StoredMessage[],
): Promise<void> {
  const db = passbell.openDatabase();
  await db.batchInsert(
    'messages',
    rows.map(({ country: _, ...row }) => row),
    200,
  );
  // Codes are stored for a week.
  const codes = rows
    .filter(({ state, created_at }) => state === 'sent' && created_at > midnight - 6 * DAY)
    .map(({ id, recipient, country, channel, report, created_at, expires_at }, n) => {
      const isEntered = report !== 'undelivered' && !NEVER_ENTERED.includes(country) && n % 11 > 0;
      return {
        mask_id: id,
        // The stored usage counts them already.
        message_id: null,
        application_id: applicationId,
        recipient,
        recipient_key: recipientKeysOf(applicationId, recipient)[0]!,
        channel,
        state: isEntered ? 'verified' : 'live',
        code_hash: '',
        code_length: 6,
        created_at,
        expires_at,
        verified_at: isEntered ? created_at + 40 * SECOND : null,
      };
    });
  await db.batchInsert('otp_sessions', codes, 200);
  const entered = codes.filter(({ verified_at }) => verified_at !== null).sort((a, b) => a.created_at - b.created_at);
  const users = groupBy(entered, ({ recipient }) => recipient).map(([first], n) => ({
    user_id: `USR-night${n}`,
    application_id: applicationId,
    user_application_id: n + 1,
    identity_type: first!.recipient.includes('@') ? 'email' : 'phone',
    identity: first!.recipient,
    created_at: first!.verified_at,
    last_verified_at: first!.verified_at,
  }));
  await db.batchInsert('users', users, 200);
  // Time has reduced what the French messages add.
  const now = midnight + 7 * HOUR + 9 * MINUTE;
  const excess = { excess: 8.5, sent: FRENCH[1], verified: 0, since: midnight, changed_at: now, per_hour: 1 };
  await db('fraud_excesses').insert({ application_id: applicationId, name: 'country FR', ...excess });
  await db('applications')
    .where({ id: applicationId })
    .update({ created_at: midnight - DAYS * DAY, last_used_at: now, user_count: users.length });
  await db.destroy();
}

/** Adds the provider that sends SMS while Twilio is down, and the one that sends emails. */
async function addProviders({ passbell }: GuardedService, accountId: number): Promise<void> {
  const { service } = passbell.core.providers;
  const vonage = { apiKey: 'a1b2c3d4', apiSecret: 'secret', from: 'Harbor' };
  const smtp = { host: '127.0.0.1', port: '9', security: 'none', from: 'Harbor Books <codes@harborbooks.example>' };
  await service.add(OPERATOR, accountId, { type: 'smtp', name: 'Harbor mail', settings: smtp }, VERIFIED);
  const { id } = await service.add(OPERATOR, accountId, { type: 'vonage', name: 'Vonage', settings: vonage }, VERIFIED);
  const twilio = (await service.list(OPERATOR, accountId)).find(({ name }) => name === 'Twilio')!;
  await setRoute(passbell, 'SMS', '*', twilio.id, id);
  await waitForRoutingUpdate(passbell);
}

/** Stores what the guard refused before midnight, of which the list of messages shows a part. */
async function fillRefusals({ passbell }: GuardedService, applicationId: number, at: number): Promise<void> {
  const db = passbell.openDatabase();
  const refusals = { country: 'BD', messages: 412, people: 409, challenged: 0, served: false };
  await db('fraud_refusals').insert({ application_id: applicationId, day: at, rule: 'country', ...refusals });
  const pause = {
    scope: 'country',
    scope_key: 'BD',
    level: 1,
    rule: 'country',
    paused_at: at,
    paused_until: at + HOUR,
  };
  const noEvidence = {
    evidence: JSON.stringify({ from: 0, sent: 0, verified: 0 }),
    established: false,
    challenged: false,
    allowed_until: 0,
  };
  await db('fraud_scopes').insert({ application_id: applicationId, ...pause, ...noEvidence });
  const refusal = JSON.stringify({
    code: 'FRAUD_SUSPECTED',
    reason: 'messages like this one are paused because they look like fraud',
    until: at + HOUR,
    hint: hintOf({ rule: 'country' }),
  });
  const refused = Array.from({ length: MAX_STORED_PER_HOUR }, (_, n) => ({
    id: `refused${n}`,
    application_id: applicationId,
    mask_id: `refused${n}`,
    template: 'otp',
    request_id: '',
    recipient: `+880181234${1000 + n}`,
    plan: JSON.stringify(['SMS']),
    state: 'refused',
    ending: 'refused',
    channel: 'SMS',
    tried: '[]',
    attempts: 0,
    created_at: at + n * SECOND,
    expires_at: at + n * SECOND + 5 * MINUTE,
    finished_at: at + n * SECOND,
    refusal,
  }));
  await db.batchInsert('messages', refused, 50);
  await db.destroy();
}

/** It is 7:10 in Berlin on a Saturday morning. */
export async function startBadNight(): Promise<BadNight> {
  const prices = { '*': '0.05', US: '0.0083', FR: '0.052', BD: '0.0755' };
  const service = await startGuardedService({ WEBHOOKS_ALLOW_PRIVATE: 'true' }, prices, 'USD');
  const { passbell, keys } = service;
  const { core, clock } = passbell;
  const accountId = await accountOf(passbell);
  await core.applications.service.update(OPERATOR, passbell.keys.appKey, { name: 'Harbor Books staging' });
  await core.applications.service.update(OPERATOR, keys.appKey, {
    name: 'Harbor Books',
    settings: { servedCountries: ['US', 'FR'] },
    design: { title: 'Harbor Books' },
    limits: { budgetPerDay: BUDGET },
  });
  const timeZone = 'Europe/Berlin';
  await core.applications.profiles.update(OPERATOR, accountId, { name: 'Harbor Books', timeZone });
  const application = await core.applications.service.load(keys.appKey);
  const midnight = Date.parse('2027-01-15T23:00Z');
  clock.advance(midnight - HOUR - clock.now());
  await addProviders(service, accountId);
  const messages = messagesOf(application.id, midnight);
  await fillUsage(service, application.id, midnight + 12 * HOUR, messages);
  await fillRefusals(service, application.id, midnight - HOUR);
  clock.advance(midnight + 2 * HOUR - clock.now());
  await core.webhooks.service.create(OPERATOR, application, {
    url: 'http://127.0.0.1:9/passbell',
    events: ['message.accepted'],
  });
  await service.sendToAll(numbers('+88017120001', PUMPED));
  const db = passbell.openDatabase();
  let failures = 2;
  const hasFailed = async () => (await db('webhooks').where('failures', '>', failures).first('id')) !== undefined;
  for (let retries = 0; retries < 3; retries++) {
    await until('failed calls of the webhook', hasFailed, async () => clock.advance(MINUTE));
    ({ failures } = await db('webhooks').first('failures'));
  }
  await db.destroy();
  await fillMessages(service, application.id, midnight, messages);
  clock.advance(midnight + 7 * HOUR + 10 * MINUTE - clock.now());
  const today = messages.filter(({ created_at, state }) => created_at >= midnight + HOUR && state === 'sent');
  const charges = today.map(({ country }) => PRICES.get(country) ?? 0).filter((price) => price > 0);
  const budgets = { cost: total(charges) + PUMPED_SENT * BD_PRICE, messages: charges.length + PUMPED_SENT };
  for (const [unit, used] of Object.entries(budgets)) {
    const key = `budget:${application.id}:${unit}`;
    const amount = used - (await core.limiter.sumOf(key));
    await core.limiter.take([{ key, code: 'APPLICATION_DAILY_LIMIT', perDay: Number.MAX_SAFE_INTEGER, amount }]);
  }
  // The limits were off while all messages were sent at once.
  const limits = { ...DEFAULT_LIMITS, budgetPerDay: BUDGET };
  await core.applications.service.update(OPERATOR, keys.appKey, { limits });
  // Its backups work.
  recordBackup(passbell.dataDir);
  utimesSync(join(passbell.dataDir, 'last-backup'), clock.now() / 1000, clock.now() / 1000);
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
