/** The dashboard in a real browser: a newcomer's first minutes, the keyboard alone, axe, and how it looks. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { findings } from '../support/axe.js';
import { BROWSER_MS, startBrowser } from '../support/browser.js';
import { signIn } from '../support/dashboard.js';
import { startService, type TestService } from '../support/service.js';

jest.setTimeout(120_000);

let passbell: TestService;
let browser: Browser;
beforeAll(async () => {
  [passbell, browser] = await Promise.all([startService(), startBrowser()]);
}, BROWSER_MS);
afterAll(async () => {
  await browser?.close();
  await passbell?.stop();
});
afterEach(() => passbell.clock.advance(3_600_000));

/** A page whose complaints are collected: of its policy, of its scripts, of requests that go elsewhere. */
async function open(options: BrowserContextOptions = {}, session?: string) {
  const context = await browser.newContext({ locale: 'en-US', ...options });
  context.setDefaultTimeout(20_000);
  if (session) await context.addCookies([{ name: 'passbell-session', value: session, url: passbell.url }]);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    // A form with mistakes is a reply of 422, which the console counts among the failures.
    if (message.type() === 'error' && !message.text().includes('status of 4')) complaints.push(message.text());
  });
  page.on('pageerror', (error) => void complaints.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith(passbell.url) && !request.url().startsWith('data:')) complaints.push(request.url());
  });
  return { context, page, complaints };
}

const token = (visitor: { cookies(): string }): string => /passbell-session=([^;]+)/.exec(visitor.cookies())![1]!;

async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}

async function mailedTo(email: string): Promise<string> {
  for (;;) if ((await passbell.inbox(email)).length > 0) return passbell.codeFor(email);
}

it('leads a newcomer from the first link to an application that works', async () => {
  const link = `${passbell.url}/dashboard/start?key=${await passbell.service.people.inviteFirst()}`;
  const { context, page, complaints } = await open({ permissions: ['clipboard-read', 'clipboard-write'] });
  await page.goto(link);
  expect(page.url()).toBe(`${passbell.url}/dashboard/start`);
  await picture(page, 'start');
  await page.getByLabel('Mail address').fill('not a mail address');
  await page.getByRole('button', { name: 'Send the code' }).click();
  await page.getByText('Enter a mail address').waitFor();
  expect(await page.getByLabel('Mail address').inputValue()).toBe('not a mail address');
  await page.getByLabel('Mail address').fill('Ana@Shop.example');
  await page.getByRole('button', { name: 'Send the code' }).click();
  await picture(page, 'code');
  await page.getByLabel('Code').fill(await mailedTo('ana@shop.example'));
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('link', { name: 'New application' }).click();
  await page.getByLabel('Name').fill('My shop');
  await page.getByRole('button', { name: 'Create the application' }).click();
  await page.getByText('My shop is there.').waitFor();
  await picture(page, 'created');

  const copied = async (name: string): Promise<string> => {
    await page.getByRole('button', { name: `Copy ${name}` }).click();
    return page.evaluate('navigator.clipboard.readText()');
  };
  const keys = { appKey: await copied('App Key'), appSecret: await copied('App Secret') };
  expect(await passbell.get('/auth/authentication', {}, { keys })).toMatchObject({ success: true });
  await page.reload();
  expect(await page.getByRole('button', { name: 'Copy App Secret' }).count()).toBe(0);
  expect(complaints).toEqual([]);
  await context.close();
});

it('can be used with the keyboard alone', async () => {
  const owner = await signIn(passbell);
  const { context, page, complaints } = await open({}, token(owner));
  await page.goto(`${passbell.url}/dashboard/applications`);
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content');
  await page.keyboard.press('Enter');
  // Past the navigation: what comes next is what the page is about.
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.textContent')).toBe('New application');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/applications/new');
  await page.keyboard.type('By keyboard');
  await page.keyboard.press('Enter');
  await page.getByText('By keyboard is there.').waitFor();

  await page.goto(`${page.url()}/settings`);
  await page.getByLabel('Countries that may be sent to').focus();
  await page.keyboard.type('Narnia');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').waitFor();
  // The focus is on what went wrong, and leads to the field.
  expect(await page.evaluate('document.activeElement.getAttribute("role")')).toBe('alert');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  const countries = page.getByLabel('Countries that may be sent to');
  await countries.focus();
  await countries.fill('US');
  await page.keyboard.press('Enter');
  await page.getByText('Countries: saved.').waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

it('works without script', async () => {
  const owner = await signIn(passbell);
  const { context, page } = await open({ javaScriptEnabled: false }, token(owner));
  await page.goto(`${passbell.url}/dashboard/applications/new`);
  await page.getByLabel('Name').fill('Plain');
  await page.getByRole('button', { name: 'Create the application' }).click();
  await page.getByText('Plain is there.').waitFor();
  await context.close();
});

it('sends a form once, however often it is pressed', async () => {
  const owner = await signIn(passbell);
  const { context, page } = await open({}, token(owner));
  await page.goto(`${passbell.url}/dashboard/applications/new`);
  await page.getByLabel('Name').fill('Once');
  await page.getByRole('button', { name: 'Create the application' }).dblclick();
  await page.getByText('Once is there.').waitFor();
  const all = await passbell.service.applications.list();
  expect(all.filter(({ name }) => name === 'Once')).toHaveLength(1);
  await context.close();
});

/** Every page of this part, by its name in the pictures. */
function pages(): Record<string, string> {
  const application = `/applications/${passbell.keys.appKey}`;
  return {
    list: '/applications',
    new: '/applications/new',
    overview: application,
    settings: `${application}/settings`,
    people: '/people',
    audit: '/audit',
    account: '/account',
    authenticator: '/account/two-factor',
    absent: '/nowhere',
  };
}

describe.each(['light', 'dark'] as const)('in %s colours', (colorScheme) => {
  it.each([360, 768, 1440])('has no finding of axe and nothing beside the page at %i px', async (width) => {
    const owner = await signIn(passbell);
    await signIn(passbell, 'viewer');
    await owner.submit('/people', '/people/invite', {
      email: `guest${width}${colorScheme}@example.com`,
      role: 'viewer',
    });
    const { context, page, complaints } = await open({ colorScheme, viewport: { width, height: 900 } }, token(owner));
    for (const [name, path] of Object.entries(pages())) {
      await page.goto(`${passbell.url}/dashboard${path}`);
      await picture(page, `${name}-${width}-${colorScheme}`);
      // The widths between differ in their layout only.
      if (width !== 768) expect({ name, found: await findings(page) }).toEqual({ name, found: [] });
      const wide = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
      expect({ name, wide }).toEqual({ name, wide: 0 });
    }
    // A first link has no use any more, so this is the sign-in, which is also without a finding.
    await context.clearCookies();
    for (const path of ['/sign-in', '/start?key=gone']) {
      await page.goto(`${passbell.url}/dashboard${path}`);
      await picture(page, `${path.slice(1, 6)}-${width}-${colorScheme}`);
      expect({ path, found: await findings(page) }).toEqual({ path, found: [] });
    }
    expect(complaints).toEqual([]);
    await context.close();
  });
});
