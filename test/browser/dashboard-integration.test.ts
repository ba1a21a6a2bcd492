/**
 * Integrating an application with a site, in a real browser: the allow-list, the widget's design and the Connect page.
 * `SCREENSHOTS=folder` saves screenshots.
 */
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { TEXT_NAMES } from '../../backend/src/dashboard/widget/design-form.js';
import type { KeyPair } from '../../backend/src/modules/applications/application.js';
import type { Role } from '../../backend/src/modules/access/rights.js';
import { findingsInAllVariants } from '../support/axe.js';
import { startBrowser } from '../support/browser.js';
import { signIn } from '../support/dashboard.js';
import { freshMail, NO_LIMITS, startService, type TestService } from '../support/service.js';
import { startSite, type Site } from '../support/site.js';
import { until } from '../support/wait.js';

let passbell: TestService;
let browser: Browser;
let site: Site;
const contexts: BrowserContext[] = [];
beforeAll(async () => {
  [passbell, browser] = await Promise.all([startService(), startBrowser()]);
  site = await startSite(browser, passbell.url);
});
afterEach(async () => {
  await site.close();
  await Promise.all(contexts.splice(0).map((context) => context.close()));
});
afterAll(async () => {
  await browser?.close();
  await site?.stop();
  await passbell?.stop();
});

interface Dashboard {
  readonly page: Page;
  /** Console errors, including violations of the content security policy, and uncaught errors. */
  readonly errors: string[];
  readonly email: string;
  go(keys: KeyPair, path: string): Promise<void>;
}

/** Opens the dashboard as a new person with this role. */
async function open(options: BrowserContextOptions = {}, role: Role = 'owner'): Promise<Dashboard> {
  const visitor = await signIn(passbell, role);
  const [name, value] = visitor.cookies().split('=') as [string, string];
  const context = await browser.newContext({ locale: 'en-US', viewport: { width: 1440, height: 900 }, ...options });
  contexts.push(context);
  await context.addCookies([{ name, value, url: passbell.url }]);
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.on('pageerror', (error) => errors.push(`uncaught: ${error.message}`));
  return {
    page,
    errors,
    email: visitor.person!.email,
    async go({ appKey }, path) {
      await page.goto(`${passbell.url}/dashboard/applications/${appKey}/${path}`);
    },
  };
}

const preview = (page: Page) => page.frameLocator('#preview-frame');

/** Selects a preview state, and waits until the widget shows it. */
async function showState(page: Page, state: string): Promise<void> {
  await page.getByLabel('State of the widget').selectOption(state);
  await preview(page).locator(`html[data-shows="${state}"]`).waitFor({ state: 'attached' });
}

it('the allow-list page adds a rejected site with one click, and the widget works on that site', async () => {
  const keys = await passbell.application({
    ...NO_LIMITS,
    settings: { authorizedEndpoints: ['https://shop.example'] },
  });
  const attributes = { 'data-appkey': keys.appKey, 'data-emailid': freshMail() };
  const rejected = await site.open({ attributes });
  await rejected.waitForView('Something went wrong');

  const { page, go, errors } = await open();
  await go(keys, 'allow-list');
  for (const origin of ['https://other.example', site.url]) {
    await page.getByLabel('Site or IP address').fill(origin);
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByText(`${origin} is not allowed.`).waitFor();
  }
  const row = page.getByRole('row').filter({ hasText: site.url });
  expect(await row.textContent()).toContain('Widget');
  await row.getByRole('button', { name: `Allow ${site.url}` }).click();
  await page.getByText(`${site.url} is now allowed.`).waitFor();
  await row.getByText('Now allowed', { exact: true }).waitFor();

  passbell.clock.advance(2000);
  const widget = await site.open({ attributes });
  await widget.waitForView('Set up two-factor authentication');
  expect(errors).toEqual([]);
});

it('the allow-list page shows new rejections without moving the focus', async () => {
  const keys = await passbell.application({ settings: { authorizedEndpoints: ['https://shop.example'] } });
  const { page, go } = await open();
  await go(keys, 'allow-list');
  await page.getByText('No rejected requests').waitFor();
  await page.getByLabel('Entries, one per line').focus();
  await passbell.get('/auth/authentication', {}, { keys, headers: { origin: 'https://late.example' } });
  await page.getByRole('button', { name: 'Allow late.example' }).waitFor();
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('field-entries');
});

