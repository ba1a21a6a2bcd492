/**
 * Bringing an application together with a site, in a browser: the allow-list, the widget's look, and Connect.
 * `SCREENSHOTS=folder` keeps the pictures.
 */
import { join } from 'node:path';
import { jest } from '@jest/globals';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { TEXT_NAMES } from '../../backend/src/dashboard/widget/design-form.js';
import type { KeyPair } from '../../backend/src/modules/applications/applications-service.js';
import type { Role } from '../../backend/src/modules/people/person.js';
import { findings } from '../support/axe.js';
import { BROWSER_MS, startBrowser } from '../support/browser.js';
import { signIn } from '../support/dashboard.js';
import { freshMail, NO_LIMITS, startService, type TestService } from '../support/service.js';
import { startSite, type Site } from '../support/site.js';

// A busy machine opens a page in seconds.
jest.setTimeout(400_000);

let passbell: TestService;
let browser: Browser;
let site: Site;
const contexts: BrowserContext[] = [];
beforeAll(async () => {
  [passbell, browser] = await Promise.all([startService(), startBrowser()]);
  site = await startSite(browser, passbell.url);
}, BROWSER_MS);
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
  /** Errors of the console, and those that nobody caught: a policy that keeps something out is one. */
  readonly complaints: string[];
  readonly email: string;
  go(keys: KeyPair, path: string): Promise<void>;
}

/** The dashboard as somebody has it who has just signed in. */
async function open(options: BrowserContextOptions = {}, role: Role = 'owner'): Promise<Dashboard> {
  const visitor = await signIn(passbell, role);
  const [name, value] = visitor.cookies().split('=') as [string, string];
  const context = await browser.newContext({ locale: 'en-US', viewport: { width: 1440, height: 900 }, ...options });
  contexts.push(context);
  context.setDefaultTimeout(30_000);
  await context.addCookies([{ name, value, url: passbell.url }]);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(`uncaught: ${error.message}`));
  return {
    page,
    complaints,
    email: visitor.person!.email,
    async go({ appKey }, path) {
      await page.goto(`${passbell.url}/dashboard/applications/${appKey}/${path}`);
    },
  };
}

const preview = (page: Page) => page.frameLocator('#preview-frame');

/** Chooses a state of the preview, and waits until the widget shows it. */
async function showState(page: Page, state: string): Promise<void> {
  await page.getByLabel('State of the widget').selectOption(state);
  await preview(page).locator(`html[data-shows="${state}"]`).waitFor({ state: 'attached' });
}

it('a refused site is let in with one click, and its widget works', async () => {
  const keys = await passbell.application({
    ...NO_LIMITS,
    settings: { authorizedEndpoints: ['https://shop.example'] },
  });
  const attributes = { 'data-appkey': keys.appKey, 'data-emailid': freshMail() };
  const refused = await site.open({ attributes });
  await refused.shows('This did not work');

  const { page, go, complaints } = await open();
  await go(keys, 'allow-list');
  const { host } = new URL(site.url);
  const box = page.getByLabel('Origin or address');
  await box.fill(site.url);
  await page.getByRole('button', { name: 'Check' }).click();
  await page.getByText(`${site.url} would be refused.`).waitFor();
  const row = page.getByRole('row').filter({ hasText: site.url });
  expect(await row.textContent()).toContain('Widget');
  await row.getByRole('button', { name: `Allow ${host}` }).click();
  await page.getByText(`${host} is let in from now on`).waitFor();
  await row.getByText('let in now').waitFor();

  passbell.clock.advance(2000);
  const widget = await site.open({ attributes });
  await widget.shows('Set up two-factor authentication');
  expect(complaints).toEqual([]);
});

it('a refusal shows up on a page that is open, which keeps the focus where it is', async () => {
  const keys = await passbell.application({ settings: { authorizedEndpoints: ['https://shop.example'] } });
  const { page, go } = await open();
  await go(keys, 'allow-list');
  await page.getByText('Nobody was refused').waitFor();
  await page.getByLabel('Entries, one a line').focus();
  await passbell.get('/auth/authentication', {}, { keys, headers: { origin: 'https://late.example' } });
  await page.getByRole('button', { name: 'Allow late.example' }).waitFor();
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('field-entries');
});

