/** `passbell template list`, `set`, `unset` and `preview`, with a running server. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freshMail, freshPhone, NO_LIMITS, startService, type TestService } from '../support/service.js';
import { CHANGE_MS, json, run } from './command.js';

let server: TestService;
beforeAll(async () => void (server = await startService()));
afterAll(() => server.stop());

/** Creates an application. Returns its App Key and functions that send an SMS and return its text. */
async function createApplication() {
  const keys = await server.application(NO_LIMITS);
  return {
    key: keys.appKey,
    async textOf(templateType: string, variables: object, more: object = {}): Promise<string> {
      server.clock.advance(CHANGE_MS);
      const to = freshPhone();
      const path = templateType.startsWith('invoice') ? '/notifications/invoice' : '/notifications/order';
      const reply = await server.post(path, { to, authWay: 'SMS', templateType, variables, ...more }, { keys });
      expect(reply).toMatchObject({ success: true });
      return (await server.inbox(to))[0]!.text;
    },
    async code(more: object = {}): Promise<string> {
      server.clock.advance(CHANGE_MS);
      const to = freshPhone();
      await server.post('/auth/sendotp', { to, ...more }, { keys });
      return (await server.inbox(to))[0]!.text;
    },
  };
}

const VARIABLES = { orderId: 'A-1001' };

it('overrides a text for one application, channel and language, and restores the built-in text', async () => {
  const own = await createApplication();
  const other = await createApplication();
  const text = 'Ship ahoy: {{ orderId }}';
  await json(server, 'template', 'set', own.key, 'Order Shipped', '--channel', 'SMS', '--text', text);
  expect(await own.textOf('order_shipped', VARIABLES)).toBe('Ship ahoy: A-1001');
  expect(await own.textOf('order_shipped', VARIABLES, { language: 'de' })).toContain(
    'Ihre Bestellung A-1001 ist unterwegs.',
  );
  expect(await own.textOf('order_placed', VARIABLES)).toContain('We have received your order A-1001');
  expect(await other.textOf('order_shipped', VARIABLES)).toContain('Your order A-1001 is on its way.');
  expect(await json(server, 'template', 'list', own.key)).toEqual([
    { template: 'order_shipped', channel: 'SMS', language: 'en', subject: null, text },
  ]);

  await json(server, 'template', 'unset', own.key, 'order_shipped', '--channel', 'SMS');
  expect(await own.textOf('order_shipped', VARIABLES)).toContain('Your order A-1001 is on its way.');
  expect(await run(server, 'template', 'unset', own.key, 'order_shipped', '--channel', 'SMS')).toMatchObject({
    code: 1,
  });
});

it('replaces an override', async () => {
  const { key, textOf } = await createApplication();
  for (const text of ['First {{ orderId }}', 'Second {{ orderId }}'])
    await json(server, 'template', 'set', key, 'order_shipped', '--channel', 'SMS', '--text', text);
  expect(await textOf('order_shipped', VARIABLES)).toBe('Second A-1001');
});

it('overrides the text for codes, which must contain the code variable', async () => {
  const { key, code } = await createApplication();
  const set = (text: string) => run(server, 'template', 'set', key, 'otp', '--channel', 'SMS', '--text', text);
  expect(await set('Hello!')).toMatchObject({ code: 1, err: expect.stringContaining('the text must contain code') });
  expect(await set('{{ code }} for {{ application }}, {{ minutes }} min')).toMatchObject({ code: 0 });
  expect(await code()).toMatch(/^\d{6} for Another Shop, 5 min$/);
});

it('overrides an email from a file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'passbell-template-'));
  const file = join(folder, 'mail.liquid');
  writeFileSync(file, 'Ahoy {{ customerName }}!\n\nOpen: {{ invoiceUrl }}');
  const keys = await server.application();
  const options = ['--channel', 'EMAIL', '--subject', 'Bill {{ invoiceNumber }}', '--text-file', file];
  await json(server, 'template', 'set', keys.appKey, 'invoice', ...options);
  rmSync(folder, { recursive: true });
  const to = freshMail();
  const variables = { customerName: 'Ana', invoiceNumber: '17', amount: '5', invoiceUrl: 'https://shop.example/17' };
  await server.post('/notifications/invoice', { to, templateType: 'invoice_generated', variables }, { keys });
  const [mail] = await server.inbox(to);
  expect(mail).toMatchObject({ subject: 'Bill 17', text: expect.stringContaining('Ahoy Ana!') });
  expect(mail!.html).toContain('href="https://shop.example/17"');
});

