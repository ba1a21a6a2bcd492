/** The package in n8n's editor, and the example that is a form, as people see them. */
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { root } from '../../support/process.js';
import { wrongCode, type Body } from '../../support/service.js';
import { openEditor, openStep, step, type Editor } from './editor.js';
import { executionAfter } from './executions.js';
import { startOutside } from './outside.js';
import { example, post, type Stage } from './stage.js';

/** Imports an example as people do, and closes the note that its credential was found. */
async function importExample(page: Page, name: string, node: string): Promise<void> {
  await page.getByTestId('workflow-import-input').setInputFiles(join(root, `n8n-nodes/examples/${name}.json`));
  await step(page, node).waitFor();
  const note = page.getByRole('alert').filter({ hasText: 'Credentials auto-added' });
  await note.getByRole('img').last().click();
  await note.waitFor({ state: 'hidden' });
}

export function pageTests(stage: Stage): void {
  let editor: Editor;
  let beyond: Awaited<ReturnType<typeof startOutside>>;
  beforeAll(async () => {
    // n8n's pages ask for fonts, for n8n.io and for npm, which nothing switches off, and so does Chromium by itself.
    beyond = await startOutside();
    editor = await openEditor(stage.n8n, beyond.url);
  }, 600_000);
  afterAll(async () => {
    await editor?.close();
    beyond?.close();
  });

  it('the credential is tested as soon as it is opened, and its secret is not shown', async () => {
    const page = await editor.open('/home/credentials');
    await page.getByText('Passbell account', { exact: true }).first().click();
    await page.getByText('Connection tested successfully').waitFor();
    expect(await page.content()).not.toContain(stage.keys.appSecret);
    await editor.picture('credential', page);
  });

  it.each([
    ['form-otp', 'Verify Code', ['Code', 'If Not Verified', 'Simplify']],
    ['order-shipped', 'Notify by SMS', ['Template', 'Order ID', 'Tracking Number', 'Longest Wait When Throttled']],
  ])('%s is imported from its file, with the credential and its fields', async (name, node, labels) => {
    const page = await editor.open('/workflow/new');
    await importExample(page, name, node);
    await editor.picture(name, page.getByTestId('canvas-wrapper'));
    const panel = await openStep(page, node);
    for (const label of labels) await panel.getByText(label, { exact: true }).waitFor();
    await editor.picture(`${name}-fields`, panel);
  });

  it('the node is found, with an action for each operation', async () => {
    const page = await editor.open('/workflow/new');
    await importExample(page, 'form-otp', 'Verify Code');
    await page.getByTestId('node-creator-plus-button').click();
    await page.getByTestId('node-creator-search-bar').fill('passcode');
    await page.getByTestId('node-creator-item-name').filter({ hasText: 'Passbell' }).click();
    for (const action of ['Send an OTP', 'Verify an OTP', 'Revoke a session', 'Send an order notification'])
      await page.getByText(action, { exact: true }).waitFor();
    await editor.picture('actions', page);
  });

  it('a failure says what is wrong, with which item, and what to do', async () => {
    const workflow = example('order-shipped');
    workflow.nodes.find(({ id }: Body) => id === 'p1').onError = 'stopWorkflow';
    const id = await stage.activate(workflow);
    const order = { orderId: 'A-1003', phone: 'nobody' };
    const call = () => post(`${stage.n8n.url}/webhook/order-shipped`, order);
    const execution = await executionAfter(stage.n8n, id, call);
    const page = await editor.open(`/workflow/${id}/executions/${execution.id}`);
    const panel = await openStep(page, 'Notify by SMS');
    await panel.getByText('invalid recipient', { exact: true }).waitFor();
    await panel.getByText('Item 0: Check To: a phone number needs its country code').waitFor();
    await editor.picture('failure', panel);
    await stage.deactivate(id);
  });

  it('form-otp: a person gets a code and enters it; a wrong one leads to the other page', async () => {
    const id = await stage.activate(example('form-otp'));
    const path = '/form/3c1f7a52-6f0e-4a55-9d4b-6f1f0d9a7c02';
    const people: [string, (code: string) => string, string][] = [
      ['+14155550104', (code) => code, 'Your phone number is verified.'],
      ['+14155550105', (code) => wrongCode(code), 'The code was wrong or has expired.'],
    ];
    for (const [phone, typed, outcome] of people) {
      const page = await editor.open(path);
      const execution = await executionAfter(stage.n8n, id, async () => {
        await page.getByPlaceholder('+14155550123').fill(phone);
        await page.getByRole('button', { name: 'Submit' }).click();
        const code = page.getByPlaceholder('042137');
        await code.waitFor();
        await code.fill(typed((await stage.inbox(phone))[0].text.match(/\d{6}/)[0]));
        await page.getByRole('button', { name: 'Submit' }).click();
        await page.getByText(outcome).waitFor();
      });
      expect(execution.status).toBe('success');
    }
    await stage.deactivate(id);
  });
}
