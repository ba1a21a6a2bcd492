/** The usage page: sums for the selected period and application. The home page: first steps, and today's figures. */
import { readFileSync } from 'node:fs';
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { signIn, type Visitor } from '../support/dashboard.js';
import { findCode, startGatewayServer, type GatewayServer } from '../support/gateway-server.js';
import { accountOf, addGateway, waitForRoutingUpdate } from '../support/providers.js';
import { freshPhone, startService, type TestService } from '../support/service.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let passbell: TestService;
let gateway: GatewayServer;
let owner: Visitor;
let secondApplication: TestService['keys'];
beforeAll(async () => {
  [passbell, gateway] = [await startService(), await startGatewayServer()];
  secondApplication = await passbell.application();
  const foreign = await passbell.core.applications.service.create(OPERATOR, {
    name: 'Foreign Shop',
    email: 'other@example.com',
  });
  owner = await signIn(passbell);
  const idOf = async ({ appKey }: { appKey: string }) => (await passbell.core.applications.service.find(appKey))!.id;
  const day = (ago: number) => new Date(passbell.clock.now() - ago * DAY).toISOString().slice(0, 10);
  const count = (application_id: number, ago: number, counts: object) => ({
    application_id,
    day: day(ago),
    channel: 'SMS',
    country: 'US',
    currency: 'usd',
    sent: 0,
    delivered: 0,
    undelivered: 0,
    failed: 0,
    codes: 0,
    verified: 0,
    cost: 0,
    ...counts,
  });
  const db = passbell.openDatabase();
  await db('usage_counts').insert([
    count(await idOf(passbell.keys), 0, {
      sent: 60,
      delivered: 54,
      undelivered: 6,
      codes: 50,
      verified: 40,
      cost: 6000,
    }),
    count(await idOf(passbell.keys), 3, {
      sent: 30,
      failed: 2,
      channel: 'EMAIL',
      country: '',
      codes: 30,
      verified: 24,
    }),
    count(await idOf(secondApplication), 6, { sent: 10, country: 'DE', cost: 7550 }),
    count(await idOf(secondApplication), 9, { sent: 80, codes: 10, verified: 6, cost: 10_000 }),
    count(await idOf(passbell.keys), 40, { sent: 5 }),
    count(await idOf(secondApplication), 200, { sent: 10, failed: 1 }),
    count(await idOf(secondApplication), 201, { sent: 4 }),
    count(await idOf(secondApplication), 300, { sent: 20, codes: 20, verified: 19 }),
    count(await idOf(secondApplication), 300, { sent: 5, codes: 5, verified: 1, country: 'AT' }),
    count(await idOf(secondApplication), 300, { sent: 4, codes: 4, country: 'FR' }),
    count(await idOf(foreign), 1, { sent: 7777, country: 'FR', cost: 99_990_000 }),
  ]);
  await db.destroy();
});
afterAll(async () => {
  await passbell.stop();
  await gateway.close();
});
afterEach(async () => {
  for (const { id } of await passbell.core.providers.service.list(OPERATOR, await accountOf(passbell)))
    await passbell.core.providers.service.remove(OPERATOR, await accountOf(passbell), id);
  await waitForRoutingUpdate(passbell);
});

/** Adds a gateway, so that SMS messages are no longer sent to the dev inbox. */
async function connectGateway(): Promise<void> {
  await addGateway(passbell, 'Local SMS', gateway);
  await waitForRoutingUpdate(passbell);
}

