/**
 * Messages and usage in a real browser: keyboard use, live updates, and every state on narrow and wide screens, light
 * and dark. `SCREENSHOTS=folder` saves screenshots.
 */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { findingsInAllVariants } from '../support/axe.js';
import { startBrowser } from '../support/browser.js';
import { signIn, type Visitor } from '../support/dashboard.js';
import { freshPhone, NO_LIMITS, startService, type TestService } from '../support/service.js';
import { TWILIO_ERRORS, startTwilioServer, type TwilioServer } from '../support/twilio-server.js';
import { advancing, until } from '../support/wait.js';

const DAY = 86_400_000;

let twilio: TwilioServer;
let passbell: TestService;
let browser: Browser;
let owner: Visitor;
beforeAll(async () => {
  twilio = await startTwilioServer();
  passbell = await startService({
    TWILIO_ACCOUNT_SID: twilio.accountSid,
    TWILIO_AUTH_TOKEN: twilio.authToken,
    TWILIO_SMS_FROM: '+14155550100',
    TWILIO_WHATSAPP_FROM: '+14155550100',
    TWILIO_API_URL: twilio.url,
  });
  await passbell.core.applications.service.update(OPERATOR, passbell.keys.appKey, NO_LIMITS);
  await passbell.application(NO_LIMITS);
  owner = await signIn(passbell);
  browser = await startBrowser();
  passbell.clock.advance(2000);
});
afterAll(async () => {
  await browser?.close();
  await passbell.stop();
  await twilio.close();
});

async function send(parameters: object = {}): Promise<string> {
  const to = freshPhone().replace('+1415555', '+1415200');
  const body = await passbell.post('/auth/sendotp', { to, authWay: 'SMS', ...parameters });
  passbell.clock.advance(1000);
  return body.data.results[0].messageId;
}

async function createFailedMessage(): Promise<string> {
  twilio.respondWith(TWILIO_ERRORS.optedOut);
  const id = await send();
  twilio.respondWith('accept');
  return id;
}

/** Opens a page in the visitor's browser, and collects its errors. */
async function open(visitor: Visitor, path: string, context: BrowserContextOptions = {}) {
  const opened = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
    ...context,
  });
  const [, name, value] = /^([^=]+)=(.*)$/.exec(visitor.cookies())!;
  await opened.addCookies([{ name: name!, value: value!, url: passbell.url }]);
  const page = await opened.newPage();
  const errors: string[] = [];
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.on('pageerror', (error) => errors.push(error.message));
  await page.goto(`${passbell.url}/dashboard${path}`);
  return { page, errors, close: () => opened.close() };
}

const focused = (page: Page): Promise<{ name: string; outlined: boolean }> =>
  page.evaluate(() => {
    const element = document.activeElement!;
    return { name: element.textContent!.trim(), outlined: getComputedStyle(element).outlineStyle !== 'none' };
  });

it('a failed message can be retried with the keyboard alone, with a visible focus', async () => {
  const id = await createFailedMessage();
  const { page, errors, close } = await open(owner, '/messages');
  async function activate(name: RegExp): Promise<void> {
    const visited: string[] = [];
    for (let steps = 0; steps < 80; steps++) {
      await page.keyboard.press('Tab');
      const focus = await focused(page);
      visited.push(focus.name);
      expect(focus).toEqual({ name: focus.name, outlined: true });
      if (name.test(focus.name)) return page.keyboard.press('Enter');
    }
    throw new Error(`the Tab key does not reach ${name.source}, only ${visited.join(', ')}`);
  }
  await activate(/^Failed 1$/);
  await page.waitForURL(/state=failed/);
  await activate(/^\+1415\*{5}\d\d$/);
  await page.waitForURL(new RegExp(`/messages/${id}$`));
  await activate(/^Send again$/);
  await page.getByRole('status').getByText('The message was queued again.').waitFor();
  const before = twilio.requests.length;
  await until('another request', () => twilio.requests.length > before, advancing(passbell.clock, 100));
  await until(
    'a sent message',
    async () => (await page.locator('.lead .badge').textContent()) === 'Sent',
    () => page.reload(),
  );
  expect(errors).toEqual([]);
  await close();
});

