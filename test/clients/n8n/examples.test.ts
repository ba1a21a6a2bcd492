/** The README's example workflows, imported unchanged, with pinned output only for n8n's own nodes. */
import { OPERATOR } from '../../../backend/src/modules/access/actor.js';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../support/process.js';
import { freshMail, freshPhone, NO_LIMITS, type Body } from '../../support/service.js';
import { outputOf, startFixture, type Run, type Fixture } from './engine.js';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture.stop());

const folder = join(root, 'n8n-nodes/examples');
const example = (name: string): Body => JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
let executions = 0;
const run = (name: string, startNode: string, item: Body, pinned = {}): Promise<Run> =>
  fixture.engine.run({
    credentials: fixture.credentials,
    workflow: { id: name, ...example(name) },
    items: [item],
    startNode,
    pinned,
    executionId: `example-${++executions}`,
  });

it('the README links all examples', () => {
  const readme = readFileSync(join(root, 'n8n-nodes/README.md'), 'utf8');
  for (const file of readdirSync(folder)) expect(readme).toContain(`(examples/${file})`);
});

const shippedOrder = () => ({
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
  it('sends one SMS for each order', async () => {
    const order = shippedOrder();
    for (let calls = 0; calls < 2; calls++)
      expect((await run('order-shipped', 'Order Shipped', order)).status).toBe('success');
    const messages = await fixture.passbell.inbox(order.body.phone);
    expect(messages).toHaveLength(1);
    expect(messages[0]!.text).toContain(order.body.orderId);
    expect(await fixture.passbell.inbox(order.body.email)).toEqual([]);
  });

  it('falls back to email', async () => {
    const order = shippedOrder();
    order.body.phone = 'unknown';
    expect((await run('order-shipped', 'Order Shipped', order)).status).toBe('success');
    const [mail] = await fixture.passbell.inbox(order.body.email);
    for (const word of ['Ana', order.body.orderId, '1Z9']) expect(mail!.text).toContain(word);
  });
});

it.each([
  ['004217', 'Welcome', 'Try Again'],
  ['004218', 'Try Again', 'Welcome'],
])('form-otp with the code %s continues with "%s"', async (code, expected, other) => {
  const phone = freshPhone();
  await fixture.passbell.core.applications.service.update(OPERATOR, fixture.keys.appKey, {
    settings: { testRecipients: { [phone]: '004217' } },
  });
  fixture.passbell.clock.advance(2_000);
  const result = await run('form-otp', 'Phone Form', { Phone: phone }, { 'Ask for the Code': [{ Code: code }] });
  expect(result.status).toBe('success');
  expect(outputOf(result, 0, expected)).toHaveLength(1);
  expect(result.nodes[other]).toBeUndefined();
});

it('form-otp says why a number is wrong, and asks for another one', async () => {
  const phone = freshPhone();
  await fixture.passbell.core.applications.service.update(OPERATOR, fixture.keys.appKey, {
    settings: { testRecipients: { [phone]: '004217' } },
  });
  fixture.passbell.clock.advance(2_000);
  const pinned = { 'Ask for Another Number': [{ Phone: phone }], 'Ask for the Code': [{ Code: '004217' }] };
  const result = await run('form-otp', 'Phone Form', { Phone: 'nobody' }, pinned);
  expect(result.nodes['Send Code']![0]!.main![1]![0]!.json.message).toContain('Enter a phone number');
  expect(outputOf(result, 0, 'Welcome')).toHaveLength(1);
});

it('invoice-by-email sends the invoice, and outputs failed items on the error output', async () => {
  const invoice = {
    customerName: 'Ana',
    invoiceNumber: 'INV-7',
    amount: '$120.00',
    invoiceUrl: 'https://shop.example/7',
  };
  const email = freshMail();
  await run('invoice-by-email', 'Invoice Issued', { body: { ...invoice, email } });
  expect((await fixture.passbell.inbox(email))[0]!.text).toContain('INV-7');

  const failed = await run('invoice-by-email', 'Invoice Issued', {
    body: { ...invoice, invoiceNumber: 'INV-8', email: 'nobody' },
  });
  expect(outputOf(failed, 0, 'Notify Someone')[0]!.json).toMatchObject({ details: { code: 'INVALID_RECIPIENT' } });
});

/** The recipient is a test recipient, whose code is always 004217. */
async function testRecipient(): Promise<string> {
  const phone = freshPhone();
  await fixture.passbell.core.applications.service.update(OPERATOR, fixture.keys.appKey, {
    settings: { testRecipients: { [phone]: '004217' } },
  });
  fixture.passbell.clock.advance(2_000);
  return phone;
}

const WITHOUT_COUNTRY_CODE = '(415) 555-0199';