const tiles = (html: string): string =>
  (/<dl class="(?:figures|metrics)[\s\S]*?<\/dl>/.exec(html)?.[0] ?? '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .replaceAll('\u2060', '')
    .trim();

const dayOf = (ago: number) => new Date(passbell.clock.now() - ago * DAY).toISOString().slice(0, 10);
/** The last seven days with today. */
const week = () => `/usage?from=${dayOf(6)}&to=${dayOf(0)}`;

const headings = (html: string): string[] => [...html.matchAll(/<h2[^>]*>([^<]+)</g)].map(([, text]) => text!);

it('compares the figures with the previous period, and shows a chart of each', async () => {
  const { status, html } = await owner.get(week());
  expect(status).toBe(200);
  expect(headings(html)).toEqual([
    'Messages sent',
    'Delivery',
    'Codes entered',
    'Failed messages',
    'Cost',
    'By channel',
    'By country',
  ]);
  expect(tiles(html)).toBe(
    'Sent 100 +25% vs Jan 2–8 Delivered 90% No earlier data 54 of 60 reports Codes entered 80% +20 points vs Jan 2–8 64 of 80 codes Failed 2 Up from 0 for Jan 2–8 Cost 1.36 USD +36% vs Jan 2–8',
  );
});

it('marks countries in which unusually few codes are entered', async () => {
  const { html } = await owner.get(`/usage?from=${dayOf(300)}&to=${dayOf(300)}`);
  expect(html.match(/<span class="badge bad">[^<]*/g)).toEqual(['<span class="badge bad">Low: 20%']);
  // Four codes do not show what is usual.
  expect(html).toMatch(/>France<[^§]*?>0%</);
});

it('shows the same figures in each chart, its description and its table', async () => {
  const { html } = await owner.get(week());
  const drawings = html.match(/<svg role="img" aria-labelledby="[\w-]+ [\w-]+"/g);
  expect(drawings).toHaveLength(5);
  expect(html.match(/<details>/g)).toHaveLength(5);
  expect(html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')).toContain('Fri, Jan 15 SMS 60 Email 0');
  const cells = html.replace(/<\/?div>/g, '');
  expect(cells).toMatch(/<td data-title="Day">Fri, Jan 15<\/td><td data-title="SMS" class="number">60<\/td>/);
  expect(cells).toMatch(/Germany[\s\S]*?data-title="Sent" class="number">10</);
  // The Content-Security-Policy forbids inline styles and scripts.
  expect(html).not.toMatch(/ style="|<style|<script(?! src)| on\w+="/);
});

it('shows the selected period: 7 full days by default, because a part of a day cannot be compared', async () => {
  for (const [path, sent] of [
    ['/usage', 'Sent 40 −50% vs Jan 1–7 '],
    ['/usage?days=30', String.raw`Sent 120 \+2,300% vs Nov 16–Dec 15 `],
    ['/usage?days=90', 'Sent 125 '],
    ['/usage?days=1000', 'Sent 40 −50% vs Jan 1–7 '],
  ])
    expect(tiles((await owner.get(path!)).html)).toMatch(new RegExp(`^${sent}`));
  // Today has its own bar, which the totals do not include.
  const cells = (await owner.get('/usage')).html.replace(/<\/?div>/g, '');
  expect(cells).toContain('<span>Today</span>');
  expect(cells).toMatch(/>Today so far<\/td><td data-title="SMS" class="number">60</);
  expect(cells).toMatch(/SMS <strong>\d\d<\/strong>/);
  expect(cells).toContain('Undelivered <strong>0</strong>');
  const { html } = await owner.get('/usage?days=90');
  expect(html).toMatch(/Totals do not include <a [^>]*>today<\/a>\./);
  expect((await owner.get('/usage')).html).toMatch(/today<\/a> \(60 messages so far\)/);
  expect(html).not.toContain('No earlier data');
  const [, today = ''] = /href="\/dashboard([^"]*)"[^>]*>Today</.exec(html) ?? [];
  const shown = await owner.get(today.replaceAll('&amp;', '&'));
  expect(tiles(shown.html)).toMatch(/^Sent 60 Delivered/);
  // The counts of this test have no messages, from which the hours of a day are read.
  expect(headings(shown.html)).toEqual(['By channel', 'By country']);
  expect(shown.html).toContain('There is no hourly chart for this day.');
  expect(shown.html).not.toContain('Totals do not include');
});

it('filters by channel and country, and links each row and bar to its filter', async () => {
  const { html } = await owner.get(week());
  expect(html).toMatch(/href="\/dashboard\/usage\?[^"]*country=DE"/);
  const sms = await owner.get(`${week()}&channel=SMS`);
  expect(tiles(sms.html)).toMatch(/^Sent 70 /);
  const germany = await owner.get(`${week()}&country=DE`);
  expect(tiles(germany.html)).toMatch(/^Sent 10 /);
  expect(germany.html).not.toContain('>United States<');
  const [, bar = ''] = /<a href="\/dashboard([^"]*from=2027-01-15[^"]*)"/.exec(sms.html) ?? [];
  const day = await owner.get(bar.replaceAll('&amp;', '&'));
  expect(tiles(day.html)).toMatch(/^Sent 60 /);
  expect(day.html).toMatch(/href="\/dashboard\/messages\?channel=SMS&amp;from=\d+&amp;until=\d+&amp;zone=UTC"/);
});

