/** Emails to the owners of an application about pauses by the fraud guard and about daily costs. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { DAY, MINUTE } from '../../backend/src/platform/clock.js';
import { waitForMailedNotice, signIn } from '../support/dashboard.js';
import { numbers, startGuardedService, type GuardedService } from '../support/guarded-service.js';
import { advancing, until } from '../support/wait.js';

const OWNERS = ['ana@shop.example', 'ben@shop.example'];

let service: GuardedService;

async function start(settings: Record<string, string> = {}, prices?: Record<string, string>): Promise<void> {
  const url = { BASE_URL: 'https://codes.example', VOICE_KEY_PRESS: 'off' };
  service = await startGuardedService({ ...url, ...settings }, prices);
  for (const email of OWNERS) await signIn(service.passbell, 'owner', { email });
  await signIn(service.passbell, 'member', { email: 'member@shop.example' });
  await signIn(service.passbell, 'owner', { email: 'owner@other.example', account: 'other@other.example' });
}
beforeEach(() => earlierSubjects.clear());
afterEach(() => service.close());

/** By recipient, the subjects of emails sent before the last restart, because a restart empties the inbox. */
const earlierSubjects = new Map<string, string[]>();

/** Returns the subjects of all emails so far, oldest first. */
async function subjectsOf(email: string): Promise<string[]> {
  const subjects = (await service.passbell.inbox(email)).map(({ subject }) => subject);
  return [...(earlierSubjects.get(email) ?? []), ...subjects.reverse()];
}

async function restart(): Promise<void> {
  for (const owner of OWNERS) earlierSubjects.set(owner, await subjectsOf(owner));
  await service.restart();
}

/** Advances the clock until all notices have been emailed. Returns the times at which they were emailed. */
async function waitForNotices(): Promise<number[]> {
  const { passbell } = service;
  const db = passbell.openDatabase();
  const isDone = async () =>
    (await db('fraud_notices').whereNull('mailed_at').first('id')) === undefined &&
    (await db('messages').whereIn('state', ['queued', 'sending']).first('id')) === undefined;
  await until('delivered emails', isDone, advancing(passbell.clock, 5000));
  const times: unknown[] = await db('fraud_notices').orderBy('id').pluck('mailed_at');
  await db.destroy();
  return times.map(Number);
}

/** Pauses prefixes. A prefix is a phone number without its last four digits. */
async function pausePrefixes(...prefixes: string[]): Promise<void> {
  for (const prefix of prefixes) await service.sendAtOnce(numbers(`${prefix}11`, 25));
  service.passbell.clock.advance(3 * MINUTE);
  for (const prefix of prefixes) expect(await service.send(`${prefix}1150`)).toMatchObject({ code: 'FRAUD_SUSPECTED' });
}

it('only owners get an email about a pause, with its scope, reason and end, advice, and a link', async () => {
  await start();
  await service.endObservation();
  await pausePrefixes('+1415555');
  const title = 'Another Shop: messages to numbers that start with +1415555 are paused';
  const { passbell, keys } = service;
  await waitForNotices();
  for (const owner of OWNERS) {
    const text = await waitForMailedNotice(passbell, owner, title);
    const [, , why, advice, link] = text.split('\n\n');
    expect(why).toMatch(
      /^Messages to numbers that start with \+1415555 are paused until \d{4}-\d\d-\d\d \d\d:\d\d UTC\. In \d minutes, \d+ of \d+ recipients whose numbers start with \+1415555 did not enter their code; up to \d+ would be normal\.$/,
    );
    expect(advice).toMatch(/^People who were verified before still get messages\. .* captcha/);
    expect(link).toBe(
      `Open the Protection page: https://codes.example/dashboard/applications/${keys.appKey}/protection`,
    );
  }
  for (const owner of OWNERS) expect(await subjectsOf(owner)).toEqual([title]);
  for (const other of ['member@shop.example', 'owner@other.example']) expect(await subjectsOf(other)).toEqual([]);
  const mail = (await passbell.inbox(OWNERS[0]))[0]!;
  expect(mail.html).toContain(`href="https://codes.example/dashboard/applications/${keys.appKey}/protection"`);
  expect(mail.html + mail.text).not.toMatch(/\+1415555\d/);
});

