/** End users, the account's branding and a deleted application in a real browser: accessibility, and a chosen logo file. */
import type { Browser, Page } from 'playwright-core';
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { enrollUser } from '../support/authenticator.js';
import { findingsInAllVariants } from '../support/axe.js';
import { startBrowser } from '../support/browser.js';
import { signIn } from '../support/dashboard.js';
import { startService, type TestService } from '../support/service.js';
import { LIBRARY_TIMEOUT_MS } from '../support/wait.js';

let passbell: TestService;
let browser: Browser;
let page: Page;
const errors: string[] = [];
beforeAll(async () => {
  [passbell, browser] = await Promise.all([startService(), startBrowser()]);
  const [name, value] = (await signIn(passbell)).cookies().split('=') as [string, string];
  const context = await browser.newContext({ locale: 'en-US', viewport: { width: 1440, height: 900 } });
  context.setDefaultTimeout(LIBRARY_TIMEOUT_MS);
  await context.addCookies([{ name, value, url: passbell.url }]);
  page = await context.newPage();
  page.on('console', (message) => void (message.type() === 'error' && errors.push(message.text())));
  page.on('pageerror', (error) => void errors.push(error.message));
});
afterAll(async () => {
  await browser?.close();
  await passbell?.stop();
});

const go = (path: string) => page.goto(`${passbell.url}/dashboard${path}`);

it('finds a person, and every state of the page is accessible', async () => {
  const identity = 'ana@shop.example';
  await enrollUser(passbell, identity);
  const { maskId, code } = await passbell.send(identity);
  await passbell.post('/auth/verifyotp', { maskId, otp: code });
  await go(`/applications/${passbell.keys.appKey}/users`);
  await page.getByLabel('Recipient or user ID').fill(identity);
  await page.getByRole('button', { name: 'Find' }).click();
  await page.getByRole('heading', { name: 'an***@shop.example' }).waitFor();
  await page.getByRole('button', { name: 'Turn off the second factor' }).waitFor();
  // The encrypted id in the URL can contain any letters.
  expect(decodeURIComponent(page.url())).not.toMatch(/ana@|shop\.example/);
  expect(await findingsInAllVariants(page, 'end-user', [375, 1440])).toEqual([]);
  expect(errors).toEqual([]);
});

it('uploads a chosen logo file', async () => {
  await go('/account-settings');
  const base64 = await page.evaluate(() => {
    const canvas = document.createElement('canvas');
    return canvas.toDataURL('image/png').split(',')[1]!;
  });
  const file = { name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from(base64, 'base64') };
  await page.getByLabel('Upload logo').setInputFiles(file);
  await page.getByRole('img', { name: 'Your logo' }).waitFor();
  await page.waitForFunction(() => document.querySelector<HTMLImageElement>('.brand-logo')!.naturalWidth > 0);
  expect(await findingsInAllVariants(page, 'account-settings', [375, 1440])).toEqual([]);
  expect(errors).toEqual([]);
});

it('a deleted application is shown as deleted, accessibly', async () => {
  const { appKey } = await passbell.application();
  await passbell.core.applications.service.remove(OPERATOR, appKey);
  await go(`/applications/${appKey}/settings`);
  await page.getByRole('button', { name: 'Restore this application' }).waitFor();
  expect(await findingsInAllVariants(page, 'deleted', [375, 1440])).toEqual([]);
  expect(errors).toEqual([]);
});