it('the preview shows a changed color and title while typing, with a contrast warning, and saves the changes', async () => {
  const keys = await passbell.application();
  const { page, go, errors } = await open({ colorScheme: 'light' });
  await go(keys, 'widget');
  await preview(page).getByRole('heading', { name: 'Set up two-factor authentication' }).waitFor();
  await page.getByLabel('Title').first().pressSequentially('Café Órgano');
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('field-title');
  await preview(page).getByText('Café Órgano').waitFor();
  await page.getByRole('textbox', { name: 'Accent color', exact: true }).fill('#fc0');
  const button = preview(page).locator('button.main');
  const color = () => button.evaluate((element) => getComputedStyle(element).backgroundColor);
  await untilEqual(color, 'rgb(255, 204, 0)');
  await page.getByText('The main button is hard to').waitFor();

  await page.locator('summary').getByText('Setup: QR code').click();
  await page.getByPlaceholder('Set up two-factor authentication').fill('Protect your account');
  await preview(page).getByRole('heading', { name: 'Protect your account' }).waitFor();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Saved. Your site shows the new design').waitFor();
  await preview(page).getByRole('heading', { name: 'Protect your account' }).waitFor();
  passbell.clock.advance(2000);
  const widget = await site.open({ attributes: { 'data-appkey': keys.appKey, 'data-emailid': freshMail() } });
  await widget.waitForView('Protect your account');
  expect(errors).toEqual([]);
});

/** Waits until `read` returns the expected value. */
const untilEqual = <T>(read: () => Promise<T>, expected: T): Promise<boolean> =>
  until(String(expected), async () => (await read().catch(() => undefined)) === expected);

it('the preview shows every widget state without API calls', async () => {
  const keys = await passbell.application();
  const { page, go, errors } = await open();
  const calls: string[] = [];
  page.on('request', (request) => request.url().includes('/api/v1/') && calls.push(request.url()));
  await go(keys, 'widget');
  const states = await page
    .locator('#preview-state option')
    .evaluateAll((options) => options.map((option) => (option as HTMLOptionElement).value));
  expect(states).toHaveLength(9);
  for (const state of [...states].reverse()) await showState(page, state);
  await showState(page, 'enter');
  // The preview accepts input.
  await preview(page).getByRole('textbox').pressSequentially('123456');
  await preview(page).getByRole('heading', { name: 'Two-factor authentication is on' }).waitFor();
  expect(calls).toEqual([]);
  // In its error states, the widget logs the error for developers.
  expect(errors.filter((line) => !line.startsWith('[two-factor] verifyotp:'))).toEqual([]);
});

it('the preview shows the texts of the selected language', async () => {
  const keys = await passbell.application();
  const { page, go, errors } = await open();
  await go(keys, 'widget');
  await page.getByLabel('Language').selectOption('de');
  await preview(page).getByRole('heading', { name: 'Zwei-Faktor-Authentifizierung einrichten' }).waitFor();
  expect(errors).toEqual([]);
});

it('the embed snippet works without the example token', async () => {
  const keys = await passbell.application(NO_LIMITS);
  const { page, go } = await open();
  await go(keys, 'widget');
  await page.getByRole('link', { name: 'Code', exact: true }).click();
  const body = await page.getByRole('region', { name: 'embed code' }).textContent();
  const widget = await site.open({ body: body!.replace('\n  data-usertoken="YOUR_USER_TOKEN"', '') });
  await widget.waitForView('Set up two-factor authentication');
  expect(widget.console.filter((line) => line.startsWith('error'))).toEqual([]);
});