it('a changed colour and title are seen in the preview while typing, judged, and saved', async () => {
  const keys = await passbell.application();
  const { page, go, complaints } = await open({ colorScheme: 'light' });
  await go(keys, 'widget');
  await preview(page).getByRole('heading', { name: 'Set up two-factor authentication' }).waitFor();
  await page.getByLabel('Title').pressSequentially('Café Órgano');
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('field-title');
  await preview(page).getByText('Café Órgano').waitFor();
  await page.getByRole('textbox', { name: 'Accent colour', exact: true }).fill('#fc0');
  const button = preview(page).locator('button.main');
  const colour = () => button.evaluate((element) => getComputedStyle(element).backgroundColor);
  await until(colour, 'rgb(255, 204, 0)');
  await page.getByText('Make the accent colour darker, for example').first().waitFor();

  await page.getByText('Setting it up').click();
  await page.getByLabel('Set up two-factor authentication').fill('Protect your account');
  await preview(page).getByRole('heading', { name: 'Protect your account' }).waitFor();
  await page.getByRole('button', { name: 'Save the look' }).click();
  await page.getByText('Saved. Your site shows the widget like this').waitFor();
  await preview(page).getByRole('heading', { name: 'Protect your account' }).waitFor();
  passbell.clock.advance(2000);
  const widget = await site.open({ attributes: { 'data-appkey': keys.appKey, 'data-emailid': freshMail() } });
  await widget.shows('Protect your account');
  expect(complaints).toEqual([]);
});

/** Waits until a value that is computed in the page is this one. */
async function until<T>(read: () => Promise<T>, wanted: T): Promise<void> {
  const deadline = performance.now() + 20_000;
  let value: T | undefined;
  while (performance.now() < deadline) {
    value = await read().catch(() => undefined);
    if (value === wanted) return;
  }
  expect(value).toBe(wanted);
}

it('every state of the widget can be looked at, and nothing of it leaves the frame', async () => {
  const keys = await passbell.application();
  const { page, go, complaints } = await open();
  const calls: string[] = [];
  page.on('request', (request) => request.url().includes('/api/v1/') && calls.push(request.url()));
  await go(keys, 'widget');
  const states = await page
    .locator('#preview-state option')
    .evaluateAll((all) => all.map((one) => (one as HTMLOptionElement).value));
  expect(states).toHaveLength(9);
  for (const state of [...states].reverse()) await showState(page, state);
  await showState(page, 'enter');
  // From there, the person who looks can go on.
  await preview(page).getByRole('textbox').pressSequentially('123456');
  await preview(page).getByRole('heading', { name: 'Two-factor authentication is on' }).waitFor();
  expect(calls).toEqual([]);
  // What the widget tells the developers of a site, in the states in which something is wrong.
  expect(complaints.filter((line) => !line.startsWith('[two-factor] verifyotp:'))).toEqual([]);
});

it('what is shown for embedding works as it is copied', async () => {
  const keys = await passbell.application(NO_LIMITS);
  const { page, go } = await open();
  await go(keys, 'widget');
  const body = await page.getByRole('region', { name: 'the embed snippet' }).textContent();
  const widget = await site.open({ body: body! });
  await widget.shows('Set up two-factor authentication');
  expect(widget.console.filter((line) => line.startsWith('error'))).toEqual([]);
});

