/** The documentation in a browser: search, copying, languages, the reader's App Key, and the error codes. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { findingsInAllVariants } from '../support/axe.js';
import { startBrowser } from '../support/browser.js';
import { signIn } from '../support/dashboard.js';
import { startService, type TestService } from '../support/service.js';
import { until } from '../support/wait.js';

let passbell: TestService;
let browser: Browser;
beforeAll(async () => {
  passbell = await startService();
  browser = await startBrowser();
});
afterAll(async () => {
  await browser?.close();
  await passbell.stop();
});

/** Opens a page, and collects policy violations and script errors. */
async function open(path: string, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'], ...options });
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('status of 404')) errors.push(message.text());
  });
  page.on('pageerror', (error) => void errors.push(error.message));
  await page.goto(`${passbell.url}${path}`);
  return { context, page, errors };
}

const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

it('has no accessibility problems, policy violations or horizontal scrolling', async () => {
  const { context, page, errors } = await open('/docs');
  const found: string[] = [];
  for (const path of [
    '/docs',
    '/docs/send-and-verify',
    '/docs/api',
    '/docs/api/otp',
    '/docs/errors',
    '/docs/changelog',
    '/docs/custom-gateway',
    '/docs/no-code',
    '/docs/search?q=code',
    '/nope',
  ]) {
    await page.goto(`${passbell.url}${path}`);
    found.push(...(await findingsInAllVariants(page, `docs${path.replace(/\W/g, '-')}`, [375, 1440])));
  }
  expect(found).toEqual([]);
  expect(errors).toEqual([]);
  await context.close();
});

it('lets phones scroll large pictures sideways, and opens them at full size', async () => {
  const { context, page, errors } = await open('/docs/no-code', { viewport: { width: 375, height: 800 } });
  const picture = page.getByRole('link', { name: 'The workflow in n8n: Order Shipped' });
  const widths = await picture.evaluate((link) => [link.clientWidth, link.scrollWidth]);
  expect(widths[0]).toBeLessThan(375);
  expect(widths[1]).toBeGreaterThanOrEqual(640);
  const pageWidth = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(pageWidth).toBe(375);
  await picture.click();
  await page.waitForURL('**/docs/n8n-order-shipped.png');
  expect(errors).toEqual([]);
  await context.close();
});