it('the message list updates automatically, except while the pointer or focus is in it or updates are paused', async () => {
  await send();
  const { page, errors, close } = await open(owner, '/messages');
  await page.clock.install();
  // Only this test advances the clock: a request that is still running when the next poll is due would delay that poll.
  await page.clock.pauseAt(Date.now() + 3_600_000);
  await page.reload();
  const rows = page.locator('#message-list tbody tr');
  const before = await rows.count();
  let requests = 0;
  page.on('request', (request) => {
    if (request.url().includes('mark=')) requests++;
  });
  /** Advances the browser's clock until the next poll is due, and returns whether the page polled. */
  async function polls(): Promise<boolean> {
    const earlier = requests;
    await page.clock.runFor(4500);
    // Playwright delivers events in order, so the request event arrives before the result of this script.
    await page.evaluate('0');
    return requests > earlier;
  }

  await send();
  await page.mouse.move(5, 5);
  expect(await polls()).toBe(true);
  await page.waitForFunction((n) => document.querySelectorAll('#message-list tbody tr').length === n, before + 1);

  await rows.first().hover();
  expect(await polls()).toBe(false);
  await page.mouse.move(5, 5);
  await page.getByLabel('Recipient').focus();
  expect(await polls()).toBe(false);
  await page.getByLabel('Recipient').blur();
  expect(await polls()).toBe(true);

  await page.getByRole('link', { name: 'Stop updates' }).click();
  await page.getByText('Live updates off').waitFor();
  await page.mouse.move(5, 5);
  expect(await polls()).toBe(false);
  expect(errors).toEqual([]);
  await close();
});

/** Inserts usage counts of the last days for the charts. */
async function fillUsage(): Promise<void> {
  const db = passbell.openDatabase();
  const rows = Array.from({ length: 60 }, (_, ago) =>
    ['SMS', 'WHATSAPP', 'EMAIL'].map((channel, n) => ({
      application_id: 1 + (ago % 2),
      day: new Date(passbell.clock.now() - ago * DAY).toISOString().slice(0, 10),
      channel,
      country: channel === 'EMAIL' ? '' : ['US', 'DE', 'GB'][ago % 3],
      currency: 'usd',
      sent: 90 - 25 * n + ((ago * 7) % 20),
      delivered: channel === 'EMAIL' ? 0 : 60 - 25 * n,
      undelivered: channel === 'EMAIL' ? 0 : 2,
      failed: ago % 4,
      codes: 40,
      verified: 30 + (ago % 7),
      cost: 5000 - n * 1500,
    })),
  ).flat();
  await db('usage_counts').delete();
  for (let n = 0; n < rows.length; n += 60) await db('usage_counts').insert(rows.slice(n, n + 60));
  await db.destroy();
}

it('every page fits the screen and is accessible in every state, narrow and wide, light and dark', async () => {
  const newcomer = await signIn(passbell, 'viewer', { account: 'new@example.com' });
  twilio.respondWith(({ form }) => (form['To']!.startsWith('whatsapp:') ? 'accept' : TWILIO_ERRORS.invalidNumber));
  const fallback = await send({ authWay: undefined });
  twilio.respondWith('accept');
  const dead = await createFailedMessage();
  for (let n = 0; n < 3; n++) await send();
  await fillUsage();
  const states: readonly (readonly [string, string, Visitor])[] = [
    ['messages', '/messages', owner],
    ['dead-letters', '/messages?state=failed', owner],
    ['none-fits', '/messages?state=undelivered', owner],
    ['no-message', '/messages', newcomer],
    ['fallback', `/messages/${fallback}`, owner],
    ['dead-letter', `/messages/${dead}`, owner],
    ['usage', '/usage', owner],
    ['no-usage', '/usage', newcomer],
  ];
  const found: string[] = [];
  for (const [name, path, visitor] of states) {
    const { page, errors, close } = await open(visitor, path);
    for (const summary of await page.locator('summary:visible').all()) await summary.click();
    found.push(...(await findingsInAllVariants(page, name)), ...errors);
    await close();
  }
  expect(found).toEqual([]);
});
