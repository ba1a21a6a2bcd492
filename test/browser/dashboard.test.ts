/** The dashboard in a real browser: first steps, keyboard use, use without JavaScript, accessibility and layout. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { findingsInAllVariants } from '../support/axe.js';
import { startBrowser } from '../support/browser.js';
import { signIn, waitForMailedCode } from '../support/dashboard.js';
import { startService, type TestService } from '../support/service.js';
import { LIBRARY_TIMEOUT_MS, until } from '../support/wait.js';

let passbell: TestService;
let browser: Browser;
beforeAll(async () => {
  [passbell, browser] = await Promise.all([startService(), startBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await passbell?.stop();
});
afterEach(() => passbell.clock.advance(3_600_000));

/** Opens a page, and collects policy violations, script errors and requests to other hosts. */
async function open(options: BrowserContextOptions = {}, session?: string) {
  const context = await browser.newContext({ locale: 'en-US', ...options });
  context.setDefaultTimeout(LIBRARY_TIMEOUT_MS);
  if (session) await context.addCookies([{ name: 'passbell-session', value: session, url: passbell.url }]);
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('console', (message) => {
    // The browser logs the 422 reply to an invalid form as an error.
    if (message.type() === 'error' && !message.text().includes('status of 4')) errors.push(message.text());
  });
  page.on('pageerror', (error) => void errors.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith(passbell.url) && !request.url().startsWith('data:')) errors.push(request.url());
  });
  return { context, page, errors };
}

const token = (visitor: { cookies(): string }): string => /passbell-session=([^;]+)/.exec(visitor.cookies())![1]!;

async function screenshot(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}

it('guides the first person from the invitation to a working application', async () => {
  const link = `${passbell.url}/dashboard/start?key=${await passbell.core.people.service.inviteFirst()}`;
  const { context, page, errors } = await open({ permissions: ['clipboard-read', 'clipboard-write'] });
  await page.goto(link);
  expect(page.url()).toBe(`${passbell.url}/dashboard/start`);
  await screenshot(page, 'start');
  await page.getByLabel('Email address').fill('not a mail address');
  await page.getByRole('button', { name: 'Show me a code' }).click();
  await page.getByText('Enter an email address, such as').waitFor();
  expect(await page.getByLabel('Email address').inputValue()).toBe('not a mail address');
  await page.getByLabel('Email address').fill('Ana@Shop.example');
  await page.getByRole('button', { name: 'Show me a code' }).click();
  await screenshot(page, 'code');
  await page.getByLabel('Code').fill(await waitForMailedCode(passbell, 'ana@shop.example'));
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('link', { name: 'Applications' }).click();
  await page.getByRole('link', { name: 'New application' }).click();
  await page.getByLabel('Name').fill('My shop');
  await page.getByRole('button', { name: 'Create application' }).click();
  await page.getByText('My shop was created.').waitFor();
  await screenshot(page, 'created');

  const copied = async (name: string): Promise<string> => {
    await page.getByRole('button', { name: `Copy ${name}` }).click();
    return page.evaluate('navigator.clipboard.readText()');
  };
  const keys = { appKey: await copied('App Key'), appSecret: await copied('App Secret') };
  expect(await passbell.get('/auth/authentication', {}, { keys })).toMatchObject({ success: true });
  await page.reload();
  expect(await page.getByRole('button', { name: 'Copy App Secret' }).count()).toBe(0);
  expect(errors).toEqual([]);
  await context.close();
});

it('can be used with the keyboard alone', async () => {
  const owner = await signIn(passbell);
  const { context, page, errors } = await open({}, token(owner));
  await page.goto(`${passbell.url}/dashboard/applications`);
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to main content');
  await page.keyboard.press('Enter');
  // The skip link jumps past the navigation to the main content.
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.textContent')).toBe('New application');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/applications/new');
  // The browser may focus the field only after the page has loaded.
  await page.locator('input[autofocus]:focus').waitFor();
  await page.keyboard.type('By keyboard');
  await page.keyboard.press('Enter');
  await page.getByText('By keyboard was created.').waitFor();

  await page.goto(`${page.url()}/settings`);
  await page.getByLabel('Send only to').focus();
  await page.keyboard.type('Narnia');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').waitFor();
  // The focus is on the error summary, which links to the field.
  expect(await page.evaluate('document.activeElement.getAttribute("role")')).toBe('alert');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  const countries = page.getByLabel('Send only to');
  await countries.focus();
  await countries.fill('US');
  await page.keyboard.press('Enter');
  await page.getByText('Countries saved.').waitFor();
  expect(errors).toEqual([]);
  await context.close();
});

