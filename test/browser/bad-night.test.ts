/** Home and Usage after a bad night: all problems are listed, and the charts can be used by keyboard. */
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { createWeeklyContent } from '../../backend/src/dashboard/home/weekly-email.js';
import { findingsInAllVariants } from '../support/axe.js';
import { startBadNight, type BadNight } from '../support/bad-night.js';
import { startBrowser } from '../support/browser.js';
import { signIn } from '../support/dashboard.js';

let night: BadNight;
let browser: Browser;
beforeAll(async () => void ([night, browser] = await Promise.all([startBadNight(), startBrowser()])));
afterAll(async () => {
  await browser.close();
  await night.service.close();
});

async function open(path: string, options: BrowserContextOptions = {}) {
  const { service, owner } = night;
  const context = await browser.newContext(options);
  const [, value] = /passbell-session=([^;]+)/.exec(owner.cookies())!;
  await context.addCookies([{ name: 'passbell-session', value: value!, url: service.passbell.url }]);
  const page = await context.newPage();
  await page.goto(`${service.passbell.url}/dashboard${path}`);
  return page;
}

const PROBLEMS = [
  'Urgent: Busy day: SMS stops around 08:15Mostly customers: 90% of codes entered. Budget: 17 of 20 USD, 66 USD expected by 01:00 tomorrow.Raise budget to 70 USD a day',
  'Warning: Possible fraud: France, ongoing0 of 23 codes entered; about 1.20 USD. Are the recipients your customers? Show messagesPause France',
  'Warning: Webhook never worked: 10 events waiting127.0.0.1:9 could not be reached. Events expire after 24 hours.Check webhook',
  'SMS outage (Twilio), 02:10–02:2922 of 58 affected people have not entered a code since. Show 22 people',
  'Likely fraud: Bangladesh, ended432 messages refused, 36 sent until 02:00 (about 2.72 USD). Not paused now.',
] as const;

it('Home lists all problems, the most serious first, and resolved ones separately', async () => {
  const page = await open('/home');
  await expect(page.locator('.page-head .lead').textContent()).resolves.toBe(
    'As of 07:10. Times are in Europe/Berlin.',
  );
  await expect(page.getByRole('region', { name: 'Yesterday' }).textContent()).resolves.toMatch(
    /^Yesterday1,204 messages were sent, and 88% of the codes were entered\. 4 messages failed\. Passbell refused 412 messages to Bangladesh\. They would have cost about 31\.11 USD\.$/,
  );
  const textsIn = (heading: string) =>
    page
      .getByRole('region', { name: heading })
      .getByRole('listitem')
      .evaluateAll((all) => all.map((one) => (one as unknown as { textContent: string }).textContent));
  expect(await textsIn('3 alerts Application: Harbor Books')).toEqual(PROBLEMS);
  // The figures agree with each other, and the outage is described once.
  const texts = await page.locator('.figures dd').allTextContents();
  expect(texts.map((text) => /^[\d,.]+(?:%|\u00a0USD)?/.exec(text)![0])).toEqual([
    '2,150',
    '99%',
    '90%',
    '61',
    '17.35\u00a0USD',
  ]);
  expect(texts[2]).toMatch(/1,935\sof\s2,150 codes/);
  expect(texts[3]).toContain('58 during the Twilio outage');
  // The alert about the budget counts from midnight UTC.
  expect(texts[4]).toContain('budget counts from 01:00');
  // The outage is over, so the high number of failures is no other urgent problem.
  expect(await page.locator('.figures .badge').allTextContents()).toContain('15×');
  expect(await page.locator('.figures .badge.bad').count()).toBe(0);
  const failures = page.getByRole('region', { name: 'Failures in the last 30 days' });
  expect(await failures.locator('.lead').textContent()).toBe('Apart from the Twilio outage:');
  expect(await textsIn('Failures in the last 30 days')).toEqual([
    'Invalid phone numbers39 messages, the latest at 07:09.New messages to these recipients will also fail.Show messages',
  ]);
  expect(await findingsInAllVariants(page, 'bad-night')).toEqual([]);
});

const wordsIn = (texts: readonly string[]) => texts.join(' ').trim().split(/\s+/);

