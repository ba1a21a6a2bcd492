/** Account owners cannot exceed the ceilings that the operator sets, because the operator pays for the messages. */
import { durationText } from '../../backend/src/platform/clock.js';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import type { CeilingsChange } from '../../backend/src/modules/applications/account-ceilings.js';
import type { KeyPair } from '../../backend/src/modules/applications/application.js';
import { DAY } from '../../backend/src/platform/clock.js';
import { signIn, type Visitor } from '../support/dashboard.js';
import { freshMail, freshPhone, NO_LIMITS, startService, type Body, type TestService } from '../support/service.js';
import { startTwilioServer, TWILIO_ERRORS, type TwilioServer } from '../support/twilio-server.js';

const folder = mkdtempSync(join(tmpdir(), 'passbell-ceilings-'));
let twilio: TwilioServer;
let passbell: TestService;
beforeAll(async () => {
  const pricesFile = join(folder, 'prices.json');
  writeFileSync(
    pricesFile,
    JSON.stringify({ currency: 'EUR', prices: { SMS: { '*': '0.3' }, VOICE: { '*': '0.7' } } }),
  );
  twilio = await startTwilioServer();
  passbell = await startService({
    PRICES_FILE: pricesFile,
    TWILIO_API_URL: twilio.url,
    TWILIO_ACCOUNT_SID: twilio.accountSid,
    TWILIO_AUTH_TOKEN: twilio.authToken,
    TWILIO_SMS_FROM: '+14155550100',
    TWILIO_VOICE_FROM: '+14155550100',
  });
});
afterAll(async () => {
  await passbell.stop();
  await twilio.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => twilio.respondWith('accept'));

interface Account {
  readonly email: string;
  readonly owner: Visitor;
  /** Creates an application as the operator, with limits that no test reaches. */
  application(): Promise<KeyPair>;
}

async function createTestAccount(ceilings: CeilingsChange = {}): Promise<Account> {
  const { applications } = passbell.core;
  const email = freshMail();
  const accountId = await applications.service.createAccount(OPERATOR, email);
  await applications.service.setCeilings(OPERATOR, accountId, ceilings);
  return {
    email,
    owner: await signIn(passbell, 'owner', { account: email }),
    async application() {
      const keys = await applications.service.create(OPERATOR, { name: 'Shop', email });
      await applications.service.update(OPERATOR, keys.appKey, NO_LIMITS);
      return keys;
    },
  };
}

const send = (keys: KeyPair, to: string, more: object = {}): Promise<Body> =>
  passbell.post('/auth/sendotp', { to, authWay: to.includes('@') ? 'EMAIL' : 'SMS', ...more }, { keys });
const notify = (keys: KeyPair, to: string, orderId: string): Promise<Body> =>
  passbell.post(
    '/notifications/order',
    { to, authWay: 'EMAIL', templateType: 'order_placed', variables: { orderId } },
    { keys },
  );
const limitsOf = async ({ appKey }: KeyPair) => (await passbell.core.applications.service.load(appKey)).settings.limits;
const secondsToMidnight = () => Math.ceil((DAY - (passbell.clock.now() % DAY)) / 1000);

describe('an owner', () => {
  it('cannot turn a limit off, and sees the allowed range', async () => {
    const { owner } = await createTestAccount();
    const keys = await passbell.core.applications.service.create(
      { name: owner.person!.email, may: () => true },
      { name: 'Shop', accountId: owner.person!.accountId },
    );
    const settings = `/applications/${keys.appKey}/settings/rates`;
    const save = async (change: Record<string, string>) => {
      const stored = Object.entries(await limitsOf(keys)).map(([name, value]) => [name, String(value)]);
      return owner.submit(settings, settings, { ...Object.fromEntries(stored), ...change });
    };
    for (const [change, text] of [
      [{ burstPerMinute: '0' }, 'Enter a number from 1 to 1,000. Only the operator'],
      [{ burstPerMinute: '1001' }, 'Enter a number from 1 to 1,000. Only the operator'],
      [{ sendsPerDay: '0' }, 'Enter a number from 1 to 50. Only the operator'],
      [{ cooldownSeconds: '9' }, 'Enter a number of at least 10. Only the operator'],
      [{ wrongCodesPerHour: '0' }, 'Enter a number from 1 to 50. Only the operator'],
    ] as const) {
      const reply = await save(change);
      expect([reply.status, reply.html.includes(text)]).toEqual([422, true]);
    }
    expect(await limitsOf(keys)).toMatchObject({ burstPerMinute: 100, sendsPerDay: 10, cooldownSeconds: 30 });
    expect((await save({ burstPerMinute: '1000', cooldownSeconds: '10', confirmed: 'yes' })).status).toBe(303);
    expect(await limitsOf(keys)).toMatchObject({ burstPerMinute: 1000, cooldownSeconds: 10 });
  });

  it('cannot change the ceilings', async () => {
    const { owner } = await createTestAccount();
    const actor = { name: owner.person!.email, may: () => true };
    const { accountId } = owner.person!;
    await expect(
      passbell.core.applications.service.setCeilings(actor, accountId, { messagesPerDay: 0 }),
    ).rejects.toThrow('is not the operator');
  });

  it('cannot create more applications than allowed, not even in parallel', async () => {
    const { owner, email } = await createTestAccount({ applications: 5 });
    const { accountId } = owner.person!;
    const { html } = await owner.get('/applications/new');
    const token = /name="token" value="([^"]*)"/.exec(html)![1]!;
    const create = (n: number) => owner.post('/applications/new', { token, name: `Shop ${n}` });
    const replies = await Promise.all(Array.from({ length: 12 }, (_, n) => create(n)));
    expect(replies.filter(({ status }) => status === 303)).toHaveLength(5);
    const refused = replies.filter(({ status }) => status === 422);
    expect(refused).toHaveLength(7);
    expect(refused[0]!.html).toContain('Your account has reached its limit of 5 applications.');
    expect(await passbell.core.applications.service.listInAccount(accountId)).toHaveLength(5);
    await passbell.core.applications.service.create(OPERATOR, { name: 'One more', email });
    expect(await passbell.core.applications.service.listInAccount(accountId)).toHaveLength(6);
  });
});