it('a test code is sent, received and verified without leaving the page, by keyboard alone', async () => {
  const keys = await passbell.application();
  const { page, go, email, complaints } = await open();
  await go(keys, 'connect');
  const focused = () => page.evaluate(() => (document.activeElement?.textContent || document.activeElement?.id) ?? '');
  const reach = async (name: string) => {
    for (let steps = 0; steps < 60; steps++) {
      await page.keyboard.press('Tab');
      if ((await focused()) === name) return;
    }
    throw new Error(`the keyboard does not reach ${name}`);
  };
  await reach('n8n');
  await page.keyboard.press('Enter');
  await page.getByText('n8n-nodes-passbell', { exact: true }).waitFor();
  await reach('Send me a test code');
  await page.keyboard.press('Enter');
  await page.getByText('the dev inbox of this server has it').waitFor();
  expect(await focused()).toBe('field-code');
  await page.keyboard.type('000000');
  await page.keyboard.press('Enter');
  await page.getByText('This is not the code.').first().waitFor();
  await page.keyboard.press('Control+A');
  await page.keyboard.type(await passbell.codeFor(email));
  await page.keyboard.press('Enter');
  await page.getByText('Verified.').waitFor();
  // The browser itself notes the reply to the wrong code.
  expect(complaints.filter((line) => !line.includes('422'))).toEqual([]);
});

it('the first call is noticed by the page that waits for it', async () => {
  const keys = await passbell.application();
  const { page, go } = await open();
  await go(keys, 'connect/curl');
  await page.getByText('No call with this key pair has come yet.').waitFor();
  await passbell.get('/auth/authentication', {}, { keys });
  await page.getByText('Calls arrive').waitFor();
});

const LOOKS: { name: string; context: BrowserContextOptions }[] = [360, 1440].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({
    name: `${width}-${colorScheme}`,
    context: { viewport: { width, height: 900 }, colorScheme },
  })),
);

describe.each(LOOKS)('at $name', ({ name, context }) => {
  it('every page is whole and accessible, empty and full, with mistakes and without', async () => {
    const empty = await passbell.application();
    const settings = { authorizedEndpoints: ['https://shop.example', '*.shop.example', '203.0.113.0/24'] };
    const full = await passbell.application({
      name: 'Café Órgano',
      settings,
      design: { title: 'Café Órgano', accentColor: '#ffcc00' },
    });
    for (const origin of ['https://staging.shop-example.net', 'http://localhost:5173'])
      await passbell.get('/auth/authentication', {}, { keys: full, headers: { origin } });
    const { page, go } = await open(context);
    const found: string[] = [];

    async function look(state: string): Promise<void> {
      const cut = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      if (cut > 0) found.push(`${state}: ${cut} pixels too wide`);
      found.push(...(await findings(page)).map((finding) => `${state}: ${finding}`));
      if (!process.env.SCREENSHOTS) return;
      await page.evaluate(() => scrollTo(0, 0));
      await page.screenshot({ path: join(process.env.SCREENSHOTS, `${state}-${name}.png`), fullPage: true });
    }

    await go(empty, 'allow-list');
    await look('allow-list-empty');
    await go(full, 'allow-list?caller=https%3A%2F%2Fwww.other.example');
    await look('allow-list');
    await page.getByLabel('Entries, one a line').fill('https://good.example\na b\n203.0.113.0/33');
    await page.getByRole('button', { name: 'Save the list' }).click();
    await page.getByText('Line 2:').first().waitFor();
    await look('allow-list-mistakes');

    await go(full, 'widget');
    await showState(page, 'codes');
    await page.getByText('All pairs of colours').click();
    await look('widget');
    await page.getByRole('textbox', { name: 'Accent colour', exact: true }).fill('yellow');
    await page.getByRole('button', { name: 'Save the look' }).click();
    await page.getByText('Write a colour as #').first().waitFor();
    for (const group of await page.locator('#design summary').all()) await group.click();
    await showState(page, 'locked');
    await look('widget-mistakes');
    expect(await page.locator('#design details input').count()).toBe(TEXT_NAMES.length);

    for (const tool of ['zapier', 'curl', 'php']) {
      await go(empty, `connect/${tool}`);
      await look(`connect-${tool}`);
    }
    await page.getByRole('button', { name: 'Send me a test code' }).click();
    await page.getByLabel('The code that arrived').waitFor();
    await look('connect-sent');
    expect(found).toEqual([]);
  });
});
