/** The README's example workflows, imported as they are: only what n8n's own nodes give is pinned. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../support/process.js';
import { freshMail, freshPhone, type Body } from '../../support/service.js';
import { outputOf, startWorkbench, type Run, type Workbench } from './engine.js';

let bench: Workbench;
beforeAll(async () => {
  bench = await startWorkbench();
});
afterAll(() => bench.stop());

const folder = join(root, 'n8n-nodes/examples');
const example = (name: string): Body => JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
let executions = 0;
const run = (name: string, startNode: string, item: Body, pinned = {}): Promise<Run> =>
  bench.engine.run({
    credentials: bench.credentials,
    workflow: { id: name, ...example(name) },
    items: [item],
    startNode,
    pinned,
    executionId: `example-${++executions}`,
  });

it('are all named in the README', () => {
  const readme = readFileSync(join(root, 'n8n-nodes/README.md'), 'utf8');
  for (const file of readdirSync(folder)) expect(readme).toContain(`(examples/${file})`);
});

const shipped = () => ({
  body: {
    orderId: `A-${freshPhone()}`,
    customerName: 'Ana',
    phone: freshPhone(),
    email: freshMail(),
    trackingNo: '1Z9',
    trackingLink: 'https://track.example/1Z9',
  },
});

describe('order-shipped', () => {
  it('sends an SMS, once an order', async () => {
    const order = shipped();
    for (let calls = 0; calls < 2; calls++)
      expect((await run('order-shipped', 'Order Shipped', order)).status).toBe('success');
    const messages = await bench.passbell.inbox(order.body.phone);
    expect(messages).toHaveLength(1);
    expect(messages[0]!.text).toContain(order.body.orderId);
    expect(await bench.passbell.inbox(order.body.email)).toEqual([]);
  });

  it('falls back to an e-mail', async () => {
    const order = shipped();
    order.body.phone = 'unknown';
    expect((await run('order-shipped', 'Order Shipped', order)).status).toBe('success');
    const [mail] = await bench.passbell.inbox(order.body.email);
    for (const word of ['Ana', order.body.orderId, '1Z9']) expect(mail!.text).toContain(word);
  });
});

it.each([
  ['004217', 'Welcome', 'Try Again'],
  ['004218', 'Try Again', 'Welcome'],
])('form-otp with the code %s leads to "%s"', async (code, reached, other) => {
  const phone = freshPhone();
  await bench.passbell.service.applications.update(bench.keys.appKey, {
    settings: { testRecipients: { [phone]: '004217' } },
  });
  bench.passbell.clock.advance(2_000);
  const result = await run('form-otp', 'Phone Form', { Phone: phone }, { 'Ask for the Code': [{ Code: code }] });
  expect(result.status).toBe('success');
  expect(outputOf(result, 0, reached)).toHaveLength(1);
  expect(result.nodes[other]).toBeUndefined();
});

it('invoice-by-email sends the invoice, and what fails leaves by the error output', async () => {
  const invoice = {
    customerName: 'Ana',
    invoiceNumber: 'INV-7',
    amount: '$120.00',
    invoiceUrl: 'https://shop.example/7',
  };
  const email = freshMail();
  await run('invoice-by-email', 'Invoice Issued', { body: { ...invoice, email } });
  expect((await bench.passbell.inbox(email))[0]!.text).toContain('INV-7');

  const failed = await run('invoice-by-email', 'Invoice Issued', {
    body: { ...invoice, invoiceNumber: 'INV-8', email: 'nobody' },
  });
  expect(outputOf(failed, 0, 'Tell Somebody')[0]!.json).toMatchObject({ details: { code: 'INVALID_RECIPIENT' } });
});