it('the titles and the buttons can be read in ten seconds, at four words a second', async () => {
  const list = (await open('/home')).locator('section:has(#attention)');
  const read = await list.locator(':is(h2, h3, .strong)').allInnerTexts();
  expect(read[0]).toMatch(/^3 alerts\s+Application: Harbor Books$/);
  const buttons = await list.locator('.button').allInnerTexts();
  const titles = read.map((text) => text.replace('Application: Harbor Books', ''));
  expect(wordsIn(titles).length).toBeLessThanOrEqual(28);
  expect(wordsIn([...titles, ...buttons]).length).toBeLessThanOrEqual(40);
  expect(buttons).toEqual(['Raise budget to 70 USD a day', 'Pause France', 'Check webhook']);
  await list.getByRole('link', { name: 'Show 22 people' }).click();
  await list.page().getByRole('heading', { level: 1, name: '22 people who entered no code' }).waitFor();
  await list.page().goBack();
  const facts = await list.locator('li p + p').allInnerTexts();
  expect(facts).toHaveLength(5);
  for (const fact of facts) expect(wordsIn([fact]).length).toBeLessThanOrEqual(17);
});

it('on a phone, all problems fit on the first screen with their buttons, and the text of an entry is a link', async () => {
  const page = await open('/home', { viewport: { width: 375, height: 812 } });
  expect(await page.locator('.alerts .button:visible').allTextContents()).toEqual([
    'Raise budget to 70 USD a day',
    'Pause France',
    'Check webhook',
  ]);
  const last = page.locator('section:has(#attention) li').last();
  const { x, y, width, height } = (await last.boundingBox())!;
  expect(y + height).toBeLessThanOrEqual(812);
  await page.mouse.click(x + width / 2, y + height / 2);
  await page.waitForURL(/\/protection$/);
});

it('on a phone, the states of messages are one line, and the first message and the current state are on the first screen', async () => {
  const page = await open('/messages', { viewport: { width: 375, height: 812 } });
  const first = (await page.locator('.message-list tbody tr td a').first().boundingBox())!;
  expect(first.y + first.height).toBeLessThanOrEqual(450);
  for (const state of ['failed', 'undelivered', 'refused', 'sent', 'delivered']) {
    await page.goto(`${night.service.passbell.url}/dashboard/messages?state=${state}`);
    const line = page.getByRole('navigation', { name: 'State' });
    expect((await line.boundingBox())!.height).toBeLessThanOrEqual(50);
    const { x, width } = (await line.locator('[aria-current]').boundingBox())!;
    expect([state, x >= 0 && x + width <= 375]).toEqual([state, true]);
  }
});

it('the overview of an application lists its problems with the actions of Home, and marks unusual figures of today', async () => {
  const page = await open(`/applications/${night.service.keys.appKey}`);
  const items = page.getByRole('region', { name: '3 alerts' }).getByRole('listitem');
  expect(await items.allTextContents()).toEqual(PROBLEMS.slice(0, 3));
  await page.getByText('2 resolved').click();
  expect(await items.allTextContents()).toEqual(PROBLEMS);
  expect(await page.locator('#settings ~ .facts').textContent()).toContain(
    'Phone channelsSMS. Not set up: WhatsApp and voice calls.',
  );
  expect(await page.locator('.figures').textContent()).toMatch(/^Sent2,150 2×typical day: 1,070/);
  const [other] = await night.service.passbell.core.applications.service.listInAccount(night.owner.person!.accountId);
  expect(other!.appKey).not.toBe(night.service.keys.appKey);
  await page.goto(`${night.service.passbell.url}/dashboard/applications/${other!.appKey}`);
  expect(await page.locator('#attention').count()).toBe(0);
});

