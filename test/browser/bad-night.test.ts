/** Home and Usage after a bad night: all problems are listed, and the charts can be used by keyboard. */
import type { Browser } from 'playwright-core';
import { createWeeklyContent } from '../../backend/src/dashboard/home/weekly-email.js';
import { findingsInAllVariants } from '../support/axe.js';
import { startBadNight, type BadNight } from '../support/bad-night.js';
import { startBrowser } from '../support/browser.js';

let night: BadNight;
let browser: Browser;
beforeAll(async () => void ([night, browser] = await Promise.all([startBadNight(), startBrowser()])));
afterAll(async () => {
  await browser.close();
  await night.service.close();
});

async function open(path: string) {
  const { service, owner } = night;
  const context = await browser.newContext();
  const [name, value] = owner.cookies().split('=') as [string, string];
  await context.addCookies([{ name, value, url: service.passbell.url }]);
  const page = await context.newPage();
  await page.goto(`${service.passbell.url}/dashboard${path}`);
  return page;
}

it('Home lists all problems, the most serious first, and resolved ones separately', async () => {
  const page = await open('/home');
  await expect(page.locator('.page-head .lead').textContent()).resolves.toBe(
    'As of 07:10. Times are in Europe/Berlin.',
  );
  await expect(page.getByRole('region', { name: 'Yesterday' }).textContent()).resolves.toMatch(
    /^Yesterday1,204 messages were sent, and 90% of the codes were entered\. 4 messages failed\. The fraud guard refused 412 messages to Bangladesh\. They would have cost about 31\.11 USD\. 3 customers in France had to complete an extra check\.$/,
  );
  const textsIn = (heading: string) =>
    page
      .getByRole('region', { name: heading })
      .getByRole('listitem')
      .evaluateAll((all) => all.map((one) => (one as unknown as { textContent: string }).textContent));
  expect(await textsIn('Needs attention 4')).toEqual([
    expect.stringMatching(
      /^UrgentHarbor Books: all paid messages will stop at about 08:1585% of the daily budget is used: 17\.00 USD of 20\.00 USD since 01:00 \(midnight UTC\)\. When it is used up, .* resets at 01:00 tomorrow\. Likely cause: twice the usual traffic, probably from customers\./,
    ),
    expect.stringMatching(
      /^UrgentHarbor Books: 0 of 23 codes were entered in France and 0 of 10 in BangladeshMessages to France are still being sent\. If the recipients are your customers, their codes may not be arriving: .* If not, pause these messages\.latest message: France, 07:09; Bangladesh, 02:00 · cost: about 1\.95 USD since 01:00 yesterday · 20 messages to Bangladesh refused, the latest at \d\d:\d\dOpen/,
    ),
    expect.stringMatching(/^WarningHarbor Books: the webhook to 127\.0\.0\.1:9 is failing/),
    expect.stringMatching(
      /^Warning2,150 messages so far today, compared with 1,070 on a usual day.* Without the codes to France and Bangladesh, 91% of today's codes were entered, as usual/,
    ),
  ]);
  expect(await textsIn('Resolved')).toEqual([
    expect.stringMatching(
      /^Twilio failed for 19 minutes: 58 SMS messages were not sentReason: the provider was temporarily unavailable \(503\)\. 58 people did not get their code\. 41 messages went through Vonage instead\. SMS messages now go through Twilio\.from 02:10 to 02:29 · latest sent message: 07:09/,
    ),
  ]);
  // The figures agree with each other, and the failures of the outage are listed once.
  const texts = await page.locator('.figures.today dd').allTextContents();
  expect(texts.map((text) => /^[\d,.]+(?:%|\u00a0USD)?/.exec(text)![0])).toEqual([
    '2,150',
    '99%',
    '90%',
    '61',
    '17.35\u00a0USD',
  ]);
  expect(texts[2]).toContain('of 2,150 codes');
  expect(await page.locator('#failures ~ *').allTextContents()).toEqual([
    expect.stringMatching(/^3 messages/),
    '58 more messages failed during the Twilio outage (02:10 to 02:29).',
  ]);
  expect(await findingsInAllVariants(page, 'bad-night')).toEqual([]);
});

it('the overview of an application lists its problems with one line for each, and marks unusual figures of today', async () => {
  const page = await open(`/applications/${night.service.keys.appKey}`);
  const items = page.getByRole('region', { name: 'Needs attention 4' }).getByRole('listitem');
  expect(await items.allTextContents()).toEqual([
    'UrgentAll paid messages will stop at about 08:15Change the budget',
    'Urgent0 of 23 codes were entered in France and 0 of 10 in BangladeshOpen Protection',
    'WarningThe webhook to 127.0.0.1:9 is failingOpen the webhook',
    'Warning2,150 messages so far today, compared with 1,070 on a usual dayShow today',
    'ResolvedTwilio failed for 19 minutes: 58 SMS messages were not sentShow the messages',
  ]);
  expect(await page.locator('.figures.today').textContent()).toMatch(
    /^Sent2,150accepted by a providerusually 1,070 a day/,
  );
  const [other] = await night.service.passbell.core.applications.service.listInAccount(night.owner.person!.accountId);
  expect(other!.appKey).not.toBe(night.service.keys.appKey);
  await page.goto(`${night.service.passbell.url}/dashboard/applications/${other!.appKey}`);
  expect(await page.locator('#attention').count()).toBe(0);
});

it('the weekly email lists resolved problems separately, and names the time zone once', async () => {
  const { items } = await createWeeklyContent(night.service.passbell.core)(night.owner.person!);
  const starts = items.map((item) => item.slice(0, 26));
  // Facts that are outdated when the email is read are left out, such as the forecast of the budget.
  expect(starts.slice(1)).toEqual([
    'Needs attention:',
    '• Harbor Books: 0 of 23 co',
    '• Harbor Books: the webhoo',
    'Resolved in the last 24 ho',
    '• Twilio failed for 19 min',
    'Times are in Europe/Berlin',
  ]);
  expect(items[0]).toMatch(/^99% of the messages with a delivery report were delivered\. Cost: [\d.]+ USD\.$/);
  expect(items[2]).toContain('. If the recipients are your customers');
  expect(items[2]).toMatch(/ · cost: about 1\.95 USD since Jan 15, 2027, 01:00 · /);
  expect(items[2]).toMatch(/ https?:\S+\/dashboard\/applications\/pk_\w+\/protection$/);
  expect(items.join()).toContain('(from Jan 16, 2027, 02:10 to Jan 16, 2027, 02:29 · latest');
  expect(items.join().match(/Europe\/Berlin/g)).toHaveLength(1);
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