it('draws the parts of a bar to scale, and makes small parts visible by their stroke', async () => {
  const day = dayOf(3);
  const db = passbell.openDatabase();
  const [row] = await db('usage_counts').where({ day });
  await db('usage_counts').where({ day }).update({ sent: 2000, failed: 1 });
  const { html } = await owner.get(week());
  await db('usage_counts').where({ day }).update({ sent: row.sent, failed: row.failed });
  await db.destroy();
  const heightsOf = (tint: string) =>
    [...html.matchAll(new RegExp(`<rect class="tint-${tint}"[^>]* height="([\\d.]+)"`, 'g'))].map(([, height]) =>
      Number(height),
    );
  // The highest grid line is 2,500 messages, and the chart is 240 high.
  expect(heightsOf('bad')).toEqual([expect.closeTo(240 / 2500, 5)]);
  expect(heightsOf('plain')).toContain((2000 * 240) / 2500);
  expect(readFileSync('backend/assets/dashboard/charts.css', 'utf8')).toMatch(/\.plot rect \{[^}]*stroke-width: 1px/);
});

it('marks failures as worse if no message failed in the period before', async () => {
  const day = dayOf(3);
  const db = passbell.openDatabase();
  const [row] = await db('usage_counts').where({ day });
  await db('usage_counts').where({ day }).update({ failed: 500 });
  const { html } = await owner.get(week());
  await db('usage_counts').where({ day }).update({ failed: row.failed });
  await db.destroy();
  expect(html).toContain('<span class="badge bad"><span class="unseen">Worse: </span>Up from 0</span> for Jan 2–8');
});

it('shows that no price is set, instead of a cost of 0', async () => {
  const { html } = await owner.get(week());
  expect(html).toMatch(
    />Email<[\s\S]*?<td data-title="Cost"[^>]*><div><a href="\/dashboard\/channels\/prices\/email">No price set</,
  );
});

it('numbers look as in the language of the browser', async () => {
  const { html } = await owner.get('/usage?days=30', { 'Accept-Language': 'de-DE,de;q=0.9' });
  expect(tiles(html)).toMatch(/^Sent 120 \+2\.300% vs Nov 16–Dec 15 /);
  expect(html).toContain('1,76 USD');
});

it('shows a range of days, compared with as many days before; refuses a reversed one, and ignores days that do not exist', async () => {
  const day = (ago: number) => new Date(passbell.clock.now() - ago * DAY).toISOString().slice(0, 10);
  const first = async (from: string, to: string) => tiles((await owner.get(`/usage?from=${from}&to=${to}`)).html);
  expect(await first(day(6), day(3))).toMatch(/^Sent 40 −50% vs Jan 5–8 Delivered – /);
  const usual = await first(day(7), day(1));
  for (const [from, to] of [
    ['2026-02-30', day(0)],
    ['', day(0)],
  ])
    expect(await first(from!, to!)).toBe(usual);
  const { status, html } = await owner.get(`/usage?from=${day(3)}&to=${day(6)}`);
  expect([status, html]).toEqual([422, expect.stringContaining('The last day is before the first day.')]);
  expect(html).toContain(`value="${day(6)}"`);
  expect(headings(html)).toEqual(['No days to show']);
  expect((await owner.get(`/usage/export?from=${day(3)}&to=${day(6)}`)).status).toBe(422);
});

it('shows a single day by hour in the time zone of the account, without messages in the dev inbox', async () => {
  const account = 'hours@example.com';
  const { appKey, appSecret } = await passbell.core.applications.service.create(OPERATOR, {
    name: 'Hours',
    email: account,
  });
  const keys = { appKey, appSecret };
  await passbell.send(freshPhone(), {}, { keys });
  await connectGateway();
  await passbell.post('/auth/sendotp', { to: freshPhone() }, { keys });
  const visitor = await signIn(passbell, 'owner', { account });
  await visitor.submit('/account-settings', '/account-settings', { name: 'Hours', timeZone: 'Australia/Adelaide' });
  const local = new Date(passbell.clock.now() + 10.5 * HOUR).toISOString();
  const day = local.slice(0, 10);
  const { html } = await visitor.get(`/usage?from=${day}&to=${day}`);
  expect(headings(html)).toEqual(['Messages sent', 'Delivery', 'Failed messages', 'By channel', 'By country']);
  const hour = local.slice(11, 13);
  const cells = html.replace(/<\/?div>/g, '');
  expect(cells).toMatch(new RegExp(`<td data-title="Hour">${hour}:00 to [^<]*</td><td data-title="SMS"[^>]*>1<`));
  expect(cells.match(/data-title="Hour"/g)).toHaveLength(48);
  const [, bar = ''] =
    new RegExp(`<a href="/dashboard([^"]*)"><span class="hover-card"><strong>${hour}:00`).exec(html) ?? [];
  const list = (await visitor.get(bar.replaceAll('&amp;', '&'))).html;
  expect(new Set(list.match(/href="\/dashboard\/messages\/[\da-f]{32}"/g)).size).toBe(2);
  expect(html).not.toContain('The totals count messages');

  // Messages that were counted on this day in an earlier time zone of the account.
  const db = passbell.openDatabase();
  const { id } = await db('applications').where({ app_key: appKey }).first('id');
  await db('usage_counts').where({ application_id: id }).increment('sent', 2);
  await db.destroy();
  expect((await visitor.get(`/usage?from=${day}&to=${day}`)).html).toContain(
    'The charts contain the 1 message that was requested on this day, in the time zone Australia/Adelaide.',
  );
});