describe('application limits beyond a ceiling', () => {
  it('are reduced to the ceiling, regardless of the stored limits', async () => {
    const { application, owner } = await createTestAccount();
    const keys = await application();
    const { accountId } = owner.person!;
    expect(await limitsOf(keys)).toMatchObject({ burstPerMinute: 0, cooldownSeconds: 0 });
    const limits = { burstPerMinute: 3, cooldownSeconds: 10 };
    await passbell.core.applications.service.setCeilings(OPERATOR, accountId, { limits });
    passbell.clock.advance(2000);
    expect(await limitsOf(keys)).toMatchObject(limits);
    const replies = [];
    for (let n = 0; n < 4; n++) replies.push(await send(keys, freshPhone()));
    expect(replies.map(({ code }) => code)).toEqual([undefined, undefined, undefined, 'BURST_LIMIT']);
  });
});

describe('messages counted towards the daily limit', () => {
  it('are limited across all applications of an account, for parallel sends and after a restart', async () => {
    const { application } = await createTestAccount({ messagesPerDay: 6 });
    const one = await application();
    const two = await application();
    const replies = await Promise.all(Array.from({ length: 20 }, (_, n) => send(n % 2 ? one : two, freshPhone())));
    expect(replies.filter(({ success }) => success)).toHaveLength(6);
    const refused = replies.filter(({ code }) => code === 'ACCOUNT_DAILY_LIMIT');
    expect(refused).toHaveLength(14);
    expect(refused[0]).toMatchObject({ success: false, retryAfterSeconds: secondsToMidnight() });

    passbell = await passbell.restart();
    expect(await send(one, freshPhone())).toMatchObject({ code: 'ACCOUNT_DAILY_LIMIT' });
    const other = await (await createTestAccount({ messagesPerDay: 6 })).application();
    expect(await send(other, freshPhone())).toMatchObject({ success: true });
    passbell.clock.advance(secondsToMidnight() * 1000);
    expect(await send(two, freshPhone())).toMatchObject({ success: true });
  });

  it('include neither messages to test recipients nor messages that were certainly not sent', async () => {
    const { application } = await createTestAccount({ messagesPerDay: 2 });
    const keys = await application();
    const settings = { testRecipients: { '+15550100': '123456' } };
    await passbell.core.applications.service.update(OPERATOR, keys.appKey, { settings });
    passbell.clock.advance(2000);
    for (let n = 0; n < 3; n++) expect(await send(keys, '+15550100')).toMatchObject({ success: true });
    twilio.respondWith(TWILIO_ERRORS.optedOut);
    for (let n = 0; n < 3; n++) expect(await send(keys, freshPhone())).toMatchObject({ code: 'SEND_FAILED' });
    twilio.respondWith('accept');
    const replies = [];
    for (let n = 0; n < 3; n++) replies.push(await send(keys, freshPhone()));
    expect(replies.map(({ code }) => code)).toEqual([undefined, undefined, 'ACCOUNT_DAILY_LIMIT']);
  });

  it('include retried messages', async () => {
    const { application, owner } = await createTestAccount({ messagesPerDay: 1 });
    const keys = await application();
    twilio.respondWith(TWILIO_ERRORS.optedOut);
    const failed = await send(keys, freshPhone());
    twilio.respondWith('accept');
    expect(await send(keys, freshPhone())).toMatchObject({ success: true });
    const path = `/messages/${failed.data.results[0].messageId}`;
    const reply = await owner.submit(path, `${path}/retry`);
    expect((await owner.follow(reply)).html).toContain('This account has reached its limit for today');
  });

  it("have no limit in the operator's own account", async () => {
    const keys = await passbell.application(NO_LIMITS);
    const { ceilings } = await passbell.core.applications.service.load(keys.appKey);
    expect(ceilings).toMatchObject({ applications: 0, messagesPerDay: 0, spendPerDay: 0, recipientPerDay: 0 });
  });
});

