/** The first run in a real browser: from the start page of a new server to the first code as its owner. */
import type { Browser } from 'playwright-core';
import { findingsInAllVariants } from '../support/axe.js';
import { startBrowser } from '../support/browser.js';
import { startService, type TestService } from '../support/service.js';

let browser: Browser;
let passbell: TestService;
beforeAll(async () => {
  [browser, passbell] = await Promise.all([startBrowser(), startService()]);
});
afterAll(async () => {
  await browser?.close();
  await passbell?.stop();
});

it('makes a person the owner, without the terminal: the code arrives on the phone on the page', async () => {
  const page = await (await browser.newContext({ timezoneId: 'Europe/Oslo' })).newPage();
  await page.goto(passbell.url);
  const found = await findingsInAllVariants(page, 'first-run');
  await page.getByLabel('Name of your shop or company').fill('Fjordwear');
  expect(await page.getByLabel('Your time zone').inputValue()).toBe('Europe/Oslo');
  await page.getByLabel('Your email address').fill('ana@fjordwear.example');
  await page.getByLabel('Your mobile number').fill('+49 151 23456789');
  await page.getByRole('button', { name: 'Send me a code' }).click();
  const phone = page.getByRole('region', { name: 'Your phone' });
  const enter = phone.getByRole('button', { name: /^Enter \d{6}$/ });
  await enter.waitFor();
  await page.setViewportSize({ width: 375, height: 812 });
  const { y, height } = (await enter.boundingBox())!;
  expect(y + height).toBeLessThanOrEqual(812);
  await page.getByText('The phone on this page shows the code.').waitFor();
  await page.getByRole('link', { name: 'Use another number' }).waitFor();
  found.push(...(await findingsInAllVariants(page, 'first-code')));
  await enter.click();
  await page.waitForURL(/\/dashboard\/home$/);

  await page.getByRole('link', { name: 'Connect', exact: true }).click();
  await page.getByRole('button', { name: 'Send me a test code' }).click();
  await page.getByLabel('Received code').waitFor();
  expect(found).toEqual([]);
});
