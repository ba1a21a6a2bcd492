/** Days in the account's time zone, and weekly emails on its Mondays. */
import { createWeeklyContent } from '../../backend/src/dashboard/home/weekly-email.js';
import { DAY, HOUR } from '../../backend/src/platform/clock.js';
import { createVisitor, signIn, type Visitor } from '../support/dashboard.js';
import { startGatewayServer, type GatewayServer } from '../support/gateway-server.js';
import { addGateway, waitForRoutingUpdate } from '../support/providers.js';
import { freshPhone, startService, type TestService } from '../support/service.js';
import { advancing, until } from '../support/wait.js';

/** The tests start on Friday, January 15, at 8:00 UTC. Kiritimati is 14 hours ahead. */
const ZONE = 'Pacific/Kiritimati';
const PATH = '/account-settings';

let passbell: TestService;
let gateway: GatewayServer;
let owner: Visitor;
beforeEach(async () => {
  [passbell, gateway] = [await startService(), await startGatewayServer()];
  owner = await signIn(passbell);
  await addGateway(passbell, 'Local SMS', gateway);
  await waitForRoutingUpdate(passbell);
});
afterEach(async () => {
  await passbell.stop();
  await gateway.close();
});

const chooseZone = (timeZone: string) => owner.submit(PATH, PATH, { name: 'Harbor Books', timeZone });

async function send(): Promise<void> {
  expect(await passbell.post('/auth/sendotp', { to: freshPhone() })).toMatchObject({ success: true });
}

it('counts messages on the days of the time zone from the change on', async () => {
  await send();
  expect((await chooseZone(ZONE)).status).toBe(303);
  // It is January 16, 1:00, in Kiritimati. The time zone is cached for a minute.
  passbell.clock.advance(3 * HOUR);
  await send();
  const { data } = await passbell.get('/usage');
  expect(data).toMatchObject({ from: '2026-12-18', to: '2027-01-16' });
  expect(data.usage.map(({ day, sent }: { day: string; sent: number }) => [day, sent])).toEqual([
    ['2027-01-15', 1],
    ['2027-01-16', 1],
  ]);
  // The session of the owner has expired.
  const { get } = await signIn(passbell);
  const home = (await get('/home')).html;
  expect(home).toContain('1 message was sent');
  expect(home).toContain(`As of 01:00. Times are in ${ZONE}.`);
  expect(home).toContain(
    'Nothing needs your attention.</strong> No channel is failing, and nothing is paused right now.',
  );
  const csv = (await get('/usage/export?from=2027-01-10&to=2027-01-16')).html;
  expect(csv).toContain('"2027-01-16"');
});

it('shows times in the time zone that was chosen, and otherwise in UTC', async () => {
  const { data } = await passbell.post('/auth/sendotp', { to: freshPhone() });
  const path = `/messages/${data.results[0].messageId}`;
  expect((await owner.get(path)).html).toMatch(/<time [^>]*>Jan 15, 08:00:\d\d UTC</);
  await chooseZone(ZONE);
  expect((await owner.get(path)).html).toMatch(/<time [^>]*>Jan 15, 22:00:\d\d</);
  const list = (await owner.get('/messages')).html;
  expect(list).toContain('Times are in Pacific/Kiritimati.');
  expect(list).toMatch(/name="zone" value="Pacific\/Kiritimati"/);
});

it('refuses an unknown time zone', async () => {
  const { status, html } = await chooseZone('Mars/Olympus');
  expect(status).toBe(422);
  expect(html).toContain(
    'Time zone: “Mars/Olympus” is not in the list. Enter a large city in the same time zone, such as Berlin.',
  );
});

it.each([
  ['new york', 'America/New York'],
  ['Europe/zurich', 'Europe/Zurich'],
])('finds the time zone “%s”', async (typed, shown) => {
  expect((await chooseZone(typed)).status).toBe(303);
  const { html } = await owner.get(PATH);
  expect(html).toMatch(new RegExp(`name="timeZone"[^>]* value="${shown}"`));
  const time = new Intl.DateTimeFormat('sv', { timeZone: shown.replace(' ', '_'), timeStyle: 'short' });
  expect(html).toContain(`It is now ${time.format(passbell.clock.now())}.`);
});

describe('the weekly email', () => {
  const subject = 'Harbor Books: your week on Passbell';

  beforeEach(async () => {
    await chooseZone(ZONE);
    await send();
    await owner.submit('/account', '/account/weekly-email');
  });

  /** Advances the clock to a time in Kiritimati, and sends the due emails, as two processes at once. */
  async function sendDueAt(time: string): Promise<void> {
    passbell.clock.advance(Date.parse(`${time}+14:00`) - passbell.clock.now());
    const { weeklyEmails } = passbell.core.people;
    const contentOf = createWeeklyContent(passbell.core);
    await Promise.all([weeklyEmails.sendDue(contentOf), weeklyEmails.sendDue(contentOf)]);
  }

  /** Returns the number of weekly emails that were sent or will be sent. */
  async function count(): Promise<number> {
    const db = passbell.openDatabase();
    const messages = await db('messages').where({ recipient: owner.person!.email, template: 'security_notice' });
    await db.destroy();
    return messages.length;
  }

  /** Waits for the newest weekly email, and returns its text. */
  const mailed = async (): Promise<string> => {
    const find = async () => (await passbell.inbox(owner.person!.email)).find((mail) => mail.subject === subject);
    return (await until('the weekly email', find, advancing(passbell.clock, 5000))).text;
  };

  const isOn = () => passbell.core.people.weeklyEmails.isOn(owner.person!);

  it('is sent once, on Monday at eight, with the content of Home', async () => {
    // Without a price, the cost is unknown.
    expect((await owner.get('/home')).html).toContain('No price set');
    await sendDueAt('2027-01-18T07:59');
    expect(await count()).toBe(0);
    await sendDueAt('2027-01-18T08:00');
    expect(await count()).toBe(1);
    const text = await mailed();
    expect(text).toContain('In the last 7 days: 1 message was sent');
    expect(text).not.toContain('cost:');
    expect(text).toContain('Nothing needs your attention.');
    await sendDueAt('2027-01-25T07:59');
    expect(await count()).toBe(1);
    await sendDueAt('2027-01-25T08:00');
    expect(await count()).toBe(2);
  });

  it('is sent by the running service', async () => {
    passbell.clock.advance(4 * DAY);
    await mailed();
  });

  it('is not sent to people who have turned it off', async () => {
    await owner.submit('/account', '/account/weekly-email');
    await sendDueAt('2027-01-18T09:00');
    expect(await count()).toBe(0);
  });

  it('is stopped by its link, without a sign-in, but only with the button or a mail program', async () => {
    await sendDueAt('2027-01-18T08:00');
    const text = await mailed();
    const [, path = ''] =
      /Turn off the weekly email: http[^ ]*\/dashboard(\/weekly-email\/stop\?token=\S+)/.exec(text) ?? [];
    const anyone = createVisitor(passbell.url);
    const page = await anyone.get(path);
    expect(page.html).toContain('Turn off the weekly email?');
    expect(await isOn()).toBe(true);
    // Mail programs send this without a cookie (RFC 8058), and follow no redirect.
    const stopped = await createVisitor(passbell.url).post(path, { 'List-Unsubscribe': 'One-Click' });
    expect(stopped.status).toBe(200);
    expect(stopped.html).toContain('The weekly email is off');
    expect(await isOn()).toBe(false);
    expect((await anyone.get('/weekly-email/stop?token=forged')).status).toBe(404);
    expect((await anyone.post('/weekly-email/stop?token=forged', {})).status).toBe(404);
  });
});
