/** sendInvoiceNotification, `/notifications/invoice`: replies and messages. */
import type { KeyPair } from '../../backend/src/modules/applications/application.js';
import { TEMPLATES } from '../../backend/src/platform/contract/generated/templates.js';
import { freshMail, freshPhone, NO_LIMITS, startService, type Body, type TestService } from '../support/service.js';

let passbell: TestService;
let keys: KeyPair;
beforeAll(async () => {
  passbell = await startService();
  keys = await passbell.application(NO_LIMITS);
});
afterAll(() => passbell.stop());

const PATH = '/notifications/invoice';
const post = (body: object): Promise<Body> => passbell.post(PATH, body, { keys });
const invoice = (parameters: object = {}): object => ({
  to: freshPhone(),
  authWay: 'sms',
  templateType: 'invoice_generated',
  variables: { customerName: 'Ana', invoiceNumber: 'INV-17', amount: '$120.00', invoiceUrl: 'https://shop.example/17' },
  ...parameters,
});

it('returns the send results, without deviceInfo', async () => {
  const body = await post(invoice());
  expect(body).toMatchObject({ success: true, status: 'NotificationsSent', data: { isTried: 1, isSent: 1 } });
  expect(body.data.results[0]).toMatchObject({ success: true, authType: 'Sms', charge: '0.0000' });
  expect(body.data.results[0]).not.toHaveProperty('deviceInfo');
});

it('sends the template text', async () => {
  const to = freshPhone();
  await post(invoice({ to }));
  expect((await passbell.inbox(to))[0]!.text).toBe(
    'Another Shop: Hello Ana! Your invoice INV-17 for $120.00 is ready. View the invoice: https://shop.example/17',
  );
});

it('sends an email with a button', async () => {
  const to = freshMail();
  await post(invoice({ to, authWay: undefined, language: 'de' }));
  const [mail] = await passbell.inbox(to);
  expect(mail).toMatchObject({ subject: 'Ihre Rechnung INV-17' });
  expect(mail!.html).toMatch(/<a href="https:\/\/shop\.example\/17"[^>]*>Rechnung ansehen<\/a>/);
});

const names = Object.entries(TEMPLATES)
  .filter(([, { kind }]) => kind === 'invoice')
  .flatMap(([name, { aliases }]) => [name, ...aliases]);

it.each(names)('accepts the template %s', async (templateType) => {
  expect(await post(invoice({ templateType }))).toMatchObject({ success: true });
});

it.each(['order_placed', 'invoice_lost'])('rejects the template %s and lists the valid ones', async (templateType) => {
  expect(await post(invoice({ templateType }))).toMatchObject({
    success: false,
    code: 'UNKNOWN_TEMPLATE',
    message:
      'Unknown templateType. Use one of invoice_generated, invoice_reminder, invoice_overdue, invoice_paid, invoice_cancelled',
  });
});

it('lists the missing variables', async () => {
  expect(await post(invoice({ variables: { customerName: 'Ana' } }))).toMatchObject({
    success: false,
    message: 'missing template variables: invoiceNumber, amount',
  });
});