it('compares one day with the day before, and names earlier counts of 0', async () => {
  const day = new Date(passbell.clock.now() - 200 * DAY).toISOString().slice(0, 10);
  const { html } = await owner.get(`/usage?from=${day}&to=${day}`);
  expect(tiles(html)).toMatch(/^Sent 10 \+150% vs Jun 28 /);
  expect(tiles(html)).toMatch(/Delivered – No delivery reports Codes entered – No codes Failed 1 Up from 0 on Jun 28 /);
});

it('does not compare a period with days before the first message, and names unusual days once', async () => {
  const { appKey } = await passbell.application();
  const { id } = (await passbell.core.applications.service.find(appKey))!;
  const db = passbell.openDatabase();
  const [row] = await db('usage_counts').limit(1);
  const sentOn = [10, 11, 12, 10, 40, 10, 11, 12].entries();
  for (const [ago, sent] of sentOn)
    await db('usage_counts').insert({ ...row, application_id: id, day: dayOf(ago + 1), sent });
  const { html } = await owner.get(`/usage?application=${appKey}`);
  expect(tiles(html)).toMatch(/^Sent 104 Delivered/);
  const texts = html.replace(/<[^>]+>/g, '');
  expect(texts.match(/A typical day in this period has 11 messages\. Unusually high: [^.]+\(40\)/g)).toHaveLength(1);
  expect(texts.match(/Unusually/g)).toHaveLength(1);
  const past = await owner.get(`/usage?from=${dayOf(6)}&to=${dayOf(3)}&application=${appKey}`);
  expect(past.html).not.toContain('Totals do not include');
  await db('usage_counts').where({ application_id: id }).delete();
  await db.destroy();
});

it('does not compare today, which is not over, with the day before', async () => {
  const db = passbell.openDatabase();
  const [row] = await db('usage_counts').where({ day: dayOf(0) });
  await db('usage_counts').insert({ ...row, day: dayOf(1) });
  const today = await owner.get(`/usage?from=${dayOf(0)}&to=${dayOf(0)}`);
  const bothDays = await owner.get(`/usage?from=${dayOf(1)}&to=${dayOf(0)}`);
  await db('usage_counts')
    .where({ day: dayOf(1), application_id: row.application_id })
    .delete();
  await db.destroy();
  expect(tiles(today.html)).toMatch(/^Sent 60 Delivered/);
  expect(tiles(bothDays.html)).toMatch(/^Sent 120 /);
});

it('the overview of an application shows today, and compares the last full days', async () => {
  const overview = async ({ appKey }: { appKey: string }) => (await owner.get(`/applications/${appKey}`)).html;
  const second = await overview(secondApplication);
  expect(second).toContain('>Last 7 full days<');
  expect(second).not.toContain('<span>Today</span>');
  expect(second).toContain('10 messages sent, 87% fewer than in the previous 7 days. Cost: 0.76 USD.');
  expect(tiles(second)).toMatch(/^Sent \d+ .* Failed 0 (?!not accepted)/);
  expect(second).toContain(`/dashboard/messages?application=${secondApplication.appKey}&amp;from=`);
  expect(tiles(await overview(passbell.keys))).toMatch(/^Sent 60 .*Delivered 90% .*Codes entered 80% /);
});

it('exports the counts of each day, channel and country as CSV', async () => {
  const { html, headers } = await owner.get(`/usage/export?days=7&application=${secondApplication.appKey}`);
  expect(headers.get('Content-Type')).toContain('text/csv');
  const [columns, ...rows] = html.replace('\uFEFF', '').trim().split('\r\n');
  expect(columns).toBe(
    '"Day","Application","Channel","Country","sent","delivered","undelivered","failed","codes","verified","cost","Currency"',
  );
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatch(/^"[\d-]{10}","[^"]+","SMS","DE","10","0","0","0","0","0","0\.7550","usd"$/);
  const outsider = await signIn(passbell, 'viewer', { account: 'other@example.com' });
  expect((await outsider.get(`/usage/export?application=${secondApplication.appKey}`)).html.trim()).toMatch(
    /^\uFEFF?"Day"[^\n]*$/,
  );
});

