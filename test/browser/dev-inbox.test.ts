/** The dev inbox page, with and without the key in its URL. */
import type { Browser } from 'playwright-core';
import { findings } from '../support/axe.js';
import { startBrowser } from '../support/browser.js';
import { createVisitor, signIn, waitForMailedCode } from '../support/dashboard.js';
import { freshMail, freshPhone, startService, type TestService } from '../support/service.js';

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

it('shows dashboard sign-in codes only with the key, and otherwise explains why they are hidden', async () => {
  const email = freshMail();
  await signIn(passbell, 'owner', { email });
  await createVisitor(passbell.url).submit('/sign-in', '/sign-in', { email });
  await waitForMailedCode(passbell, email);
  const phone = freshPhone();
  await passbell.send(phone);

  const page = await browser.newPage();
  const notice = page.getByText('appear only at the inbox address that Passbell printed at startup');
  await page.goto(`${passbell.url}/dev/inbox`);
  await page.getByRole('log').getByText(phone).waitFor();
  await notice.waitFor();
  expect(await page.getByText(email).count()).toBe(0);
  expect((await findings(page)).filter((finding) => /keyless|color-contrast/.test(finding))).toEqual([]);

  await page.goto(`${passbell.url}/dev/inbox?key=${passbell.core.devInbox!.key}`);
  await page.getByRole('listitem').getByText(email).waitFor();
  await page.frameLocator('#mail-html').getByText(/\d{6}/).first().waitFor();
  expect(await notice.isVisible()).toBe(false);
  await page.close();
});

it("offers to copy only a message's code, not other numbers", async () => {
  const phone = freshPhone();
  const other = freshPhone();
  await passbell.post('/auth/sendotp', { to: phone, authWay: 'SMS', otp: 'ABCD12' });
  await passbell.post('/notifications/order', {
    to: other,
    authWay: 'SMS',
    templateType: 'order_placed',
    variables: { orderId: '481920', orderDate: '2026' },
  });
  const page = await browser.newPage();
  await page.goto(`${passbell.url}/dev/inbox`);
  const bubbleOf = (to: string) => page.getByRole('log').getByRole('article').filter({ hasText: to });
  await bubbleOf(phone).getByRole('button', { name: 'Copy code A B C D 1 2' }).waitFor();
  await bubbleOf(other).getByText('481920').waitFor();
  expect(await bubbleOf(other).getByRole('button').count()).toBe(0);
  await page.close();
});

it('shows Arabic messages from right to left', async () => {
  const arabic = freshPhone();
  const english = freshPhone();
  const variables = { orderId: 'A-1001', trackingLink: 'https://track.example/1Z999AA10123456784' };
  for (const [to, language] of [
    [arabic, 'ar'],
    [english, 'en'],
  ])
    await passbell.post('/notifications/order', {
      to,
      language,
      authWay: 'SMS',
      templateType: 'order_shipped',
      variables,
    });
  const page = await browser.newPage();
  await page.goto(`${passbell.url}/dev/inbox`);
  const directionOf = (to: string) =>
    page
      .getByRole('log')
      .getByRole('article')
      .filter({ hasText: to })
      .locator('.body')
      .evaluate((body) => getComputedStyle(body).direction);
  expect([await directionOf(arabic), await directionOf(english)]).toEqual(['rtl', 'ltr']);
  await page.close();
});

it('clears all messages, and says so to screen readers', async () => {
  const phone = freshPhone();
  await passbell.send(phone);
  const page = await browser.newPage();
  await page.goto(`${passbell.url}/dev/inbox`);
  await page.getByRole('log').getByText(phone).waitFor();
  expect(await page.getByRole('log').locator('time').first().textContent()).toMatch(/^\d{2}:\d{2}$/);
  expect(await page.evaluate(() => document.fonts.check('15px Inter'))).toBe(true);
  expect(await page.getByRole('link', { name: 'Dashboard' }).getAttribute('href')).toBe('/dashboard/home');
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.getByText('No messages yet').waitFor();
  await page.getByText('All messages deleted').waitFor({ state: 'attached' });
  expect(await page.getByRole('button', { name: 'Clear' }).isDisabled()).toBe(true);
  expect(await passbell.inbox(phone)).toEqual([]);
  await page.close();
});
