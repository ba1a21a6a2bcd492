/** The package in n8n's editor, and the form example, in a browser. */
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { root } from '../../support/process.js';
import { wrongCode, type Body } from '../../support/service.js';
import { openEditor, openStep, step, type Editor } from './editor.js';
import { executionAfter } from './executions.js';
import { startBlockingProxy } from './blocking-proxy.js';
import { example, post, type Fixture } from './fixture.js';

/** Imports an example in the editor, and waits until the notice about its credential has disappeared. */
async function importExample(page: Page, name: string, node: string): Promise<void> {
  await page.getByTestId('workflow-import-input').setInputFiles(join(root, `n8n-nodes/examples/${name}.json`));
  await step(page, node).waitFor();
  await page.getByRole('alert').filter({ hasText: 'Credentials auto-added' }).waitFor({ state: 'hidden' });
}

export function pageTests(fixture: Fixture): void {
  let editor: Editor;
  let proxy: Awaited<ReturnType<typeof startBlockingProxy>>;
  beforeAll(async () => {
    // Blocks external requests: n8n's pages load fonts and call n8n.io and npm, and Chromium sends background requests.
    proxy = await startBlockingProxy();
    editor = await openEditor(fixture.n8n, proxy.url);
  });
  afterAll(async () => {
    await editor?.close();
    proxy?.close();
  });

  it('the editor tests a credential when it is opened, and does not show its secret', async () => {
    const page = await editor.open('/home/credentials');
    await page.getByText('Passbell account', { exact: true }).first().click();
    await page.getByText('Connection tested successfully').waitFor();
    expect(await page.content()).not.toContain(fixture.keys.appSecret);
    await editor.screenshot('credential', page);
  });

  it.each([
    ['form-otp', 'Verify Code', ['Code', 'If Not Verified', 'Simplify']],
    [
      'order-shipped',
      'Notify by SMS',
      ['Template', 'Order ID', 'Tracking Number', 'Max Wait When Rate-Limited (Seconds)'],
    ],
    ['code-before-refund', 'Send Code', ['To', 'Channel']],
    ['code-page', 'Ask for the Code', ['To', 'Channel']],
    ['overdue-invoice', 'Call', ['Template', 'Invoice Number', 'Amount']],
    ['form-to-table', 'Verify Code', ['Verify By', 'Code']],
    ['invoice-by-email', 'Send Invoice', ['Template', 'Invoice Number']],
  ])('the editor imports %s from its file, with its credential and fields', async (name, node, labels) => {
    const page = await editor.open('/workflow/new');
    await importExample(page, name, node);
    // The shortcut for showing the whole workflow.
    await page.keyboard.press('1');
    await editor.screenshot(name, page.getByTestId('canvas-wrapper'));
    const panel = await openStep(page, node);
    for (const label of labels) await panel.getByText(label, { exact: true }).waitFor();
    await editor.screenshot(`${name}-fields`, panel);
  });

  it('the node search lists the Passbell node, with an action for each operation', async () => {
    const page = await editor.open('/workflow/new');
    await importExample(page, 'form-otp', 'Verify Code');
    await page.getByTestId('node-creator-plus-button').click();
    await page.getByTestId('node-creator-search-bar').fill('passcode');
    await page.getByTestId('node-creator-item-name').filter({ hasText: 'Passbell' }).click();
    for (const action of ['Send a code', 'Verify a code', 'Revoke a session', 'Send an order notification'])
      await page.getByText(action, { exact: true }).waitFor();
    await editor.screenshot('actions', page);
  });

  it('an execution shows the failed item and advice', async () => {
    const workflow = example('order-shipped');
    workflow.nodes.find(({ id }: Body) => id === 'p1').onError = 'stopWorkflow';
    const id = await fixture.activate(workflow);
    const order = { orderId: 'A-1003', phone: 'nobody' };
    const call = () => post(`${fixture.n8n.url}/webhook/order-shipped`, order);
    const execution = await executionAfter(fixture.n8n, id, call);
    const page = await editor.open(`/workflow/${id}/executions/${execution.id}`);
    const panel = await openStep(page, 'Notify by SMS');
    await panel.getByText('invalid recipient', { exact: true }).waitFor();
    await panel.getByText('Item 0: Enter a phone number with its country code').waitFor();
    await editor.screenshot('failure', panel);
    await fixture.deactivate(id);
  });

  it('form-otp verifies the code, and shows a different page for a wrong code', async () => {
    const id = await fixture.activate(example('form-otp'));
    const path = '/form/3c1f7a52-6f0e-4a55-9d4b-6f1f0d9a7c02';
    const people: [string, (code: string) => string, string][] = [
      ['+14155550104', (code) => code, 'Your phone number is verified.'],
      ['+14155550105', (code) => wrongCode(code), 'The code was wrong or has expired.'],
    ];
    for (const [phone, typed, outcome] of people) {
      const page = await editor.open(path);
      const execution = await executionAfter(fixture.n8n, id, async () => {
        await page.getByPlaceholder('+14155550123').fill(phone);
        await page.getByRole('button', { name: 'Submit' }).click();
        const code = page.getByPlaceholder('042137');
        await code.waitFor();
        await code.fill(typed((await fixture.inbox(phone))[0].text.match(/\d{6}/)[0]));
        await page.getByRole('button', { name: 'Submit' }).click();
        await page.getByText(outcome).waitFor();
      });
      expect(execution.status).toBe('success');
    }
    await fixture.deactivate(id);
  });
}