it('the daily spending limit assumes that each send uses the most expensive channel', async () => {
  const { application } = await createTestAccount({ spendPerDay: 2 });
  const keys = await application();
  // 0.7 + 0.7 + 0.3 + 0.3 = 2, which is inexact in binary floating point.
  for (const authWay of ['VOICE', 'VOICE', 'SMS', 'SMS'])
    expect(await send(keys, freshPhone(), { authWay })).toMatchObject({ success: true });
  expect(await send(keys, freshPhone())).toMatchObject({
    code: 'ACCOUNT_DAILY_LIMIT',
    retryAfterSeconds: secondsToMidnight(),
  });
  expect(await send(keys, freshMail())).toMatchObject({ success: true });
});

it('the daily spending limit includes each segment of a long SMS, even if the message is retried', async () => {
  const { application, owner } = await createTestAccount({ spendPerDay: 3 });
  const keys = await application();
  const stored = await passbell.core.applications.service.load(keys.appKey);
  const key = { template: 'otp', channel: 'SMS', language: 'en' } as const;
  const text = `{{ code }}${'x'.repeat(400)}`;
  await passbell.core.templates.service.save(OPERATOR, stored, { ...key, subject: null, text });
  twilio.respondWith(TWILIO_ERRORS.optedOut);
  const failed = await send(keys, freshPhone());
  twilio.respondWith('accept');
  // Three segments of 0.3: 0.9, 1.8, 2.7.
  for (let n = 0; n < 3; n++) expect(await send(keys, freshPhone())).toMatchObject({ success: true });
  expect(await send(keys, freshPhone())).toMatchObject({ code: 'ACCOUNT_DAILY_LIMIT' });
  const path = `/messages/${failed.data.results[0].messageId}`;
  const reply = await owner.submit(path, `${path}/retry`);
  expect((await owner.follow(reply)).html).toContain('This account has reached its limit for today');
});

it('one recipient gets a limited number of messages from all applications of an account', async () => {
  const { application } = await createTestAccount({ recipientPer10Minutes: 4, recipientPerDay: 6 });
  const one = await application();
  const two = await application();
  const to = freshMail();
  const tagged = to.replace('@', '+shop@').toUpperCase();
  const sends = [
    () => send(one, to),
    () => send(two, tagged),
    () => notify(one, to, 'A-1'),
    () => notify(two, tagged, 'A-2'),
  ];
  for (const work of sends) expect(await work()).toMatchObject({ success: true });
  for (const work of [...sends, () => notify(one, to, 'A-3')])
    expect(await work()).toMatchObject({ code: expect.stringMatching(/^(RECIPIENT_LIMIT|DUPLICATE_NOTIFICATION)$/) });
  const { retryAfterSeconds, message } = await send(two, to);
  expect(message).toBe(`Too many messages to this recipient. Try again in ${durationText(retryAfterSeconds)}`);
  expect(await send(one, freshMail())).toMatchObject({ success: true });
  expect(await send(await (await createTestAccount()).application(), to)).toMatchObject({ success: true });

  passbell.clock.advance(retryAfterSeconds * 1000);
  const later = await Promise.all(Array.from({ length: 6 }, (_, n) => send(n % 2 ? one : two, to)));
  expect(later.filter(({ success }) => success)).toHaveLength(2);
});