it('names cards with unsaved changes, saves those of several forms together, and warns before they are lost', async () => {
  const { appKey } = await passbell.application({ name: 'Unsaved' });
  const { context, page, errors } = await open({}, token(await signIn(passbell)));
  await page.goto(`${passbell.url}/dashboard/applications/${appKey}/settings/autofill`);
  const bar = page.getByRole('region', { name: 'Unsaved changes' });
  const site = page.getByLabel('Your site', { exact: true });
  const isQuiet = page.getByLabel('Do not send notifications at night');
  const quiet = page.getByLabel('From', { exact: true });
  expect(await bar.isVisible()).toBe(false);
  await site.fill('shop.example');
  await bar.getByText('Unsaved changes: Autofill codes from SMS').waitFor();
  await site.fill('');
  await bar.waitFor({ state: 'hidden' });
  expect(await quiet.isVisible()).toBe(false);
  await isQuiet.check();
  await quiet.fill('21:00');
  await bar.getByRole('button', { name: 'Discard' }).click();
  await bar.waitFor({ state: 'hidden' });
  expect([await quiet.inputValue(), await quiet.isVisible()]).toEqual(['22:00', false]);

  await isQuiet.check();
  await site.fill('shop.example');
  await bar.getByText('Unsaved changes: Quiet hours, Autofill codes from SMS').waitFor();
  expect(await findingsInAllVariants(page, 'unsaved', [360, 1440])).toEqual([]);
  await bar.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Your changes were saved.').waitFor();
  expect(await page.locator('.notice.good').count()).toBe(1);
  const settings = async () => (await passbell.core.applications.service.load(appKey)).settings;
  expect(await settings()).toMatchObject({ quietHours: '22:00-08:00', webOtpHost: 'shop.example' });

  // If a form has errors, nothing is saved. The errors of all forms are in one summary, which links to the fields.
  await quiet.fill('');
  await site.fill('not a host');
  await bar.getByRole('button', { name: 'Save changes' }).click();
  const summary = page.getByRole('alert');
  await summary.getByText('Check 2 fields. Your changes were not saved.').waitFor();
  expect(await page.evaluate('document.activeElement.getAttribute("role")')).toBe('alert');
  expect(await page.locator('.problem').count()).toBe(2);
  await summary.getByRole('link', { name: 'From: Enter a time' }).click();
  expect(await quiet.evaluate((field) => field === document.activeElement)).toBe(true);
  expect(await site.getAttribute('aria-describedby')).toContain('field-webOtpHost-error');
  expect(await findingsInAllVariants(page, 'errors of two forms', [360, 1440])).toEqual([]);
  await quiet.fill('21:00');
  await bar.getByRole('button', { name: 'Save changes' }).click();
  await summary.getByText('There is a problem. Your changes were not saved.').waitFor();
  expect(await page.locator('.problem').count()).toBe(1);
  expect(await settings()).toMatchObject({ quietHours: '22:00-08:00', webOtpHost: 'shop.example' });
  // Enter in a field saves the corrected forms together.
  await site.fill('www.shop.example');
  await site.press('Enter');
  await page.getByText('Your changes were saved.').waitFor();
  expect(await settings()).toMatchObject({ quietHours: '21:00-08:00', webOtpHost: 'www.shop.example' });
  await site.fill('not a host');
  await bar.getByRole('button', { name: 'Save changes' }).click();
  await page.getByRole('alert').getByRole('link', { name: 'Your site: Enter a host name' }).waitFor();
  await bar.getByRole('button', { name: 'Discard' }).click();
  await bar.waitFor({ state: 'hidden' });
  expect(await site.inputValue()).toBe('www.shop.example');

  // On a phone, the bar does not cover the errors.
  await page.setViewportSize({ width: 375, height: 800 });
  await page.goto(`${passbell.url}/dashboard/applications/${appKey}/settings/challenge`);
  await page.getByLabel('Cloudflare Turnstile').check();
  await bar.getByRole('button', { name: 'Save changes' }).click();
  await page.getByRole('alert').getByRole('link', { name: 'Enter the secret key' }).waitFor();
  const box = (await summary.boundingBox())!;
  expect(box.y + box.height).toBeLessThan((await bar.boundingBox())!.y);
  await bar.getByRole('button', { name: 'Discard' }).click();
  await bar.waitFor({ state: 'hidden' });

  // A page with one form has the same bar.
  await page.goto(`${passbell.url}/dashboard/applications/${appKey}/settings/limits`);
  expect(await page.getByRole('button', { name: 'Save', exact: true }).count()).toBe(0);
  await page.getByLabel('Daily budget').fill('20');
  await bar.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Budgets saved.').waitFor();
  await page.goto(`${passbell.url}/dashboard/applications/${appKey}/settings/quiet`);

  await quiet.fill('20:00');
  const warned = page.waitForEvent('dialog');
  await page.close({ runBeforeUnload: true });
  const dialog = await warned;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.accept();
  expect(errors).toEqual([]);
  await context.close();
});