it('Protection lists the budget and the countries in one list, like Home, each with its actions', async () => {
  const page = await open(`/applications/${night.service.keys.appKey}/protection`);
  expect(await page.locator('main .card h2').allTextContents()).toEqual([
    '2 protection alerts',
    'Last 7 days',
    'Daily budget',
    'Codes by country',
    'Paused and allowed',
  ]);
  // The budget has the only primary button that can be pressed.
  expect(await page.locator('main .button:not(.subtle):not([aria-disabled]):visible').allTextContents()).toEqual([
    'Raise budget to 70 USD a day',
  ]);
  const row = (name: string) => page.getByRole('row', { name });
  expect(await page.locator('section:has(#attention) > ul > li').allTextContents()).toEqual([
    "Urgent: Busy day: SMS stops around 08:15Mostly customers: 90% of codes entered. Budget: 17 of 20 USD, 66 USD expected by 01:00 tomorrow.DetailsTo send all of today's messages, raise the daily budget to 70 USD or more. 90% of the codes were entered, so the recipients are probably customers.17.00 of 20.00 USD used since 01:00 (85%) · resets at 01:00 tomorrow · 2,150 messages since midnight, usually 1,070 a dayRaise budget to 70 USD a day",
    'Warning: Possible fraud: France, ongoing0 of 23 codes entered; about 1.20 USD. Are the recipients your customers?DetailsNot paused yet: 23 unused codes; the limit is 40. You serve France. If the recipients are not your customers, this is probably fraud: pause France.0 of 23 codes entered · all delivered · about 1.20 USD · latest message: 07:09Pause FranceShow messages',
    'Likely fraud: Bangladesh, ended432 messages refused, 36 sent until 02:00 (about 2.72 USD). Not paused now. Pause Bangladesh if you have no customers there.Details0 of 36 codes entered · about 2.72 USD · 432 more refused · latest message: 02:00Pause Bangladesh',
  ]);
  expect(await row('United States').locator('td').allTextContents()).toEqual([
    'United States Your country',
    'OK',
    '2,655 of 2,917 91%',
    '91%',
  ]);
  expect(await page.locator('section:has(#countries) tbody tr').count()).toBe(3);
  expect(await page.locator('.figure-strip > div').allTextContents()).toEqual([
    'Refused messages432in the last 7 days',
    'Cost avoided32.62\u00a0USDestimate for 7 days',
    'Codes entered90%in the last 7 days',
  ]);
  await page.getByText('Show as a table').click();
  const days = page.getByRole('table', { name: 'Last 7 days' }).getByRole('row');
  expect(await days.nth(0).locator('th').allTextContents()).toEqual([
    'Day',
    'Codes entered',
    'Codes not entered',
    'Refused messages',
    'Share entered',
  ]);
  const refused = await days.locator('td:nth-child(4)').allTextContents();
  expect(refused).toEqual(['20', '412', '0', '0', '0', '0', '0']);
  expect(await page.locator('.legend').textContent()).toContain('Refused messages 432');
  expect(await page.locator('section:has(#pauses) > ul > li').allTextContents()).toEqual([
    'EndedBangladeshPaused from 23:00 yesterday to 00:00 today. The pause ended automatically. 412 messages refused. The list may be incomplete: Passbell stores at most 100 refused messages an hour.',
    'EndedNumbers that start with +880171200 (Bangladesh)Paused from 02:00 to 03:00 today. The pause ended automatically. 20 messages refused.',
  ]);
});

it('the weekly email lists resolved problems separately, and names the time zone once', async () => {
  const { items } = await createWeeklyContent(night.service.passbell.core)(night.owner.person!);
  const starts = items.map((item) => item.slice(0, 26));
  // Facts that are outdated when the email is read are left out, such as the forecast of the budget.
  expect(starts.slice(1)).toEqual([
    'Needs attention:',
    '• Possible fraud: France (',
    '• Webhook failing: 127.0.0',
    'Resolved in the last 24 ho',
    '• Twilio outage. 58 SMS me',
    '• Likely fraud: Bangladesh',
    'Times are in Europe/Berlin',
  ]);
  expect(items[0]).toMatch(/^99% of the messages with a delivery report were delivered\. Cost: [\d.]+ USD\.$/);
  expect(items[2]).toContain(
    'Possible fraud: France (Harbor Books). You serve France: 0 of 23 codes entered since Jan 15, 2027, 01:00, all delivered. Cost: about 1.20 USD. (latest',
  );
  expect(items[2]).toMatch(/ https?:\S+\/dashboard\/applications\/pk_\w+\/protection$/);
  expect(items[5]).toContain(
    'Twilio outage. 58 SMS messages may not have arrived; 22 people entered no code. Reason: ',
  );
  expect(items.join()).toContain('(from Jan 16, 2027, 02:10 to Jan 16, 2027, 02:29 · latest');
  expect(items.join().match(/Europe\/Berlin/g)).toHaveLength(1);
});

