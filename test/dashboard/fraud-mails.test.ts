/** Emails to the owners of an application about pauses by the fraud guard, about what it refused, and alerts. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { DAY, MINUTE } from '../../backend/src/platform/clock.js';
import { waitForMailedNotice, signIn } from '../support/dashboard.js';
import { numbers, SEEN_MS, startGuardedService, type GuardedService } from '../support/guarded-service.js';
import { advancing, until } from '../support/wait.js';

const OWNERS = ['ana@shop.example', 'ben@shop.example'];

let service: GuardedService;

async function start(settings: Record<string, string> = {}): Promise<void> {
  const url = { BASE_URL: 'https://codes.example', VOICE_KEY_PRESS: 'off' };
  service = await startGuardedService({ ...url, ...settings });
  for (const email of OWNERS) await signIn(service.passbell, 'owner', { email });
  await signIn(service.passbell, 'member', { email: 'member@shop.example' });
  await signIn(service.passbell, 'owner', { email: 'owner@other.example', account: 'other@other.example' });
}
beforeEach(() => {
  earlierSubjects.clear();
  keptEmails.clear();
});
afterEach(() => service.close());

/** By recipient, the subjects of emails sent before the last restart. */
const earlierSubjects = new Map<string, string[]>();
/** By recipient, the number of these emails that are still in the inbox. A server with its own database keeps them. */
const keptEmails = new Map<string, number>();

/** Returns the subjects of all emails so far, oldest first. */
async function subjectsOf(email: string): Promise<string[]> {
  const subjects = (await service.passbell.inbox(email)).map(({ subject }) => subject);
  return [...(earlierSubjects.get(email) ?? []), ...subjects.reverse().slice(keptEmails.get(email) ?? 0)];
}

async function restart(): Promise<void> {
  for (const owner of OWNERS) earlierSubjects.set(owner, await subjectsOf(owner));
  await service.restart();
  for (const owner of OWNERS) keptEmails.set(owner, (await service.passbell.inbox(owner)).length);
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
  for (const prefix of prefixes) {
    const recipients = numbers(`${prefix}11`, 11);
    // Each pause lowers the limits of the other prefixes.
    while ((await service.send(recipients.shift()!)).success) service.passbell.clock.advance(SEEN_MS);
  }
}

