/**
 * The first automation of docs/no-code.md, from an invitation to the dashboard to the first SMS, in n8n's editor. Each label
 * that is clicked must be in the guide. Prints how long each step takes.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Locator } from 'playwright-core';
import { startBrowser } from '../../support/browser.js';
import { DESKTOP, openBrowser } from '../../support/browsing-person.js';
import { root } from '../../support/process.js';
import { until } from '../../support/wait.js';
import { startBlockingProxy } from './blocking-proxy.js';
import { step as stepOnCanvas } from './editor.js';
import { post, type Fixture } from './fixture.js';

const MAX_SECONDS = 6 * 60;
/** A slow reader of instructions. */
const WORDS_PER_SECOND = 3;
/** How long the editor may take to show a dropped field, before it is dragged again. */
const DRAG_MS = 5000;

const guide = readFileSync(join(root, 'docs/no-code.md'), 'utf8');
/** The text up to the first SMS. */
const firstPart = guide.slice(0, guide.indexOf('5. **Publish it.**'));

/** Returns a label of the guide. Fails if the guide does not name it. */
function named(label: string): string {
  expect(guide).toContain(label);
  return label;
}

export function guideTests(fixture: Fixture): void {
  let browser: Browser;
  let proxy: Awaited<ReturnType<typeof startBlockingProxy>>;
  beforeAll(async () => {
    proxy = await startBlockingProxy();
    browser = await startBrowser();
    // The credentials of other tests would be selected.
    for (const { id } of await fixture.n8n.callApi('GET', '/credentials'))
      await fixture.n8n.callApi('DELETE', `/credentials/${id}`);
  });
  afterAll(async () => {
    await browser?.close();
    proxy?.close();
  });

  it('leads to the first SMS within six minutes, by its words alone', async () => {
    const { n8n } = fixture;
    const bypass = { server: proxy.url, bypass: '127.0.0.1' };
    const person = await openBrowser(browser, { viewport: DESKTOP, proxy: bypass }, 'guide');
    const { page, click, write, press, follow, type, typeCode } = person;
    const [name, value] = n8n.cookie.split('=') as [string, string];
    await person.context.addCookies([{ name, value, url: n8n.url }]);

    const reading = firstPart.split(/\s+/).length / WORDS_PER_SECOND;
    let total = reading;
    process.stderr.write(`reading the guide: ${reading.toFixed(0)} s\n`);
    async function step(title: string, work: () => Promise<void>): Promise<void> {
      const before = person.seconds();
      const start = Date.now();
      await work();
      const human = person.seconds() - before;
      const machine = (Date.now() - start) / 1000;
      total += human;
      process.stderr.write(`${title}: ${human.toFixed(0)} s for the person, ${machine.toFixed(1)} s for the machine\n`);
    }

    const text = (label: string): Locator => page.getByText(named(label), { exact: true }).filter({ visible: true });
    const panel = page.getByTestId('ndv');
    const option = (label: string) =>
      page
        .getByRole('option')
        .filter({ hasText: named(label), visible: true })
        .first();
    const below = (label: Locator) => label.last().locator('xpath=following::input[not(@type="radio")][1]');
    const field = (label: string) => below(panel.getByText(named(label), { exact: true }));
    async function paste(into: string, copied: string): Promise<void> {
      const input = below(page.getByRole('dialog').last().getByText(named(into)));
      await click(input);
      await input.fill(copied);
    }
    /** Like a person, drags again if the panel moved meanwhile. */
    async function drag(property: string, label: string): Promise<void> {
      const target = field(label);
      const dropped = panel.locator('.cm-content', { hasText: property }).last();
      await target.scrollIntoViewIfNeeded();
      await until(`${property} in ${label}`, async () => {
        await click(panel.getByText(named(property), { exact: true }).first());
        await page.mouse.down();
        const { x, y, width, height } = (await target.boundingBox())!;
        await page.mouse.move(x + width / 3, y + height / 2, { steps: 10 });
        await page.mouse.up();
        return dropped.waitFor({ timeout: DRAG_MS }).then(
          () => true,
          () => false,
        );
      });
    }
    const closePanel = async () => {
      await click(page.getByTestId('ndv-close-button'));
      await panel.waitFor({ state: 'hidden' });
    };

    const credentials: string[] = [];
    await step('sign in to the dashboard', async () => {
      await page.goto(fixture.serviceOutput.match(/http\S+start\?key=\S+/)![0]);
      await type('Email address', 'ana@shop.example');
      await page.getByRole('button', { name: /me a code$/ }).click();
      await page.getByLabel('Code', { exact: true }).waitFor();
      const inbox = fixture.serviceOutput.match(/http\S+inbox\?key=\S+/)![0].replace('inbox?', 'inbox.json?');
      const [mail] = (await (await fetch(inbox)).json()) as { text: string }[];
      await typeCode('Code', mail!.text.match(/\d{6}/)![0]);
      await press('Continue');
    });
    await step('create an application', async () => {
      await follow(named('Applications'));
      await follow(named('New application'));
      await type('Name', 'My Shop');
      await press(named('Create application'));
      for (const label of [named('App Key'), named('App Secret')]) {
        const copy = page.getByText(label, { exact: true }).locator('xpath=following::button[1]');
        await click(copy);
        credentials.push((await copy.locator('xpath=preceding::code[1]').innerText()).trim());
      }
      await follow(named('Connect'));
      await follow(named('n8n'));
      await text('Base URL').waitFor();
    });
    await step('1. webhook with an order', async () => {
      await page.goto(n8n.url);
      await click(page.getByRole('button').first());
      await click(text('New workflow'));
      await click(text('Add first step…').locator('xpath=preceding::button[1]'));
      await click(text('On webhook call'));
      await click(field('HTTP Method'));
      await click(option('POST'));
      await click(field('Path'));
      await page.keyboard.press('Control+A');
      await write(named('order-shipped'));
      await click(text('set mock data'));
      await click(panel.locator('.cm-content').last());
      await page.keyboard.press('Control+A');
      await write(named('[{"body": {"phone": "+14155550123", "orderId": "A-1001"}}]').replace('50123', '50199'));
      await press(named('Save'));
      await text('orderId').waitFor();
      await closePanel();
    });
    await step('2. Passbell and its credential', async () => {
      await click(page.getByTestId('canvas-handle-plus').first());
      await write(named('Passbell'));
      await click(page.getByTestId('node-creator-item-name').filter({ hasText: 'Passbell' }).first());
      await click(text('Send an order notification'));
      await click(text('Connect to Passbell'));
      await paste('App Key', credentials[0]!);
      await paste('App Secret', credentials[1]!);
      await paste('Base URL', fixture.serviceUrl);
      await press(named('Save'));
      await page.getByRole('dialog').filter({ hasText: 'Base URL' }).waitFor({ state: 'hidden' });
      await text('Connect to Passbell').waitFor({ state: 'hidden' });
    });
    await step('3. recipient, order and Idempotency Key', async () => {
      await drag('phone', 'To');
      await drag('orderId', 'Order ID');
      await click(field('Channel'));
      await click(option('SMS'));
      await click(field('Options'));
      await click(option('Idempotency Key'));
      await click(field('Idempotency Key'));
      await write(named('shipped'));
      await drag('orderId', 'Idempotency Key');
    });
    const inbox = () => fixture.inbox('+14155550199');
    await step('4. first SMS', async () => {
      await click(panel.getByText(named('Execute step'), { exact: true }).first());
      const [message] = await until('the SMS', async () => ((await inbox()).length > 0 ? inbox() : undefined));
      expect(message).toMatchObject({ channel: 'SMS', text: 'My Shop: Your order A-1001 is on its way.' });
    });
    process.stderr.write(`from the invitation to the first SMS: ${total.toFixed(0)} s for the person\n`);
    expect(total).toBeLessThan(MAX_SECONDS);

    await step('5. publish', async () => {
      await closePanel();
      await click(page.getByRole('button', { name: named('Publish'), exact: true }).first());
      await click(page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }));
      await click(text('Got it'));
      await stepOnCanvas(page, 'Webhook').dblclick();
      await click(text('Production URL'));
      const url = (await panel.getByText('/webhook/order-shipped').innerText()).trim();
      for (let calls = 0; calls < 2; calls++) await post(url, { phone: '+14155550198', orderId: 'A-1002' });
      await until('the SMS', async () => (await fixture.inbox('+14155550198')).length > 0);
    });
    expect(await inbox()).toHaveLength(1);
  });
}