it('reports which forms were saved when the connection breaks, and saves the others later', async () => {
  const { appKey } = await passbell.application({ name: 'Broken' });
  const { context, page, errors } = await open({}, token(await signIn(passbell)));
  await page.goto(`${passbell.url}/dashboard/applications/${appKey}/settings/autofill`);
  const bar = page.getByRole('region', { name: 'Unsaved changes' });
  const save = bar.getByRole('button', { name: 'Save changes' });
  await page.getByLabel('Do not send notifications at night').check();
  await page.getByLabel('Your site', { exact: true }).fill('shop.example');
  // Both forms are checked before the first one is saved.
  let posts = 0;
  await page.route('**/applications/**', (route) =>
    route.request().method() === 'POST' && ++posts === 4 ? route.abort() : route.continue(),
  );
  await save.click();
  await bar.getByText('The server cannot be reached').waitFor();
  expect(await bar.getByRole('status').innerText()).toBe(
    'Quiet hours saved. Not saved: Autofill codes from SMS. The server cannot be reached. Try again.',
  );
  const settings = async () => (await passbell.core.applications.service.load(appKey)).settings;
  expect(await settings()).toMatchObject({ quietHours: '22:00-08:00', webOtpHost: '' });
  await save.click();
  await page.getByText('Your changes were saved.').waitFor();
  expect(await page.locator('.notice.good').count()).toBe(1);
  expect(await settings()).toMatchObject({ quietHours: '22:00-08:00', webOtpHost: 'shop.example' });
  expect(errors).toEqual([expect.stringContaining('ERR_FAILED')]);
  await context.close();
});

it('saves after a value was rejected, and discards what previews show', async () => {
  const { appKey } = await passbell.application({ name: 'Rejected' });
  const { context, page, errors } = await open({}, token(await signIn(passbell)));
  await page.goto(`${passbell.url}/dashboard/applications/${appKey}/widget`);
  const bar = page.getByRole('region', { name: 'Unsaved changes' });
  const accent = page.getByLabel('Accent color', { exact: true });
  const picker = page.getByLabel('Pick the accent color');
  const radius = page.getByLabel('Corner radius');
  const usual = await picker.inputValue();
  await accent.fill('#123456');
  expect(await picker.inputValue()).toBe('#123456');
  await bar.getByRole('button', { name: 'Discard' }).click();
  await bar.waitFor({ state: 'hidden' });
  expect([await accent.inputValue(), await picker.inputValue()]).toEqual(['', usual]);

  await radius.fill('99');
  await bar.getByRole('button', { name: 'Save changes' }).click();
  await page.getByRole('alert').getByRole('link', { name: 'Corner radius: Enter a whole number' }).waitFor();
  await bar.getByText('Unsaved changes').waitFor();
  await radius.fill('9');
  await bar.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Saved. Your site shows').waitFor();
  expect((await passbell.core.applications.service.load(appKey)).settings.design.radius).toBe(9);
  expect(errors).toEqual([]);
  await context.close();
});

it('chosen countries become checkboxes, and changes survive an expired session', async () => {
  const { appKey } = await passbell.application({ name: 'Countries', settings: { servedCountries: ['DE'] } });
  const owner = await signIn(passbell);
  const { context, page, errors } = await open({}, token(owner));
  await page.goto(`${passbell.url}/dashboard/applications/${appKey}/settings`);
  const bar = page.getByRole('region', { name: 'Unsaved changes' });
  const served = page.getByLabel('Countries that you serve');
  await served.fill('france');
  await bar.getByText('Unsaved changes: Countries').waitFor();
  await bar.getByRole('button', { name: 'Save changes' }).focus();
  await page.getByLabel('France').waitFor();
  await bar.getByRole('button', { name: 'Discard' }).click();
  await page.getByLabel('France').waitFor({ state: 'detached' });
  await served.fill('france');
  await served.blur();
  await page.getByLabel('Germany').uncheck();
  await bar.getByText('Unsaved changes: Countries').waitFor();
  expect(await served.inputValue()).toBe('');
  expect(await findingsInAllVariants(page, 'countries', [360, 1440])).toEqual([]);

  // Without a session, the form leads to the sign-in page. Afterwards, its changes are on the page again.
  const cookies = await context.cookies();
  await context.clearCookies();
  await bar.getByRole('button', { name: 'Save changes' }).click();
  await page.waitForURL('**/sign-in**');
  await context.addCookies(cookies);
  await page.goto(`${passbell.url}/dashboard/applications/${appKey}/settings`);
  await bar.getByText('Unsaved changes: Countries').waitFor();
  await bar.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Countries saved.').waitFor();
  const { settings } = await passbell.core.applications.service.load(appKey);
  expect(settings.servedCountries).toEqual(['FR']);
  expect(errors).toEqual([]);
  await context.close();
});