it('code-before-refund announces the refund only after the correct code', async () => {
  const phone = freshPhone();
  const form = { Phone: await testRecipient(), 'Order ID': `A-${phone}`, Amount: '$20.00' };
  const start = (code: string) =>
    run('code-before-refund', 'Refund Form', form, { 'Ask for the Code': [{ Code: code }] });
  const wrong = await start('004218');
  expect(outputOf(wrong, 0, 'Do Not Refund')).toHaveLength(1);
  expect(wrong.nodes['Announce the Refund']).toBeUndefined();
  const verified = await start('004217');
  expect(outputOf(verified, 0, 'Announce the Refund')).toMatchObject([{ json: { channel: 'SMS' } }]);
  expect(outputOf(verified, 0, 'Refund Announced')).toHaveLength(1);
});

it('code-page announces the refund only after the correct code, and responds with the error of a wrong number', async () => {
  const order = { orderId: 'A-1001', amount: '$20.00' };
  const start = async (phone: string) => {
    const credentials = { ...(await fixture.passbell.application(NO_LIMITS)), baseUrl: fixture.passbell.url };
    const workflow = { id: 'refund', ...example('code-page') };
    const common = { credentials, workflow, executionId: `example-${++executions}` };
    const items = [{ body: { phone, ...order } }];
    const run = await fixture.engine.run({ ...common, items, startNode: 'Refund Requested' });
    const submit = async (form: object): Promise<Run> =>
      (await fixture.engine.call('waitingWebhook', { ...common, stored: run.stored, form })).run;
    return { run, submit };
  };
  const honest = freshPhone();
  const first = await start(honest);
  expect(first.run.status).toBe('waiting');
  const verified = await first.submit({ action: 'verify', code: await fixture.passbell.codeFor(honest) });
  expect(outputOf(verified, 0, 'Announce the Refund')).toMatchObject([{ json: { channel: 'SMS' } }]);
  expect((await fixture.passbell.inbox(honest))[0]!.text).toContain('$20.00');
  const canceled = await (await start(freshPhone())).submit({ action: 'cancel' });
  expect(canceled.nodes['Announce the Refund']).toBeUndefined();
  const { run: failed } = await start(WITHOUT_COUNTRY_CODE);
  expect(failed.status).toBe('success');
  const [item] = outputOf(failed, 0, 'Return the Error');
  expect(item!.json).toMatchObject({ error: 'invalid recipient', message: expect.stringContaining('country code') });
});

const INVOICE = {
  'Customer Name': 'Ana',
  'Invoice Number': 'INV-9',
  Amount: '$80.00',
  'Invoice Link': 'https://shop.example/9',
};

it('overdue-invoice sends a reminder, and then calls', async () => {
  const phone = freshPhone();
  const result = await run('overdue-invoice', 'Invoice Form', { Phone: phone, ...INVOICE });
  expect(result.status).toBe('success');
  const messages = await fixture.passbell.inbox(phone);
  expect(messages.map(({ channel }) => channel)).toEqual(['VOICE', 'SMS']);
  expect(messages[1]!.text).toContain('INV-9');
  expect(messages[0]!.text).toContain('$80.00');
});

it('a form asks again for a number without country code, and says why', async () => {
  const invoice = { ...INVOICE, 'Invoice Number': 'INV-10' };
  const phone = freshPhone();
  const corrected = await run(
    'overdue-invoice',
    'Invoice Form',
    { Phone: WITHOUT_COUNTRY_CODE, ...invoice },
    { 'Ask for Another Number': [{ Phone: phone }] },
  );
  expect(corrected.status).toBe('success');
  const messages = await fixture.passbell.inbox(phone);
  expect(messages.map(({ channel }) => channel)).toEqual(['VOICE', 'SMS']);
  expect(messages[1]!.text).toContain('INV-10');

  for (const [name, form, last] of [
    ['code-before-refund', 'Refund Form', 'Refund Announced'],
    ['form-to-table', 'Phone Form', 'Welcome'],
  ] as const) {
    const pinned = {
      'Ask for Another Number': [{ Phone: await testRecipient() }],
      'Ask for the Code': [{ Code: '004217' }],
    };
    const order = { 'Order ID': `${name}-7`, Amount: '$7' };
    const result = await run(name, form, { Phone: WITHOUT_COUNTRY_CODE, ...order }, pinned);
    expect(result.nodes['Send Code']![0]!.main![1]![0]!.json.message).toContain('country code');
    expect(outputOf(result, 0, last)).toHaveLength(1);
  }
});

it('form-to-table adds a row only for a correct code', async () => {
  for (const [code, steps] of [
    ['004217', ['Add a Row', 'Welcome']],
    ['004218', ['Try Again']],
  ] as const) {
    const phone = freshPhone();
    await fixture.passbell.core.applications.service.update(OPERATOR, fixture.keys.appKey, {
      settings: { testRecipients: { [phone]: '004217' } },
    });
    fixture.passbell.clock.advance(2_000);
    const result = await run('form-to-table', 'Phone Form', { Phone: phone }, { 'Ask for the Code': [{ Code: code }] });
    const after = Object.keys(result.nodes).filter((name) => /Row|Welcome|Again/.test(name));
    expect(after).toEqual(steps);
  }
});