it('the Connect page sends and verifies a test code with the keyboard alone', async () => {
  const keys = await passbell.application();
  const { page, go, email, errors } = await open();
  await go(keys, 'connect');
  const focused = () => page.evaluate(() => (document.activeElement?.textContent || document.activeElement?.id) ?? '');
  const tabTo = async (name: string) => {
    for (let steps = 0; steps < 90; steps++) {
      await page.keyboard.press('Tab');
      if ((await focused()) === name) return;
    }
    throw new Error(`the Tab key does not reach ${name}`);
  };
  await tabTo('n8n');
  await page.keyboard.press('Enter');
  await page.getByText('Install the nodes').waitFor();
  expect(await page.locator('pre').first().isVisible()).toBe(false);
  await page.waitForLoadState();
  await tabTo('Send me a test code');
  await page.keyboard.press('Enter');
  await page.getByText('the message is in the dev inbox of this server').waitFor();
  await untilEqual(focused, 'field-code');
  await page.keyboard.type('000000');
  await page.keyboard.press('Enter');
  await page.getByText('Incorrect code. Enter the latest code.').first().waitFor();
  await untilEqual(focused, 'field-code');
  await page.keyboard.press('Control+A');
  await page.keyboard.type(await passbell.codeFor(email));
  await page.keyboard.press('Enter');
  await page.getByText('Verified.', { exact: true }).waitFor();
  // The browser logs the 422 reply to the wrong code.
  expect(errors.filter((line) => !line.includes('422'))).toEqual([]);
});

it('the Connect page shows the first call when it arrives', async () => {
  const keys = await passbell.application();
  const { page, go } = await open();
  await go(keys, 'connect/curl');
  await page.getByText('Waiting for your first request.').waitFor();
  await passbell.get('/auth/authentication', {}, { keys });
  await page.getByRole('heading', { name: 'Last request' }).waitFor();
});

it.each([375, 1440])('the Copy buttons do not cover the code in a window of %d pixels', async (width) => {
  const { page, go } = await open();
  await page.setViewportSize({ width, height: 800 });
  await go(await passbell.application(), 'connect/node');
  const blocks = page.locator('.copy-block');
  for (let n = 0; n < (await blocks.count()); n++) {
    const [code, button] = await Promise.all(
      [blocks.nth(n).locator('pre'), blocks.nth(n).getByRole('button')].map((part) => part.boundingBox()),
    );
    const isBeside = button!.x >= code!.x + code!.width;
    expect(isBeside || button!.y + button!.height <= code!.y).toBe(true);
  }
});

it('every page fits the screen and is accessible: empty, filled and with errors, narrow and wide, light and dark', async () => {
  const empty = await passbell.application();
  const settings = { authorizedEndpoints: ['https://shop.example', '*.shop.example', '203.0.113.0/24'] };
  const full = await passbell.application({
    name: 'Café Órgano',
    settings,
    design: { title: 'Café Órgano', accentColor: '#ffcc00' },
  });
  for (const origin of ['https://staging.shop-example.net', 'http://localhost:5173'])
    await passbell.get('/auth/authentication', {}, { keys: full, headers: { origin } });
  const { page, go } = await open();
  const found: string[] = [];
  const check = async (state: string) => void found.push(...(await findingsInAllVariants(page, state)));

  await go(empty, 'allow-list');
  await check('allow-list-empty');
  await go(full, 'allow-list?caller=https%3A%2F%2Fwww.other.example');
  await check('allow-list');
  await page.getByLabel('Entries, one per line').fill('https://good.example\na b\n203.0.113.0/33');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Line 2:').first().waitFor();
  await check('allow-list-mistakes');

  await go(full, 'widget');
  await showState(page, 'codes');
  await check('widget');
  await page.getByRole('textbox', { name: 'Accent color', exact: true }).fill('yellow');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Enter a color as #').first().waitFor();
  for (const group of await page.locator('#design summary').all()) await group.click();
  await showState(page, 'locked');
  await check('widget-mistakes');
  expect(await page.locator('#design details [name^="text-"]').count()).toBe(TEXT_NAMES.length);

  await go(empty, 'connect');
  await check('connect');
  for (const tool of ['shop', 'zapier', 'curl', 'php']) {
    await go(empty, `connect/${tool}`);
    for (const commands of await page.locator('.step summary').all()) await commands.click();
    await check(`connect-${tool}`);
  }
  await page.getByRole('button', { name: 'Send me a test code' }).click();
  await page.getByLabel('Received code').waitFor();
  await check('connect-sent');
  expect(found).toEqual([]);
});