it('pauses within ten minutes are combined into one email, even after a restart', async () => {
  await start();
  await service.endObservation();
  await pausePrefixes('+1415555');
  await waitForNotices();
  await pausePrefixes('+1212555', '+1312555');
  await restart();
  const [first, ...later] = await waitForNotices();
  expect(later).toHaveLength(2);
  for (const time of later) expect(time).toBeGreaterThanOrEqual(first! + 10 * MINUTE);
  expect((await subjectsOf(OWNERS[0]!)).slice(1)).toEqual(['Another Shop: 2 pauses']);
  const text = await waitForMailedNotice(service.passbell, OWNERS[0]!, '2 pauses');
  for (const prefix of ['+1212555', '+1312555'])
    expect(text).toContain(`Messages to numbers that start with ${prefix} are paused until`);
});

it('no email is sent if a person pauses messages', async () => {
  await start();
  const { passbell, keys } = service;
  const application = await passbell.core.applications.service.load(keys.appKey);
  await passbell.core.fraud.pauses.act(OPERATOR, application, { scope: 'country', key: 'US' }, 'pause');
  expect(await waitForNotices()).toEqual([0]);
  expect(await subjectsOf(OWNERS[0]!)).toEqual([]);
});

it('owners get one email each at 50, 80 and 100 percent of the daily cost limit, even with several processes', async () => {
  await start({}, { '*': '1.0' });
  const half = 'Another Shop has reached 50% of its cost limit for today';
  const most = 'Another Shop has reached 80% of its cost limit for today';
  const stop = 'Another Shop: messages to all numbers are paused';
  const send = async (count: number, first: number) => {
    const replies = await service.sendToAll(numbers('+141555511', count, first));
    await waitForNotices();
    return replies;
  };
  await send(4, 10);
  expect(await subjectsOf(OWNERS[0]!)).toEqual([]);
  await send(3, 20);
  expect(await subjectsOf(OWNERS[0]!)).toEqual([half]);
  expect(await waitForMailedNotice(service.passbell, OWNERS[0]!, half!)).toMatch(
    /Messages from Another Shop have cost [567]\.00 EUR today\. The daily limit is 10\.00 EUR\./,
  );
  await restart();
  await send(2, 30);
  expect(await subjectsOf(OWNERS[0]!)).toEqual([half, most]);
  await restart();
  const replies = await send(4, 40);
  expect(replies.at(-1)).toMatchObject({ code: 'FRAUD_SUSPECTED' });
  expect(await waitForMailedNotice(service.passbell, OWNERS[0]!, stop!)).toMatch(
    /Messages have cost \d+\.00 today; another one would exceed the limit of 10\.00\./,
  );
  await restart();
  expect(await send(2, 50)).toMatchObject([{ code: 'FRAUD_SUSPECTED' }, { code: 'FRAUD_SUSPECTED' }]);
  for (const owner of OWNERS) expect(await subjectsOf(owner)).toEqual([half, most, stop]);
  const { data } = await service.passbell.get('/webhooks/recent', { event: 'fraud.paused' }, { keys: service.keys });
  expect(data.events).toMatchObject([
    { data: { rule: 'R6', scope: 'application', spend: '10.0000', limit: '10.0000', currency: 'eur' } },
  ]);

  service.passbell.clock.advance(DAY);
  // The limit is now 30, which is three times the cost of the day before.
  await send(16, 60);
  expect((await subjectsOf(OWNERS[0]!)).slice(3)).toEqual([half]);
});

it('notices are dropped without an error if there is no mail server', async () => {
  await start({ DEV_INBOX: 'off' });
  await service.endObservation();
  await pausePrefixes('+1415555');
  expect(await waitForNotices()).toHaveLength(1);
  const db = service.passbell.openDatabase();
  expect(await db('messages').where({ template: 'security_notice' })).toEqual([]);
  await db.destroy();
  expect(service.passbell.logged.join('\n')).not.toContain('task failed');
});