it('only owners get an email about a pause, with its scope, reason and end, advice, and a link', async () => {
  await start();
  await service.learnConversion();
  await pausePrefixes('+1415555');
  const title = 'Another Shop: messages to recipients whose numbers start with +1415555 are paused';
  const { passbell, keys } = service;
  await waitForNotices();
  for (const owner of OWNERS) {
    const text = await waitForMailedNotice(passbell, owner, title);
    const [, , why, advice, link] = text.split('\n\n');
    expect(why).toMatch(
      /^Messages to recipients whose numbers start with \+1415555 are paused until \d{4}-\d\d-\d\d \d\d:\d\d UTC\. In \d minutes?, \d+ of \d+ recipients whose numbers start with \+1415555 did not enter their code; up to \d+ would be normal\.$/,
    );
    expect(advice).toMatch(/^People who were verified recently still get messages\. .* challenge/);
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
  await service.learnConversion();
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
    expect(text).toContain(`Messages to recipients whose numbers start with ${prefix} are paused until`);
});

it('no email is sent if a person pauses messages', async () => {
  await start();
  const { passbell, keys } = service;
  const application = await passbell.core.applications.service.load(keys.appKey);
  await passbell.core.fraud.pauses.act(OPERATOR, application, { scope: 'country', key: 'US' }, 'pause');
  expect(await waitForNotices()).toEqual([0]);
  expect(await subjectsOf(OWNERS[0]!)).toEqual([]);
});

describe('many codes at home that are not entered', () => {
  const TITLE = 'Another Shop: unusually many codes are not entered in the United States';
  /** Sends codes to different prefixes, so that only the country is noticed. */
  async function attackHome(count: number): Promise<void> {
    for (let n = attacked; n < attacked + count; n++) {
      const area = ['201', '312', '408', '503', '602', '713', '808', '904', '206', '617'][n % 10]!;
      const to = `+1${area}${255 + (Math.floor(n / 10) % 8) * 100}${1100 + n}`;
      expect(await service.send(to)).toMatchObject({ success: true });
      service.passbell.clock.advance(SEEN_MS);
    }
    attacked += count;
  }
  let attacked = 0;
  beforeEach(() => void (attacked = 0));

  it('are not refused without a challenge, but the owners get an alert, once a day over all processes', async () => {
    await start();
    await service.learnConversion();
    await attackHome(12);
    await waitForNotices();
    expect(await subjectsOf(OWNERS[0]!)).toEqual([]);
    await attackHome(60);
    await waitForNotices();
    for (const owner of OWNERS) expect(await subjectsOf(owner)).toEqual([TITLE]);
    const text = await waitForMailedNotice(service.passbell, OWNERS[0]!, TITLE);
    expect(text).toMatch(/In \d+ minutes?, \d+ of \d+ recipients in the United States did not enter their code/);
    expect(text).toContain('Messages are not paused');
    const { fraud, applications } = service.passbell.core;
    expect(await fraud.overview(await applications.service.load(service.keys.appKey))).toMatchObject({ scopes: [] });

    await restart();
    await attackHome(20);
    await waitForNotices();
    expect(await subjectsOf(OWNERS[0]!)).toEqual([TITLE]);
    service.passbell.clock.advance(DAY);
    await attackHome(60);
    await waitForNotices();
    expect(await subjectsOf(OWNERS[0]!)).toEqual([TITLE, TITLE]);
  });

  it('are no reason for an alert if most people enter their codes', async () => {
    await start();
    await service.learnConversion();
    for (let n = 0; n < 90; n++) {
      if (n % 3 > 0) await service.verify(`+1${201 + (n % 3)}255${1100 + n}`);
      else await attackHome(1);
    }
    await waitForNotices();
    expect(await subjectsOf(OWNERS[0]!)).toEqual([]);
  });
});

describe('refused messages', () => {
  const title = (day: number) =>
    `Another Shop: Protection refused messages on ${new Date(day).toISOString().slice(0, 10)}`;

  it('are reported at once if more than five people in a country that the application serves are affected', async () => {
    await start();
    await service.learnConversion();
    await pausePrefixes('+1415555');
    const { clock } = service.passbell;
    const today = clock.now();
    await service.sendToAll(numbers('+141555512', 4));
    for (let n = 0; n < 3; n++) await service.send('+14155551210');
    await waitForNotices();
    expect(await subjectsOf(OWNERS[0]!)).not.toContain(title(today));
    await service.sendToAll(numbers('+141555513', 3));
    await waitForNotices();
    for (const owner of OWNERS) expect((await subjectsOf(owner)).filter((one) => one === title(today))).toHaveLength(1);
    const text = await waitForMailedNotice(service.passbell, OWNERS[0]!, title(today));
    expect(text).toMatch(/United States: Too few codes were entered for similar numbers \(9 messages to 6 numbers\)/);
    await service.sendToAll(numbers('+141555514', 5));
    await waitForNotices();
    expect((await subjectsOf(OWNERS[0]!)).filter((one) => one === title(today))).toHaveLength(1);
  });

  it('are otherwise reported on the next day', async () => {
    await start();
    const { clock } = service.passbell;
    const today = clock.now();
    await service.sendToAll(numbers('+4474001234', 30));
    await waitForNotices();
    expect(await subjectsOf(OWNERS[0]!)).toEqual([]);
    clock.advance(DAY);
    const isReported = async () => (await subjectsOf(OWNERS[0]!)).includes(title(today));
    await until('the email', isReported, advancing(clock, MINUTE));
    const text = await waitForMailedNotice(service.passbell, OWNERS[0]!, title(today));
    expect(text).toContain(
      'United Kingdom: Too many messages were sent to countries that you do not serve (10 messages to 10 numbers)',
    );
  });
});

it('notices are dropped without an error if there is no mail server', async () => {
  await start({ DEV_INBOX: 'off' });
  await service.learnConversion();
  await pausePrefixes('+1415555');
  expect(await waitForNotices()).toHaveLength(1);
  const db = service.passbell.openDatabase();
  expect(await db('messages').where({ template: 'security_notice' })).toEqual([]);
  await db.destroy();
  expect(service.passbell.logged.join('\n')).not.toContain('task failed');
});
