/** The search and the menu in a real browser. `SCREENSHOTS=folder` saves screenshots. */
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { findings } from '../support/axe.js';
import { startBrowser } from '../support/browser.js';
import { signIn } from '../support/dashboard.js';
import { startService, type TestService } from '../support/service.js';

let browser: Browser;
let passbell: TestService;
beforeAll(async () => {
  passbell = await startService();
  browser = await startBrowser();
});
afterAll(async () => {
  await browser?.close();
  await passbell.stop();
});

async function openHome(options: BrowserContextOptions) {
  const owner = await signIn(passbell);
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  const [, name, value] = /^([^=]+)=(.*)$/.exec(owner.cookies())!;
  await context.addCookies([{ name: name!, value: value!, url: passbell.url }]);
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  await page.goto(`${passbell.url}/dashboard/home`);
  return { page, errors, context };
}

it.each(['Control+k', '/'])('%s opens the search, which finds a page while the person types', async (keys) => {
  const { page, errors, context } = await openHome({ viewport: { width: 1440, height: 900 } });
  await page.keyboard.press(keys);
  await page.locator('#search-results').getByRole('link', { name: 'Failed messages Last 30 days' }).waitFor();
  await page.keyboard.type('protec');
  const found = page
    .locator('#search-results li:first-child')
    .getByRole('link', { name: /^Protection/ })
    .first();
  await found.waitFor();
  expect(await findings(page)).toEqual([]);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/protection');
  expect(errors).toEqual([]);
  await context.close();
});

it('Enter opens the first result, and the arrow keys move through the results', async () => {
  const { page, errors, context } = await openHome({ viewport: { width: 1440, height: 900 } });
  await page.keyboard.press('Control+k');
  await page.keyboard.type('protec');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/protection');
  await page.keyboard.press('Control+k');
  const ofWholeText = page.waitForResponse((response) => response.request().postData()?.includes('invoice') === true);
  await page.keyboard.type('invoice');
  await ofWholeText;
  const links = page.locator('#search-results').getByRole('link');
  await page.getByRole('list', { name: 'Templates' }).waitFor();
  const target = (await links.nth(1).getAttribute('href'))!;
  const focused = () =>
    page.evaluate(() => document.activeElement?.getAttribute('href') ?? document.activeElement?.tagName);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  expect(await focused()).toBe('INPUT');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  expect(await focused()).toBe(target);
  await page.keyboard.press('Enter');
  await page.waitForURL(`**${target}`);
  expect(errors).toEqual([]);
  await context.close();
});

it('the search works without JavaScript', async () => {
  const { page, context } = await openHome({ javaScriptEnabled: false, viewport: { width: 1440, height: 900 } });
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('searchbox', { name: 'Search' }).fill('protection');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/search');
  await page
    .locator('#search-results')
    .getByRole('link', { name: /^Protection Test Shop/ })
    .click();
  await page.waitForURL('**/protection');
  await context.close();
});

it('a phone shows the navigation as a menu', async () => {
  const { page, errors, context } = await openHome({ viewport: { width: 375, height: 800 }, isMobile: true });
  const link = page.getByRole('link', { name: 'Audit log' });
  expect(await link.isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Menu' }).click();
  expect(await findings(page)).toEqual([]);
  await link.click();
  await page.waitForURL('**/audit');
  expect(errors).toEqual([]);
  await context.close();
});
