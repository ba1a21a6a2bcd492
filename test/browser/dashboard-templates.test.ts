/** The template pages of the dashboard in a real browser: editing, validation, previews, tests and accessibility. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { findingsInAllVariants } from '../support/axe.js';
import { startBrowser } from '../support/browser.js';
import { signIn } from '../support/dashboard.js';
import { freshPhone, NO_LIMITS, startService, type TestService } from '../support/service.js';
import { freshOrder, wooOrder, wooRequest } from '../support/shop-events.js';
import { advancing, until } from '../support/wait.js';

let browser: Browser;
let passbell: TestService;
let folder: string;
let base: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'passbell-templates-'));
  const prices = join(folder, 'prices.json');
  writeFileSync(prices, JSON.stringify({ currency: 'usd', prices: { SMS: { US: '0.0079', '*': '0.0500' } } }));
  browser = await startBrowser();
  passbell = await startService({ PRICES_FILE: prices });
  base = `${passbell.url}/dashboard/applications/${passbell.keys.appKey}/templates`;
});
afterAll(async () => {
  await browser?.close();
  await passbell?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Opens a page as a new person with this role, and collects its errors and policy violations. */
async function openAs(role: 'owner' | 'viewer', options: BrowserContextOptions = {}) {
  const visitor = await signIn(passbell, role);
  const context = await browser.newContext(options);
  const [name, value] = visitor.cookies().split('=') as [string, string];
  await context.addCookies([{ name, value, url: passbell.url }]);
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('status of 422')) errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(error.message));
  return { page, errors, person: visitor.person!, close: () => context.close() };
}

const check = (page: Page) => page.locator('#check');
/** Waits for the page after a form was saved, and for its scripts. */
async function waitUntilSaved(page: Page): Promise<void> {
  await page.getByText('Saved. New messages use this text.').waitFor();
  await page.waitForLoadState();
}

/** Returns the order of the visible parts of the page's head, from top to bottom. */
async function headOf(page: Page): Promise<string[]> {
  const parts = await page.locator('main > :is(.crumbs, .page-head, .result)').filter({ visible: true }).all();
  const placed = await Promise.all(
    parts.map(async (part) => ({ name: await part.getAttribute('class'), top: (await part.boundingBox())!.y })),
  );
  return placed.sort((a, b) => a.top - b.top).map(({ name }) => name!);
}