it('selects all events of a group', async () => {
  const { context, page, errors } = await open({}, token(await signIn(passbell)));
  await page.goto(`${passbell.url}/dashboard/applications/${passbell.keys.appKey}/webhooks/new`);
  expect(await page.locator('[name=events]:checked').count()).toBe(4);
  const codes = page.getByRole('group', { name: 'Codes' });
  const all = codes.getByLabel('Select all');
  const checked = () => codes.locator('[name=events]:checked').count();
  await all.check();
  expect(await checked()).toBe(3);
  await codes.getByLabel('otp.locked').uncheck();
  expect([await all.isChecked(), await checked()]).toEqual([false, 2]);
  await all.check();
  expect(await checked()).toBe(3);
  await all.uncheck();
  expect([await checked(), await page.locator('[name=events]:checked').count()]).toEqual([0, 4]);
  expect(errors).toEqual([]);
  await context.close();
});

it('works without JavaScript', async () => {
  const owner = await signIn(passbell);
  const { context, page } = await open({ javaScriptEnabled: false }, token(owner));
  await page.goto(`${passbell.url}/dashboard/applications/new`);
  await page.getByLabel('Name').fill('Plain');
  await page.getByRole('button', { name: 'Create application' }).click();
  await page.getByText('Plain was created.').waitFor();
  await context.close();
});

it('submits a form only once if Enter is pressed again before the reply', async () => {
  const owner = await signIn(passbell);
  const { context, page } = await open({}, token(owner));
  await page.goto(`${passbell.url}/dashboard/applications/new`);
  await page.getByLabel('Name').fill('Once');
  // The reply waits for the second submission, which could otherwise reach the next page.
  let reply!: () => void;
  const second = new Promise<void>((resolve) => (reply = resolve));
  let requests = 0;
  await page.route('**/applications/new', async (route) => {
    const response = await route.fetch({ maxRedirects: 0 });
    requests++;
    await second;
    await route.fulfill({ response }).catch(() => undefined);
  });
  await page.keyboard.press('Enter');
  await until('the first request', () => requests > 0);
  await page.keyboard.press('Enter');
  reply();
  await page.getByText('Once was created.').waitFor();
  expect(requests).toBe(1);
  const all = await passbell.core.applications.service.list();
  expect(all.filter(({ name }) => name === 'Once')).toHaveLength(1);
  await context.close();
});

/** The paths of the pages to check, by screenshot name. */
function pages(): Record<string, string> {
  const application = `/applications/${passbell.keys.appKey}`;
  return {
    home: '/home',
    list: '/applications',
    new: '/applications/new',
    overview: application,
    settings: `${application}/settings`,
    delivery: `${application}/settings/channels`,
    limits: `${application}/settings/limits`,
    security: `${application}/settings/challenge`,
    protection: `${application}/protection`,
    users: `${application}/users`,
    webhooks: `${application}/webhooks`,
    erase: '/recipients/erase',
    people: '/people',
    audit: '/audit',
    account: '/account',
    'account-settings': '/account-settings',
    authenticator: '/account/two-factor',
    absent: '/nowhere',
  };
}

it('every page is accessible and fits the screen, at three widths, light and dark', async () => {
  const owner = await signIn(passbell);
  await signIn(passbell, 'viewer');
  await owner.submit('/people/invite', '/people/invite', { email: 'guest@example.com', role: 'viewer' });
  const { context, page, errors } = await open({}, token(owner));
  const found: string[] = [];
  const application = (await passbell.core.applications.service.find(passbell.keys.appKey))!;
  const request = { url: 'https://8.8.8.8/events', events: ['otp.verified' as const] };
  const { webhookId } = await passbell.core.webhooks.service.create(OPERATOR, application, request);
  await passbell.send('+14155550123');
  const webhook = `/applications/${application.appKey}/webhooks/${webhookId}`;
  for (const [name, path] of Object.entries({ ...pages(), webhook })) {
    await page.goto(`${passbell.url}/dashboard${path}`);
    found.push(...(await findingsInAllVariants(page, name, [360, 768, 1440])));
  }
  // The start link was used, so the second page shows the sign-in form.
  await context.clearCookies();
  for (const path of ['/sign-in', '/start?key=gone']) {
    await page.goto(`${passbell.url}/dashboard${path}`);
    found.push(...(await findingsInAllVariants(page, path.slice(1, 6))));
  }
  for (const path of ['/', '/docs/webhooks', '/docs/api/otp']) {
    await page.goto(`${passbell.url}${path}`);
    found.push(...(await findingsInAllVariants(page, `public${path.replaceAll('/', '-')}`, [375, 1440])));
  }
  expect(found).toEqual([]);
  expect(errors).toEqual([]);
  await context.close();
});
