/** The page on which people enter a code that another program waits for, on a phone. `SCREENSHOTS=folder` saves it. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { findings } from '../support/axe.js';
import { startBrowser } from '../support/browser.js';
import { openBrowser, PHONE_SCREEN } from '../support/browsing-person.js';
import { freshPhone, startService, type TestService } from '../support/service.js';

/** The smallest height of a button that a thumb hits, in CSS pixels. */
const MIN_HEIGHT = 44;

let passbell: TestService;
let browser: Browser;
let program: Server;
let reply: object;
beforeAll(async () => {
  [passbell, browser] = await Promise.all([startService({ WEBHOOKS_ALLOW_PRIVATE: 'true' }), startBrowser()]);
  program = createServer((_request, response) => void response.end(JSON.stringify(reply)));
  await new Promise<void>((resolve) => program.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await browser?.close();
  program?.close();
  await passbell?.stop();
});

it.each([
  ['en', 'Enter your code'],
  ['de', 'Code eingeben'],
  ['ar', 'أدخل الرمز'],
])('fits a phone in the language %s: numeric keyboard, focused field, large buttons', async (language, title) => {
  const { maskId } = await passbell.send(freshPhone());
  const callbackUrl = `http://127.0.0.1:${(program.address() as AddressInfo).port}/`;
  const channels = ['SMS', 'WHATSAPP', 'VOICE', 'EMAIL'];
  const body = { maskId, callbackUrl, expiresIn: 900, channels, language };
  const { data } = await passbell.post('/auth/codepages', body);
  const { pathname, search } = new URL(data.url);
  const options = { viewport: PHONE_SCREEN, isMobile: true, hasTouch: true };
  const { page, context, read, problems } = await openBrowser(browser, options, `code-page-${language}`);

  // The longest notice.
  reply = { state: 'waiting', notice: 'wrong', attemptsLeft: 3 };
  await page.goto(passbell.url + pathname + search);
  await read(title);
  const field = page.getByRole('textbox');
  const attributes = await field.evaluate((input: HTMLInputElement) => [
    input.inputMode,
    input.autocomplete,
    document.activeElement === input,
  ]);
  expect(attributes).toEqual(['numeric', 'one-time-code', true]);
  const controls = [field, ...(await page.getByRole('button').all())];
  // Email is not offered for a phone number.
  expect(controls).toHaveLength(6);
  for (const control of controls) expect((await control.boundingBox())!.height).toBeGreaterThanOrEqual(MIN_HEIGHT);
  // The page reloads itself when its time is over, and says when that is.
  const others = (await findings(page)).filter((finding) => !finding.startsWith('meta-refresh'));
  expect(others).toEqual([]);

  reply = { state: 'verified' };
  await page.keyboard.type('042137');
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.search !== search);
  await read(/./);
  expect(problems).toEqual([]);
  await context.close();
});
