/** The dev inbox page, with and without the key in its URL. */
import type { Browser } from 'playwright-core';
import { findings } from '../support/axe.js';
import { startBrowser } from '../support/browser.js';
import { createVisitor, signIn } from '../support/dashboard.js';
import { freshMail, freshPhone, startService, type TestService } from '../support/service.js';
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

it('shows sign-in codes of the dashboard only with the key, and explains why they are hidden', async () => {
  const email = freshMail();
  await signIn(passbell, 'owner', { email });
  await createVisitor(passbell.url).submit('/sign-in', '/sign-in', { email });
  await until('a sign-in code', async () => (await passbell.inbox(email)).length > 0);
  const phone = freshPhone();
  await passbell.send(phone);

  const page = await browser.newPage();
  const notice = page.getByText('appear only at the inbox address that Passbell printed at startup');
  await page.goto(`${passbell.url}/dev/inbox`);
  await page.getByRole('log').getByText(phone).waitFor();
  await notice.waitFor();
  expect(await page.getByText(email).count()).toBe(0);
  expect((await findings(page)).filter((finding) => /keyless|color-contrast/.test(finding))).toEqual([]);

  await page.goto(`${passbell.url}/dev/inbox?key=${passbell.service.devInbox!.key}`);
  await page.getByRole('listitem').getByText(email).waitFor();
  await page.frameLocator('#mail-html').getByText(/\d{6}/).first().waitFor();
  expect(await notice.isVisible()).toBe(false);
  await page.close();
});
