/** A customer's name cannot carry a link into a message under the shop's sender. */
import { SECOND } from '../../backend/src/platform/clock.js';
import { freshMail, freshPhone, startService, type TestService } from '../support/service.js';

let passbell: TestService;
beforeAll(async () => {
  passbell = await startService();
});
afterAll(() => passbell.stop());

async function textWith(variables: Record<string, string>, to: string, templateType = 'order_placed'): Promise<string> {
  const parameters = { to, templateType, variables: { orderId: 'A.B/17', ...variables } };
  expect(await passbell.post('/notifications/order', parameters)).toMatchObject({ success: true });
  passbell.clock.advance(SECOND);
  return (await passbell.inbox(to))[0]!.text;
}

it.each([
  ['your parcel is on hold, pay at https://evil.example/pay', 'pay at https evil. example/pay'],
  ['HTTP://1.2.3.4/pay', 'HTTP 1. 2. 3. 4/pay'],
  ['http://2130706433/pay', 'http 2130706433/pay'],
  ['www.evil.example', 'www. evil. example'],
  ['visit evil.com', 'visit evil. com'],
  ['(evil.example/pay)', '(evil. example/pay)'],
  ['evil\u3002example/pay', 'evil\u3002 example/pay'],
  ['xn--80ak6aa92e.xn--p1ai/pay', 'xn--80ak6aa92e. xn--p1ai/pay'],
  ['1.2.3.4/pay', '1. 2. 3. 4/pay'],
  ['//1.1.1.1/x', '1. 1. 1. 1/x'],
  ['i❤.ws/pay', 'i❤. ws/pay'],
  ['cafe\u0301.com/pay', 'cafe. com/pay'],
  ['evil.c\u0323om/pay', 'evil. com/pay'],
  ['https:/\u0338/evil.c\u0323om/pay', 'https evil. com/pay'],
  ['evil.m\u030ae', 'evil. me'],
  ['evil.\u092d\u093e\u0930\u0924/pay', 'evil. \u092d\u0930\u0924/pay'],
  ['evil.\ufeffcom/pay', 'evil. com/pay'],
  ['8.8.8.8', '8. 8. 8. 8'],
  ['evil.com./pay', 'evil. com. /pay'],
  ['evil-.com/x', 'evil-. com/x'],
  ['evil.\u200bcom/pay', 'evil. com/pay'],
  ['evil\u2024com/pay', 'evil. com/pay'],
  ['192.168.0.1:80', '192. 168. 0. 1:80'],
])('a name with the link “%s” arrives without a link', async (customerName, expected) => {
  for (const to of [freshPhone(), freshMail()]) {
    const text = await textWith({ customerName }, to);
    expect(text).toContain(expected);
    expect(text).not.toContain(customerName);
  }
});

it.each([
  'St. John',
  'A.B. Smith',
  'Dr. Ana Silva-Ruiz',
  "O'Neill Jr.",
  'Müller GmbH & Co. KG',
  'Ana/Ben',
  '山田 太郎',
])('the name %s arrives unchanged', async (customerName) =>
  expect(await textWith({ customerName }, freshPhone())).toContain(customerName),
);

it('other texts lose links with a path only, and links of the shop arrive unchanged', async () => {
  const cancelReason = 'Sold at shop.example, see https://evil.example/x or evil.example/y';
  const text = await textWith({ cancelReason }, freshPhone(), 'order_cancelled');
  expect(text).toContain('Sold at shop.example, see https evil. example/x or evil. example/y');
  expect(text).toContain('A.B/17');
  const orderDetailsLink = 'https://shop.example/orders/17';
  expect(await textWith({ orderDetailsLink, orderTotal: '€1.234,50' }, freshPhone())).toContain(orderDetailsLink);
  const updateMessage = 'Your parcel is at https://shop.example/map.';
  expect(await textWith({ updateMessage }, freshPhone(), 'order_update')).toContain(updateMessage);
});
