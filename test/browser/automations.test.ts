/** Filling in an automation by clicks, in a real browser. `SCREENSHOTS=folder` saves the pages. */
import type { Browser } from 'playwright-core';
import { startBrowser } from '../support/browser.js';
import { DESKTOP, openBrowser } from '../support/browsing-person.js';
import { signIn } from '../support/dashboard.js';
import { NO_LIMITS, startService, type TestService } from '../support/service.js';
import { freshOrder } from '../support/shop-events.js';
import { createShops } from '../support/shops.js';

let passbell: TestService;
let browser: Browser;
beforeAll(async () => {
  [passbell, browser] = await Promise.all([startService(), startBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await passbell?.stop();
});

it('a click on a received value adds it to the selected field, and the preview shows its value', async () => {
  const owner = await signIn(passbell);
  const shops = createShops(passbell, owner);
  const keys = await passbell.application({ ...NO_LIMITS, name: 'My Shop' });
  const shop = await shops.connect(keys, 'woocommerce');
  const path = await shops.automate(shop, 'paid', {}, false);
  const date_paid_gmt = new Date(passbell.clock.now()).toISOString().slice(0, 19);
  await shops.post(shop, shops.woo(shop, freshOrder(), { date_paid_gmt }));
  await shops.handled(shop);

  const { page, context, read, press, problems } = await openBrowser(browser, { viewport: DESKTOP }, 'automation');
  const [, name, value] = /^([^=]+)=([^;]+)/.exec(owner.cookies())!;
  await context.addCookies([{ name: name!, value: value!, url: passbell.url }]);
  await page.goto(`${passbell.url}/dashboard${path}`);
  await read('Each event fills in these fields.');
  const row = page.locator('.mapped', { hasText: 'Order ID (required)' });
  const shown = (text: string) => row.locator('summary', { hasText: text }).waitFor();
  await shown("from the shop's “number”");
  await page.locator('.mapped summary', { hasText: "from the shop's “total” and “currency”" }).waitFor();
  const field = page.getByLabel('Order ID: text and values');
  // The Liquid template is hidden until the row is opened.
  expect(await field.isVisible()).toBe(false);
  await row.locator('summary').click();
  await field.fill('');
  await read('Unsaved changes: ');
  await row.locator('[data-insert="number"]').click();
  expect(await field.inputValue()).toBe('{{ number }}');
  await press('All values for Order ID');
  await page.locator('#all-values [data-insert="order_key"]').click();
  expect(await field.inputValue()).toBe('{{ order_key }}');
  // The value and the example follow the field.
  await shown('wc_order_Kx9');
  await page.locator('.bubble', { hasText: 'order wc_order_Kx9' }).waitFor();
  // The example follows the typing, and the recipient the channel.
  await field.pressSequentially(' (new)');
  await page.locator('.bubble', { hasText: 'order wc_order_Kx9 (new)' }).waitFor();
  const recipient = page.locator('.mapped summary', { hasText: 'Recipient (required)' });
  await page.getByLabel('Channel', { exact: true }).selectOption('Email');
  await recipient.getByText('The event has no value named billing.email.').waitFor();
  await page.locator('.mail-subject').waitFor();
  await page.getByLabel('Channel', { exact: true }).selectOption('SMS');
  await recipient.getByText("from the shop's “billing phone” or “shipping phone”").waitFor();
  await press('Save and turn on');
  await read('Turned on. The next event sends a message.');
  await page.goto(`${passbell.url}/dashboard${shop.path}`);
  await read('Received events');
  await page.getByText('Add an automation', { exact: true }).click();
  const suggested = (label: string) => page.locator('#field-template option', { hasText: `${label} (suggested)` });
  await suggested('Payment received').waitFor({ state: 'attached' });
  await page.getByLabel('Event', { exact: true }).selectOption('Order refunded');
  await suggested('Refund completed').waitFor({ state: 'attached' });
  expect(problems).toEqual([]);
  await context.close();
});