it('falls back to the built-in text if the override renders as empty text', async () => {
  const { key, textOf } = await createApplication();
  const text = '{% if trackingLink %}Track: {{ trackingLink }}{% endif %}';
  await json(server, 'template', 'set', key, 'order_shipped', '--channel', 'SMS', '--text', text);
  expect(await textOf('order_shipped', VARIABLES)).toContain('Your order A-1001 is on its way.');
});

it.each([
  ['{{ orderId', 'not valid'],
  ['{{ orderNumber }}', 'unknown variables: orderNumber'],
  ['{% include "x" %}', 'tag "include" not found'],
  [' ', 'the text is empty'],
])('rejects %j and stores nothing', async (text, reason) => {
  const { key } = await createApplication();
  const refused = await run(server, 'template', 'set', key, 'order_shipped', '--channel', 'SMS', '--text', text);
  expect(refused).toMatchObject({ code: 1, out: '', err: expect.stringContaining(reason) });
  expect(await json(server, 'template', 'list', key)).toEqual([]);
});

it.each([
  ['unknown_template', '--channel', 'SMS', '--text', 'x'],
  ['order_shipped', '--channel', 'FAX', '--text', 'x'],
  ['order_shipped', '--channel', 'SMS', '--language', 'xx', '--text', 'x'],
  ['order_shipped', '--channel', 'SMS'],
  ['order_shipped', '--text', 'x'],
  ['order_shipped', '--channel', 'SMS', '--text', 'x', '--text-file', 'y'],
])('rejects set %s %s %s %s', async (...options) => {
  const { key } = await createApplication();
  expect(await run(server, 'template', 'set', key, ...options)).toMatchObject({ code: 1, out: '' });
});

it('fails for an unknown application', async () => {
  const refused = await run(server, 'template', 'list', 'pk_nobody');
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('pk_nobody') });
});

it('reports which accents an SMS loses, and why', async () => {
  const { key } = await createApplication();
  const text = `Não está pronto. ${'x'.repeat(80)}`;
  const { out } = await run(server, 'template', 'set', key, 'order_shipped', '--channel', 'SMS', '--text', text);
  expect(out).toContain('Nao esta pronto.');
  expect(out).toContain('Accents: Removed from ã and á, because the message would need 2 SMS with them.');
});

it('previews overrides and built-in texts, with sample or specified variables', async () => {
  const { key } = await createApplication();
  const preview = async (...options: string[]) => (await run(server, 'template', 'preview', key, ...options)).out;
  expect(await preview('order_shipped', '--channel', 'SMS', '--language', 'pl')).toContain('Twoje zamowienie A-1001');
  expect(await preview('order_shipped', '--channel', 'SMS', '--variable', 'orderId=7')).toBe(
    'Another Shop: Your order 7 is on its way.\n',
  );
  expect(await preview('otp', '--channel', 'VOICE')).toContain('1, 2, 3, 4, 5, 6');
  expect(await preview('order_placed', '--channel', 'EMAIL', '--html')).toMatch(/^<!doctype html>/);
  await json(server, 'template', 'set', key, 'order_shipped', '--channel', 'SMS', '--text', 'Own {{ orderId }}');
  expect(await preview('order_shipped', '--channel', 'SMS')).toBe('Own A-1001\n');
});

it('lists every template with its variables, in the order that WhatsApp templates require', async () => {
  const all = await json(server, 'template', 'list');
  expect(all).toHaveLength(24);
  expect(all).toContainEqual({
    name: 'order_shipped',
    variables: ['application', 'orderId', 'customerName', 'trackingNo', 'trackingLink', 'estimatedDelivery'],
    required: ['orderId'],
    oneOf: [],
    aliases: ['order_dispatched'],
  });
  expect((await run(server, 'template', 'list')).out).toContain('amount or orderTotal');
});

it('uses the language of the application, unless the request specifies another supported language', async () => {
  const { key, textOf, code } = await createApplication();
  await json(server, 'app', 'update', key, '--language', 'de');
  expect(await textOf('order_shipped', VARIABLES)).toContain('Ihre Bestellung');
  expect(await textOf('order_shipped', VARIABLES, { language: 'pl-PL' })).toContain('Twoje zamówienie');
  expect(await textOf('order_shipped', VARIABLES, { language: 'EN_us' })).toContain('Your order');
  expect(await textOf('order_shipped', VARIABLES, { language: 'tlh' })).toContain('Ihre Bestellung');
  expect(await code()).toContain('ist Ihr Code');
  expect(await code({ language: 'ar' })).toContain('رمزك');
  expect(await run(server, 'app', 'update', key, '--language', 'tlh')).toMatchObject({ code: 1 });
  expect(await json(server, 'app', 'update', key, '--language', '')).toMatchObject({ language: '' });
  expect(await code()).toContain('is your');
});
