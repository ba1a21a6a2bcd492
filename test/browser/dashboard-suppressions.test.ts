/** A shop owner finds out why an order email was refused, and removes the suppression, without JavaScript. */
import type { Browser } from 'playwright-core';
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { startBrowser } from '../support/browser.js';
import { findingsInAllVariants } from '../support/axe.js';
import { signIn } from '../support/dashboard.js';
import { startService, type Body, type TestService } from '../support/service.js';
import { until } from '../support/wait.js';

const TO = 'ana@shop.example';
let passbell: TestService;
let browser: Browser;
beforeAll(async () => {
  passbell = await startService();
  browser = await startBrowser();
});
afterAll(async () => {
  await browser?.close();
  await passbell?.stop();
});

const notify = (orderId: string): Promise<Body> =>
  passbell.post('/notifications/order', { to: TO, templateType: 'order_shipped', variables: { orderId } });

it('an address bounces, the next order is refused with the reason, and is sent after one click', async () => {
  const sent = await notify('A-1');
  const { messageId: id } = sent.data.results[0];
  const { provider, provider_id: providerId } = await (async () => {
    const db = passbell.openDatabase();
    const row = await db('messages').where({ id }).first();
    await db.destroy();
    return row;
  })();
  const report = { id, type: 'reported', provider, providerId, reportedState: 'undelivered' } as const;
  await passbell.core.messages.service.report({ ...report, reason: '550 no such user', recipientStatus: 'hardBounce' });
  const refusal = { code: 'RECIPIENT_SUPPRESSED', message: expect.stringMatching(/suppressed since .* because/) };
  expect(await notify('A-2')).toMatchObject(refusal);
  const { accountId } = await passbell.core.applications.service.load(passbell.keys.appKey);
  expect(await passbell.core.suppressions.service.list(OPERATOR, accountId)).toHaveLength(1);
  await until('the refused message', async () => {
    const { data } = await passbell.get('/messages', { state: 'refused' });
    return data.messages.length === 1;
  });

  const visitor = await signIn(passbell);
  const [name, value] = visitor.cookies().split('=') as [string, string];
  for (const javaScriptEnabled of [true, false]) {
    const context = await browser.newContext({ locale: 'en-US', javaScriptEnabled });
    await context.addCookies([{ name, value, url: passbell.url }]);
    const page = await context.newPage();
    if (javaScriptEnabled) {
      await page.goto(`${passbell.url}/dashboard/suppressions`);
      expect(await findingsInAllVariants(page, 'suppressions', [375, 1440])).toEqual([]);
      await page.getByRole('link', { name: 'Add addresses' }).click();
      await page.getByLabel('Email addresses').waitFor();
      await page.getByLabel('Email addresses').fill('ben@shop.example\nnobody');
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByText('Line 2:').waitFor();
      expect(await findingsInAllVariants(page, 'import-suppressions', [375, 1440])).toEqual([]);
      await page.getByRole('button', { name: 'Add 1 address' }).click();
      await page.getByText('Added 1 address.').waitFor();
    } else {
      await page.goto(`${passbell.url}/dashboard/messages?state=refused`);
      await page
        .getByText(/suppressed since .* because the address does not exist/)
        .first()
        .waitFor();
      await page.goto(`${passbell.url}/dashboard/suppressions`);
      await page.getByText('550 no such user').waitFor();
      await page.getByRole('button', { name: `Remove ${TO}` }).click();
      await page.getByText(`Removed ${TO}.`).waitFor();
    }
    await context.close();
  }
  expect(await notify('A-2')).toMatchObject({ success: true });
});