it('the editor validates a text while it is typed, saves it, and sends it as a test message', async () => {
  const { page, errors, close } = await openAs('owner');
  await page.goto(base);
  await page.getByRole('link', { name: 'Order shipped' }).click();
  // Waits for the scripts of the page, too.
  await page.waitForURL('**/order_shipped/sms/*');
  await page.getByLabel('If the tracking link is known').fill('');
  await page.getByLabel('If the customer name is known').fill('Ahoy {{ customerNam }}!');
  await page.getByText('Did you mean “customerName”?').waitFor();
  expect(await check(page).textContent()).not.toContain('Line ');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Correct the marked text.').waitFor();
  const text = page.getByLabel('If the customer name is known');
  await text.fill('Ahoy !');
  await text.press('ArrowLeft');
  await page.getByRole('button', { name: 'Customer name' }).click();
  await page.locator('.bubble', { hasText: 'Test Shop: Ahoy Ana Silva! Your order A-1001 is on its way.' }).waitFor();
  const problems = page.getByText(/The text was not saved|has no variable/);
  await until('the page without problems', async () => (await problems.count()) === 0);
  await page.getByRole('button', { name: 'Save changes' }).click();
  await waitUntilSaved(page);
  await page.getByRole('link', { name: 'Switch to the advanced editor' }).click();
  await page.getByLabel('Text', { exact: true }).fill('Ahoy {{ orderId }}!');
  await page.locator('.bubble', { hasText: 'Ahoy A-1001!' }).waitFor();
  expect(await page.locator('#preview').textContent()).toContain('1 SMS, 12 of 160 characters');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await waitUntilSaved(page);
  expect(await headOf(page)).toEqual(['crumbs whole', 'page-head', 'notice good result']);
  passbell.clock.advance(2000);
  await page.getByLabel('Your phone number').fill('+1 415 555 0188');
  expect(await page.getByRole('region', { name: 'Unsaved changes' }).isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Send a test' }).click();
  await page.getByText('The message is in the dev inbox.').waitFor();
  await page.getByText('Test', { exact: true }).waitFor();
  expect((await passbell.inbox('+14155550188'))[0]?.text).toBe('Ahoy A-1001!');
  expect(errors).toEqual([]);
  await close();
});

it('shows the message above its text on a phone, and the sample values and the test below', async () => {
  const { page, close } = await openAs('owner', { viewport: { width: 375, height: 700 } });
  await page.goto(`${base}/order_placed/sms/en`);
  const titles = ['Message', 'Edit the text', 'Sample values', 'Send a test message'];
  const boxes = titles.map((name) => page.getByRole('heading', { name, exact: true }).boundingBox());
  const tops = (await Promise.all(boxes)).map((box) => box!.y);
  expect(tops).toEqual([...tops].sort((one, other) => one - other));
  await close();
});

it('the email preview updates while typing, without adding entries to the browser history', async () => {
  const { page, errors, person, close } = await openAs('owner');
  await page.goto(`${base}/order_placed/email/en`);
  const mail = page.frameLocator('.mail-frame');
  await mail.getByText('Thank you! We have received your order A-1001.').waitFor();
  const before = await page.evaluate(() => history.length);
  await page.getByLabel('Subject').fill('Hooray, {{ orderId }}');
  await mail.getByRole('heading', { name: 'Hooray, A-1001' }).waitFor();
  await page.getByText('Dark', { exact: true }).click();
  await mail.getByRole('heading', { name: 'Hooray, A-1001' }).waitFor();
  await page.waitForFunction(() => document.querySelector('#preview iframe') !== null);
  expect(await page.evaluate(() => history.length)).toBe(before);
  await page.getByRole('button', { name: 'Save changes' }).click();
  await waitUntilSaved(page);
  passbell.clock.advance(2000);
  await page.getByRole('button', { name: 'Send a test' }).click();
  await page.getByText('The message is in the dev inbox.').waitFor();
  expect((await passbell.inbox(person.email))[0]?.subject).toBe('Hooray, A-1001');
  expect(errors).toEqual([]);
  await close();
});

it('the editor can be used with the keyboard alone', async () => {
  const { page, close } = await openAs('owner');
  await page.goto(`${base}/order_delivered/sms/en?edit=liquid`);
  const tabTo = async (name: string) => {
    for (let n = 0; n < 90; n++) {
      await page.keyboard.press('Tab');
      const label = await page.evaluate(() => {
        const { activeElement: element } = document;
        return ((element as HTMLInputElement | null)?.labels?.[0] ?? element)?.textContent?.trim() ?? '';
      });
      if (label.startsWith(name)) return;
    }
    throw new Error(`the Tab key does not reach ${name}`);
  };
  await tabTo('Text');
  await page.keyboard.press('Control+A');
  await page.keyboard.type('Here: {{ orderId }}');
  await page.locator('.bubble', { hasText: 'Here: A-1001' }).waitFor();
  await tabTo('Save changes');
  await page.keyboard.press('Enter');
  await waitUntilSaved(page);
  await tabTo('Sample values');
  await page.keyboard.press('Enter');
  await tabTo('Order ID');
  await page.keyboard.press('Control+A');
  await page.keyboard.type('B-7');
  await page.keyboard.press('Enter');
  await page.locator('.bubble', { hasText: 'Here: B-7' }).waitFor();
  passbell.clock.advance(2000);
  await tabTo('Your phone number');
  await page.keyboard.type('+14155550187');
  await tabTo('Send a test');
  await page.keyboard.press('Enter');
  await page.getByText('The message is in the dev inbox.').waitFor();
  expect((await passbell.inbox('+14155550187'))[0]?.text).toBe('Here: B-7');
  await close();
});

const HOSTILE = '<script>window.top.hacked=1</script><img src=x onerror="window.top.hacked=1">"\'><b>x</b>';

it('malicious texts and values run no scripts in the page or in the preview frame', async () => {
  const { page, close } = await openAs('owner');
  const dialogs: string[] = [];
  // The page warns before unsaved texts are lost.
  page.on('dialog', (dialog) => {
    if (dialog.type() !== 'beforeunload') dialogs.push(dialog.message());
    return dialog.accept();
  });
  for (const channel of ['sms', 'whatsapp', 'voice', 'email']) {
    await page.goto(`${base}/order_update/${channel}/en?edit=liquid`);
    await page.getByLabel('Text', { exact: true }).fill(`${HOSTILE} {{ customerName }}`);
    if (channel === 'email') await page.getByLabel('Subject').fill(`${HOSTILE} {{ customerName }}`);
    await page.getByText('Sample values').first().click();
    await page.locator('#field-sample-customerName').fill(HOSTILE);
    const shown = channel === 'email' ? page.locator('.mail-subject') : page.locator('.bubble, .script');
    await shown.filter({ hasText: `${HOSTILE} ${HOSTILE}`.slice(0, 100) }).waitFor();
    if (channel === 'email')
      await page.frameLocator('.mail-frame').getByRole('heading', { name: 'window.top.hacked' }).waitFor();
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
    expect(await page.locator('#preview script, #preview img, #preview b').count()).toBe(0);
  }
  const [frame] = page.frames().slice(1);
  expect(await frame!.evaluate(() => document.scripts.length).catch(() => 0)).toBe(0);
  expect(dialogs).toEqual([]);
  await close();
});

const PAGES = [
  ['list', ''],
  ['list-ar', '?language=ar'],
  ['sms', '/order_shipped/sms/en'],
  ['whatsapp', '/payment_failed/whatsapp/de'],
  ['voice', '/order_out_for_delivery/voice/pl?edit=liquid'],
  ['liquid', '/order_shipped/sms/en?edit=liquid'],
  ['email', '/order_placed/email/en'],
  ['email-ar', '/order_confirmed/email/ar'],
  ['code', '/otp/sms/ar'],
] as const;

it('every page fits the screen and is accessible, narrow and wide, light and dark', async () => {
  const { page, errors, close } = await openAs('owner');
  const found: string[] = [];
  for (const [name, path] of PAGES) {
    await page.goto(`${base}${path}`);
    if (name === 'sms') {
      await page
        .getByLabel('Text', { exact: true })
        .fill('Ahoy! Order {{ orderId }} is on its way 🚢 {{ trackingLink }}');
      await page.locator('.bubble', { hasText: '🚢' }).waitFor();
      await page.locator('.compare summary').click();
    }
    if (name === 'whatsapp') await page.getByText('Sample values').first().click();
    if (name === 'voice') await page.getByLabel('Text', { exact: true }).fill('Zamówienie {{ order }}\n{% if x');
    if (name === 'voice') await page.locator('.check.bad').waitFor();
    found.push(...(await findingsInAllVariants(page, `templates-${name}`)));
  }
  expect(found).toEqual([]);
  expect(errors).toEqual([]);
  await close();
});

it('the automations pages connect a shop, map its values with clicks, and turn an automation on', async () => {
  const keys = await passbell.application(NO_LIMITS);
  const { page, errors, close } = await openAs('owner', { viewport: { width: 768, height: 1024 } });
  await page.goto(`${passbell.url}/dashboard/applications/${keys.appKey}/automations`);
  const select = (name: string, label: string) =>
    page.getByRole('combobox', { name, exact: true }).selectOption({ label });
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  await page.getByRole('radio', { name: /^WooCommerce/ }).check();
  await press('Connect');
  const shown = async (name: string) =>
    (await page.locator(`[aria-label="Copy ${name}"]`).getAttribute('data-copy')) ?? '';
  const address = await shown('address');
  const secret = await shown('secret');
  const found = await findingsInAllVariants(page, 'shop', [768]);
  await select('Event', 'Order completed');
  await select('Channel', 'SMS');
  await press('Add');
  await page.getByText('No event was received in the last three days.').waitFor();
  const phone = freshPhone();
  const now = passbell.clock.now();
  const billing = { first_name: 'Ines', country: 'US', phone };
  const change = { billing, status: 'completed', date_completed_gmt: new Date(now).toISOString().slice(0, 19) };
  const postOrder = () =>
    fetch(address, { method: 'POST', ...wooRequest(secret, wooOrder(freshOrder(), now, change)) });
  await postOrder();
  const db = passbell.openDatabase();
  const isHandled = () => db('incoming_events').whereNull('due_at').first('id');
  await until('the first event', isHandled, advancing(passbell.clock, 500));
  await db.destroy();
  await page.reload();
  const field = page.getByRole('textbox', { name: 'Tracking number: text and values' });
  await page.getByText('More fields').click();
  await page.locator('.mapped summary', { hasText: 'Tracking number' }).click();
  await press('All values for Tracking number');
  await page.locator('#all-values [data-insert="order_key"]').click();
  expect(await field.inputValue()).toBe('{{ order_key }}');
  await press('Save changes');
  await page.getByText('Saved. New events use these fields.').waitFor();
  await page.getByText('Tracking number: wc_order_Kx9').waitFor();
  found.push(...(await findingsInAllVariants(page, 'automation', [768])));
  await page.getByRole('textbox', { name: 'Your phone number' }).fill(phone);
  await press('Send a test');
  await page.getByText('The test was sent.').waitFor();
  await press('Save and turn on');
  await page.getByText('Turned on.').waitFor();
  await postOrder();
  const texts = async () => (await passbell.inbox(phone)).map(({ text }) => text);
  await until('the message', async () => (await texts()).length === 2, advancing(passbell.clock, 500));
  expect(await texts()).toEqual([0, 1].map(() => expect.stringContaining('wc_order_Kx9')));
  expect(found).toEqual([]);
  expect(errors).toEqual([]);
  await close();
});
