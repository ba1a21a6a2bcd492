/** The forms of the nodes in Node-RED's editor, in Chromium. `SCREENSHOTS=folder` saves screenshots. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { EVENT_NAMES } from '../../../backend/src/modules/webhooks/event.js';
import { startBrowser } from '../../support/browser.js';
import { FIELDS, OPERATIONS } from '../../../clients/connectors/generated/connectors.js';
import type { NodeRed } from './server.js';

const TYPES = {
  'passbell-send': 'send',
  'passbell-verify': 'verify',
  'passbell-wait': 'wait',
  'passbell-notify': 'notifyOrder',
} as const;

const flow = [
  { id: 'shop', type: 'tab', label: 'Shop' },
  { id: 'otp', type: 'passbell-server', name: 'My Shop', baseUrl: 'https://otp.example.com' },
  ...Object.keys(TYPES).map((type, row) => ({
    id: `node${row}`,
    z: 'shop',
    type,
    server: 'otp',
    kind: 'order',
    templateType: 'order_shipped',
    templateTypeType: 'str',
    to: 'payload.phone',
    toType: 'msg',
    variables: { orderId: { value: 'payload.orderId', type: 'msg' } },
    failures: 'catch',
    outputs: 1,
    x: 300,
    y: 80 + row * 90,
    wires: [[]],
  })),
  {
    id: 'events',
    z: 'shop',
    type: 'passbell-events',
    server: 'otp',
    events: { 'otp.verified': true },
    x: 300,
    y: 480,
    wires: [[]],
  },
];

async function openForm(page: Page, id: string) {
  await page.evaluate(`RED.editor.edit(RED.nodes.node(${JSON.stringify(id)}))`);
  const form = page.locator('.red-ui-editor #dialog-form').last();
  await form.waitFor();
  return form;
}

const closeForm = async (page: Page, button: 'ok' | 'cancel') => {
  await page.locator(`#node-dialog-${button}`).click();
  await page.locator('.red-ui-editor #dialog-form').waitFor({ state: 'detached' });
};

export function editorTests(nodeRed: () => NodeRed): void {
  let browser: Awaited<ReturnType<typeof startBrowser>>;
  let page: Page;
  const errors: string[] = [];
  beforeAll(async () => {
    await nodeRed().deploy(flow);
    browser = await startBrowser();
    page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
    page.on('pageerror', (error) => errors.push(error.message));
    await page.goto(nodeRed().url);
    await page.locator('.red-ui-flow-node-label', { hasText: 'notify' }).first().waitFor();
  });
  afterAll(() => browser?.close());

  async function screenshot(name: string): Promise<void> {
    if (!process.env.SCREENSHOTS) return;
    mkdirSync(process.env.SCREENSHOTS, { recursive: true });
    await page.screenshot({
      path: join(process.env.SCREENSHOTS, `${name}.png`),
      animations: 'disabled',
      caret: 'hide',
    });
  }

  it.each(Object.entries(TYPES))('shows all fields of %s with their labels', async (type, operation) => {
    const form = await openForm(page, `node${Object.keys(TYPES).indexOf(type)}`);
    const text = await form.innerText();
    for (const name of [...OPERATIONS[operation].required, ...OPERATIONS[operation].optional])
      expect(text).toContain(FIELDS[name].label);
    await screenshot(`node-red-${operation}`);
    await closeForm(page, 'cancel');
  });

  it('shows the text and the fields of the selected template, and adds the output for failures', async () => {
    const form = await openForm(page, 'node3');
    expect(await form.locator('#passbell-preview').innerText()).toContain('is on its way');
    expect(await form.innerText()).toContain('Tracking Number');
    await form.locator('#node-input-kind').selectOption('invoice');
    expect(await form.innerText()).toContain('Invoice Number *');
    expect(await form.innerText()).not.toContain('Tracking Number');
    await form.locator('#node-input-kind').selectOption('order');
    await form.locator('#node-input-failures').selectOption('output');
    await closeForm(page, 'ok');
    const saved = await page.evaluate(`(({ outputs, variables, templateType, templateTypeType }) =>
      ({ outputs, variables, templateType, templateTypeType }))(RED.nodes.node('node3'))`);
    expect(saved).toMatchObject({
      outputs: 2,
      templateType: expect.stringMatching(/^order_/),
      templateTypeType: 'str',
    });
  });

  it('lists the events', async () => {
    const form = await openForm(page, 'events');
    expect(await form.locator('[data-event]').count()).toBe(EVENT_NAMES.length);
    await form.locator('[data-event="message.failed"]').check();
    await closeForm(page, 'ok');
    expect(await page.evaluate(`RED.nodes.node('events').events`)).toEqual({
      'otp.verified': true,
      'message.failed': true,
    });
  });

  it('reports no error', () => expect(errors).toEqual([]));
}
