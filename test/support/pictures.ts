/**
 * Takes the pictures of the dashboard and of the dev inbox in the README and the guides:
 * `npx tsx test/support/pictures.ts`. The dashboard shows the traffic of demo.ts.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { MINUTE, SECOND } from '../../backend/src/platform/clock.js';
import { startBrowser } from './browser.js';
import { createTestClock } from './clock.js';
import { root } from './process.js';
import { NO_SEND_LIMITS, startService } from './service.js';
import { until } from './wait.js';

const PORT = '4290';
const fileOf = (name: string): string => join(root, 'docs', `${name}.png`);

const browser = await startBrowser();
const WIDTH = 1440;
const open = (height: number): Promise<Page> =>
  browser.newPage({ viewport: { width: WIDTH, height }, deviceScaleFactor: 1.5, locale: 'en-US' });

async function takeDevInbox(): Promise<void> {
  const clock = createTestClock(new Date().setHours(9, 41, 0, 0));
  const passbell = await startService({}, { clock });
  await passbell.core.applications.service.update(OPERATOR, passbell.keys.appKey, {
    name: 'Harbor Books',
    ...NO_SEND_LIMITS,
  });
  const orderId = 'A-1001';
  await passbell.post('/notifications/order', {
    to: 'ana@example.com',
    templateType: 'order_placed',
    variables: { orderId },
  });
  clock.advance(MINUTE);
  for (const [to, authWay] of [
    ['luis.ortega@example.com', 'EMAIL'],
    ['+14155550123', 'SMS'],
    ['+14155550123', 'WHATSAPP'],
    ['+14155550188', 'VOICE'],
    ['ana@example.com', 'EMAIL'],
  ]) {
    await passbell.post('/auth/sendotp', { to, authWay });
    clock.advance(MINUTE);
  }
  const page = await open(820);
  await page.clock.setFixedTime(clock.now());
  await page.goto(`${passbell.url}/dev/inbox`);
  await until(
    'all messages',
    async () => (await page.getByRole('article').count()) >= 3 && page.getByText(orderId).first().isVisible(),
  );
  await page.screenshot({ path: fileOf('dev-inbox') });
  await page.close();
  await passbell.stop();
}

async function takeDashboard(): Promise<void> {
  const demo = spawn(process.execPath, ['--import', 'tsx', 'test/support/demo.ts', PORT], {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    let link: string | undefined;
    createInterface({ input: demo.stdout }).on('line', (line) => {
      link ??= /^http\S+\/sign-in\/link\S+$/.exec(line)?.[0];
    });
    const isReady = async () => (await fetch(`http://127.0.0.1:${PORT}/health/ready`).catch(() => undefined))?.ok;
    await until(
      'the demo',
      async () => link !== undefined && (await isReady()),
      () => pause(SECOND),
    );
    const page = await open(1060);
    await page.goto(link!);
    await page.locator('main').getByRole('button').first().click();
    await page.waitForURL('**/dashboard/home');
    await page.screenshot({ path: fileOf('dashboard') });
    for (const link of ['Applications', 'Fjordwear', 'Automations', 'shop.example', 'Order paid'])
      await page.getByRole('link', { name: link, exact: true }).first().click();
    await page.getByText('Order total').first().click();
    await page.getByText('Order total: text and values').waitFor();
    const { x, y } = (await page.locator('main .card').first().boundingBox())!;
    const left = x - 10;
    await page.screenshot({
      path: fileOf('automation-fields'),
      clip: { x: left, y: y - 10, width: WIDTH - left, height: 776 },
      fullPage: true,
    });
  } finally {
    process.kill(-demo.pid!);
  }
}

await takeDevInbox();
await takeDashboard();
await browser.close();