it('can be limited to one application, and never shows another account', async () => {
  const { html } = await owner.get(`/usage?days=7&application=${secondApplication.appKey}`);
  expect(tiles(html)).toMatch(/^Sent 10 −87% vs Jan 1–7 /);
  expect((await owner.get('/usage')).html).not.toMatch(/7,777|France|Foreign/);
  const outsider = await signIn(passbell, 'viewer', { account: 'other@example.com' });
  expect(tiles((await outsider.get('/usage')).html)).toMatch(/^Sent 7,777 /);
  const guessed = await outsider.get(`/usage?application=${secondApplication.appKey}`);
  expect(guessed.html).toContain('No messages in this period');
});

it('includes a code that was just verified, but no code in the dev inbox', async () => {
  const verify = async (maskId: string, otp: string) => passbell.post('/auth/verifyotp', { maskId, otp });
  const test = await passbell.send(freshPhone());
  await verify(test.maskId, test.code);
  const path = `${week()}&application=${passbell.keys.appKey}`;
  expect((await owner.get(path)).html).toMatch(/Entered <strong>64<[^§]*Not entered <strong>16</);

  await connectGateway();
  const { data } = await passbell.post('/auth/sendotp', { to: freshPhone() });
  await verify(data.results[0].maskId, findCode(gateway));
  const { html } = await owner.get(path);
  expect(html).toMatch(/Entered <strong>65<[^§]*Not entered <strong>16</);
});

it('shows an empty state before the first message', async () => {
  const newOwner = await signIn(passbell, 'owner', { account: 'new@example.com' });
  const { html } = await newOwner.get('/usage');
  expect(html).toContain('No messages in this period');
  expect(html).not.toContain('<svg role="img"');
});

describe('the home page', () => {
  const stepsDone = async (visitor: Visitor) => /(\d) of \d steps done/.exec((await visitor.get('/home')).html)?.[1];
  const figure = (html: string, name: string) =>
    new RegExp(`>${name}</a></dt><dd><span class="value">([^<]+)<`).exec(html)?.[1];
  /** Returns the texts of the states in the message list, newest message first. */
  const badges = async (visitor: Visitor) =>
    [
      ...(await visitor.get('/messages')).html.matchAll(
        /<td data-title="State"><div><span class="(?:badge \w+|quiet)">(\w+)/g,
      ),
    ].map(([, text]) => text);

  it('marks completed first steps; marks a message in the dev inbox as a test, and does not count it as sent', async () => {
    const account = 'home@example.com';
    const keys = await passbell.core.applications.service.create(OPERATOR, { name: 'Home Shop', email: account });
    const visitor = await signIn(passbell, 'owner', { account });
    expect(await stepsDone(visitor)).toBe('1');
    const { html } = await visitor.get('/people');
    expect(html).toMatch(/<a class="badge warning" href="\/dev\/inbox"[^>]*>Test mode/);

    const test = await passbell.send(freshPhone(), {}, { keys });
    expect(await badges(visitor)).toEqual(['Test']);
    expect((await visitor.get(`/messages/${test.messageId}`)).html).toContain('It was not sent to the recipient');
    const inTestMode = (await visitor.get('/home')).html;
    expect(inTestMode).toContain('<a href="/dev/inbox">dev inbox</a>');
    expect([await stepsDone(visitor), figure(inTestMode, 'Sent')]).toEqual(['2', '0']);

    // Messages created in the same millisecond have no defined order.
    passbell.clock.advance(1);
    await connectGateway();
    expect((await visitor.get('/people')).html).not.toContain('Test mode');
    await passbell.post('/auth/sendotp', { to: freshPhone() }, { keys });
    expect(await badges(visitor)).toEqual(['Sent', 'Test']);
    expect([await stepsDone(visitor), figure((await visitor.get('/home')).html, 'Sent')]).toEqual(['4', '1']);
    await visitor.submit('/people/invite', '/people/invite', { email: 'colleague@example.com', role: 'viewer' });
    expect(await stepsDone(visitor)).toBe('5');
  });

  it('shows the state of each channel and the queue to every role, and additional steps to owners', async () => {
    const viewer = await signIn(passbell, 'viewer');
    const { html } = await viewer.get('/home');
    expect(html).toMatch(/<dt>SMS<\/dt>[\s\S]*<dt>Email<\/dt>[\s\S]*<dt>Queue<\/dt><dd>Empty</);
    expect(html).toContain(' of 6 steps done.');
    expect((await owner.get('/home')).html).toContain(' of 7 steps done.');
  });
});