it('each total of Usage shows its chart, without JavaScript', async () => {
  const page = await open('/usage?days=7', { javaScriptEnabled: false });
  const charts = page.locator('.chart:visible h2');
  expect(await charts.allTextContents()).toEqual(['Messages sent']);
  expect(await page.locator('.metrics > div', { hasText: 'Failed' }).textContent()).toBe(
    'Failed28Worse: +250% vs Jan 2–\u20608',
  );
  for (const [total, chart] of [
    ['Delivered', 'Delivery'],
    ['Codes entered', 'Codes entered'],
    ['Failed', 'Failed messages'],
    ['Cost', 'Cost'],
  ] as const) {
    await page.locator('label', { hasText: total }).click();
    expect(await charts.allTextContents()).toEqual([chart]);
  }
  await page.keyboard.press('ArrowUp');
  expect(await charts.allTextContents()).toEqual(['Failed messages']);
});

it('each chart of Usage fits the screen and is accessible', async () => {
  const page = await open('/usage?days=7');
  const found: string[] = [];
  for (const total of await page.locator('.totals label').all()) {
    await total.click();
    await page.locator('summary:visible', { hasText: 'Show as a table' }).click();
    found.push(...(await findingsInAllVariants(page, `usage ${await total.textContent()}`)));
  }
  expect(found).toEqual([]);
});

it('the arrow keys show the figures of each day, and Enter opens the day', async () => {
  const page = await open('/usage?days=7');
  const links = page.locator('.bar-links').first().locator('a');
  expect(
    await links.evaluateAll((all) => all.filter((link) => (link as { tabIndex: number }).tabIndex === 0).length),
  ).toBe(1);
  await links.nth(6).focus();
  await page.keyboard.press('ArrowLeft');
  const card = links.nth(5).locator('.hover-card');
  expect(await card.textContent()).toMatch(/^Thu, Jan 14/);
  expect(await card.evaluate((element) => getComputedStyle(element as never).opacity)).toBe('1');
  await page.keyboard.press('Enter');
  await page.waitForURL(/from=2027-01-14&to=2027-01-14/);
});

it('Channels shows beside a provider to which countries few of its codes were entered', async () => {
  const visitor = await signIn(night.service.passbell, 'viewer', { email: 'reader@shop.example' });
  const { html } = await visitor.get('/channels');
  const [, href] = /<a class="few small" href="([^"]*)">Low: Bangladesh and France<\/a>/.exec(html)!;
  expect(href).toBe(`/dashboard/applications/${night.service.keys.appKey}/protection#countries`);
});

it('the figures of all providers fit on small and large screens', async () => {
  for (const width of [720, 1024, 1280]) {
    const page = await open('/channels', { viewport: { width, height: 800 } });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  }
});

it('an owner pauses a country from Home, without JavaScript', async () => {
  const viewer = await signIn(night.service.passbell, 'viewer', { email: 'viewer@shop.example' });
  expect((await viewer.get('/home')).html).not.toMatch(/>\s*Pause France\s*<\/button>/);
  const page = await open('/home', { javaScriptEnabled: false });
  await page.getByRole('button', { name: 'Pause France' }).click();
  await page.getByText('Paused: France. To send messages again, choose “Resume” below.').waitFor();
  await page.getByRole('row', { name: 'France Served Paused' }).waitFor();
  await page.getByText(/Paused manually since .*, until an owner chooses “Resume”\./).waitFor();
  await page.goto(`${night.service.passbell.url}/dashboard/home`);
  const attention = page.getByRole('region', { name: '2 alerts' });
  expect(await attention.textContent()).toMatch(
    /Paused or allowed manuallyFrance is paused manuallyThe pause lasts until an owner chooses “Resume”\./,
  );
});