it('finds a page while typing, with the keyboard only', async () => {
  const { context, page, errors } = await open('/docs');
  await page.keyboard.press('/');
  await page.keyboard.type('otp_locked');
  await page.locator('.panel').getByRole('link', { name: 'OTP_LOCKED Error codes' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/docs/errors#OTP_LOCKED');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('webhook');
  await page.locator('.panel a').first().waitFor();
  await page.keyboard.press('Escape');
  expect(await page.locator('.panel').isVisible()).toBe(false);
  expect(errors).toEqual([]);
  await context.close();
});

it('opens a collapsed section for a link to it or into it, and searches its text', async () => {
  const { context, page, errors } = await open('/docs/changelog');
  const text = page.getByText('adds a column for the sites of connected shops');
  expect(await text.isVisible()).toBe(false);
  await page.locator('.contents').getByRole('link', { name: 'Database' }).first().click();
  await text.waitFor();
  await page.goto(`${passbell.url}/docs/search?q=GTID+replication`);
  await page.locator('#results a[href="/docs/changelog#operation"]').click();
  await page.getByText('GTID-based').waitFor();
  // A heading in a collapsed section.
  await page.goto(`${passbell.url}/docs/changelog#removed`);
  await page.getByText('The comparison of providers').waitFor();
  expect(errors).toEqual([]);
  await context.close();
});

it('opens a section that has moved to another page, and links to it without JavaScript', async () => {
  const { context, page, errors } = await open('/docs/fraud-rules#refused-numbers');
  await page.waitForURL('**/docs/fraud-settings#refused-numbers');
  await page.goto(`${passbell.url}/docs/n8n`);
  await page.evaluate(() => void (location.hash = '#code-verify'));
  await page.waitForURL('**/docs/n8n-reference#code-verify');
  expect(errors).toEqual([]);
  await context.close();
  const plain = await open('/docs/fraud-rules#refused-numbers', { javaScriptEnabled: false });
  await plain.page.getByRole('link', { name: 'This section has moved to another page. Open it there.' }).click();
  await plain.page.waitForURL('**/docs/fraud-settings#refused-numbers');
  await plain.page.goto(`${passbell.url}/docs/fraud-rules`);
  expect(await plain.page.locator('.moved').filter({ visible: true }).count()).toBe(0);
  await plain.context.close();
});

it('works without JavaScript: search, languages and the list of headings', async () => {
  const { context, page } = await open('/docs/api/otp', { javaScriptEnabled: false });
  await page.getByText('Python', { exact: true }).first().click();
  await page.getByText('import requests').first().waitFor();
  expect(await page.getByText('curl -s').first().isVisible()).toBe(false);
  await page.getByRole('navigation', { name: 'On this page' }).getByRole('link').first().waitFor();
  await page.getByRole('searchbox').fill('cooldown');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('link', { name: 'COOLDOWN Error codes' }).waitFor();
  expect(await page.getByRole('button', { name: 'Copy' }).count()).toBe(0);
  await context.close();
});

it('scrolls the list of pages to the current one, and does not cut off its first line', async () => {
  for (const height of [600, 900])
    for (const path of ['/docs/webhooks', '/docs/going-live', '/docs/api', '/docs/errors']) {
      const { context, page } = await open('/docs', { viewport: { width: 1280, height } });
      // The font arrives after the list was scrolled. Lines that wrapped in another font become shorter.
      let loadFont!: () => void;
      const scrolled = new Promise<void>((resolve) => (loadFont = resolve));
      await page.route('**/*.woff2', async (route) => {
        await scrolled;
        await route.continue();
      });
      await page.goto(`${passbell.url}${path}`, { waitUntil: 'domcontentloaded' });
      loadFont();
      const lines = () =>
        page.locator('.site').evaluate((site) => {
          const box = site.getBoundingClientRect();
          const places = [...site.querySelectorAll('.group, li')].map((line) => line.getBoundingClientRect());
          // Positions are rounded to whole pixels.
          const first = places.find(({ bottom }) => bottom > box.top + 2)!;
          const current = site.querySelector('[aria-current]')!.getBoundingClientRect();
          return {
            isCutOff: first.top < box.top - 2,
            showsCurrent: current.top >= box.top && current.bottom <= box.bottom,
          };
        });
      await page.evaluate(() => document.fonts.ready);
      await until(`whole lines on ${path} at ${height} px`, async () => {
        const { isCutOff, showsCurrent } = await lines();
        return !isCutOff && showsCurrent;
      });
      await context.close();
    }
});

it('copies code and the page as Markdown', async () => {
  const { context, page } = await open('/docs/quick-start');
  await page.getByRole('button', { name: 'Copy', exact: true }).first().click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await clipboard(page)).toBe('npm start');
  await page.getByRole('button', { name: 'Copy as Markdown' }).click();
  await page.getByRole('button', { name: 'Copied' }).nth(1).waitFor();
  expect(await clipboard(page)).toMatch(/^# Quick start\n/);
  await context.close();
});

it('shows all examples in the chosen language, also on the next page', async () => {
  const { context, page } = await open('/docs/api/otp');
  await page.getByText('Go', { exact: true }).first().click();
  const programs = page.getByText('package main');
  expect(await programs.count()).toBeGreaterThan(1);
  for (const program of await programs.all()) expect(await program.isVisible()).toBe(true);
  await page.goto(`${passbell.url}/docs/api/sessions`);
  await page.getByText('package main').first().waitFor();
  await context.close();
});

it('puts the App Key of the chosen application into the examples, but only for people who are signed in', async () => {
  const { context, page, errors } = await open('/docs/api/otp');
  const example = page.locator('.code').filter({ hasText: 'curl -s' }).first();
  await example.getByText('$APP_KEY').waitFor();
  expect(await page.getByLabel('App Key in examples').count()).toBe(0);

  const { person, cookies } = await signIn(passbell, 'owner');
  const { service } = passbell.core.applications;
  const [first] = await service.listInAccount(person!.accountId);
  const second = await passbell.application();
  const [, session] = /passbell-session=([^;]+)/.exec(cookies())!;
  await context.addCookies([{ name: 'passbell-session', value: session!, url: passbell.url }]);
  await page.reload();
  await example.getByText(first!.appKey).waitFor();
  await page.getByLabel('App Key in examples').selectOption(second.appKey);
  await example.getByText(second.appKey).waitFor();
  await example.getByRole('button', { name: 'Copy' }).click();
  await example.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await clipboard(page)).toContain(`-H "clientId: ${second.appKey}" \\\n  -H "clientSecret: $APP_SECRET"`);
  for (const [language, text] of [
    ['JavaScript', `clientId: '${second.appKey}',`],
    ['Python', `headers={"clientId": "${second.appKey}", "clientSecret": os.environ["APP_SECRET"]}`],
    ['Go', `request.Header.Set("clientId", "${second.appKey}")`],
    ['PHP', `'clientId: ' . '${second.appKey}',`],
  ] as const) {
    await page.getByText(language, { exact: true }).first().click();
    await page.locator('.code:visible').filter({ hasText: text }).first().waitFor();
  }
  // A guide that sets a shell variable keeps it in its commands.
  await page.goto(`${passbell.url}/docs/quick-start`);
  const guide = page.locator('.code').filter({ hasText: 'APP_SECRET=' }).first();
  await guide.getByText(second.appKey).waitFor();
  const text = await guide.locator('code').textContent();
  expect(text).toContain(`APP_KEY=${second.appKey}\n`);
  expect(text).toContain('"clientId: $APP_KEY"');
  expect(await guide.locator('mark').allTextContents()).toEqual(['sk_…']);
  expect(errors).toEqual([]);
  await context.close();
});

it('filters the error codes', async () => {
  const { context, page } = await open('/docs/errors');
  await page.getByText(/^\d+ codes$/).waitFor();
  await page.getByLabel('Filter the codes').fill('locked');
  await page.getByText(/^\d of \d+ codes$/).waitFor();
  expect(await page.getByRole('heading', { name: 'OTP_LOCKED' }).isVisible()).toBe(true);
  expect(await page.getByRole('heading', { name: 'MISSING_CREDENTIALS' }).isVisible()).toBe(false);
  const contents = page.getByRole('navigation', { name: 'On this page' });
  expect(await contents.getByRole('link').allTextContents()).toEqual([
    'API credentials and accounts',
    'Codes',
    'Sessions and two-factor',
    'Webhooks',
  ]);
  await context.close();
});
