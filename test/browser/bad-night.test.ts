/** Home and Usage after a bad night: all four problems are listed, and the charts can be used by keyboard. */
import type { Browser } from 'playwright-core';
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

it('Home lists all problems, the most serious first, and says what is over', async () => {
  const page = await open('/home');
  await expect(page.locator('.page-head .lead').textContent()).resolves.toMatch(
    /^Yesterday, 1,204 messages were sent, and 90\.9% of the codes were entered\. 4 messages failed\. The fraud guard refused 412 messages to Bangladesh\. They would have cost about 31\.11 USD\. 3 customers in France had to solve a challenge\.$/,
  );
  await expect(page.locator('.attention .lead').textContent()).resolves.toBe(
    'No provider is failing, and nothing is paused right now.',
  );
  const textsIn = (heading: string) =>
    page
      .getByRole('region', { name: heading })
      .getByRole('listitem')
      .evaluateAll((all) => all.map((one) => (one as unknown as { textContent: string }).textContent));
  expect(await textsIn('Needs attention 3')).toEqual([
    expect.stringMatching(/^Harbor Books: 0 of 23 codes were entered in France/),
    expect.stringMatching(/^Harbor Books: 85% of the daily budget/),
    expect.stringMatching(/^Harbor Books: the webhook to 127\.0\.0\.1:9 is failing/),
  ]);
  expect(await textsIn('Resolved')).toEqual([
    expect.stringMatching(
      /^Twilio failed for 20 minutes: 58 SMS were not sentReason: .* 41 messages went through Vonage instead\. SMS works again\./,
    ),
    expect.stringMatching(/^Harbor Books: the fraud guard refused 20 messages/),
  ]);
  expect(await findingsInAllVariants(page, 'bad-night')).toEqual([]);
});

it('the arrow keys show the figures of each day, and Enter opens the day', async () => {
  const page = await open('/usage?days=7');
  const links = page.locator('.bar-links').first().locator('a');
  expect(
    await links.evaluateAll((all) => all.filter((link) => (link as { tabIndex: number }).tabIndex === 0).length),
  ).toBe(1);
  await links.last().focus();
  await page.keyboard.press('ArrowLeft');
  const card = links.nth(5).locator('.hover-card');
  expect(await card.textContent()).toMatch(/^Thu, Jan 14/);
  expect(await card.evaluate((element) => getComputedStyle(element as never).opacity)).toBe('1');
  await page.keyboard.press('Enter');
  await page.waitForURL(/from=2027-01-14&to=2027-01-14/);
});
