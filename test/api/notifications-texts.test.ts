/** sendOrderNotification: the message language, and the application's custom texts. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { freshMail, freshPhone, NO_LIMITS, startService, type Body, type TestService } from '../support/service.js';

let passbell: TestService;
beforeAll(async () => void (passbell = await startService()));
afterAll(() => passbell.stop());

async function createShop(language = '') {
  const keys = await passbell.application({ ...NO_LIMITS, settings: { language } });
  const all = await passbell.core.applications.service.list();
  const application = all.find(({ appKey }) => appKey === keys.appKey)!;
  const sendAndRead = async (more: object = {}, to = freshPhone()): Promise<Body> => {
    // Texts are cached for a second.
    passbell.clock.advance(2_000);
    const body = { to, templateType: 'order_shipped', variables: { orderId: '7' }, ...more };
    expect(await passbell.post('/notifications/order', body, { keys })).toMatchObject({ success: true });
    return (await passbell.inbox(to))[0];
  };
  return { application, sendAndRead };
}

it('uses the language of the request, otherwise of the application, otherwise English', async () => {
  const german = await createShop('de');
  const plain = await createShop();
  expect((await german.sendAndRead()).text).toContain('Ihre Bestellung 7 ist unterwegs.');
  expect((await german.sendAndRead({ language: 'pl' })).text).toContain('Twoje zamówienie 7');
  expect((await german.sendAndRead({ language: 'xx' })).text).toContain('Ihre Bestellung 7');
  expect((await plain.sendAndRead({ language: 'xx' })).text).toContain('Your order 7');
  expect((await plain.sendAndRead({ language: '' })).text).toContain('Your order 7');
  expect((await plain.sendAndRead({ language: 'ar' }, freshMail())).html).toContain('dir="rtl"');
});

it.each([
  ['+393123456789', 'Il tuo ordine 7'],
  ['+31612345678', 'Uw bestelling 7'],
  ['+32470123456', 'Uw bestelling 7'],
  ['+41791234567', 'Ihre Bestellung 7'],
  ['+15145550123', 'Your order 7'],
  ['+81312345678', 'Votre commande 7'],
  ['ana@example.it', 'Votre commande 7'],
])('with the language auto, %s gets the text of its country, or of the application', async (to, text) => {
  const { sendAndRead } = await createShop('fr');
  expect((await sendAndRead({ language: 'auto' }, to)).text).toContain(text);
});

it("uses the application's custom text until it is removed", async () => {
  const { application, sendAndRead } = await createShop();
  const key = { template: 'order_shipped', channel: 'SMS', language: 'en' } as const;
  const { templates } = passbell.core;
  for (const text of ['First {{ orderId }}', 'Ahoy {{ orderId }} 🚢'])
    await templates.service.save(OPERATOR, application, { ...key, subject: null, text });
  expect((await sendAndRead()).text).toBe('Ahoy 7 🚢');
  expect((await sendAndRead({ authWay: 'WHATSAPP' })).text).toContain('Your order 7 is on its way.');
  expect(await templates.service.remove(OPERATOR, application, key)).toBe(true);
  expect((await sendAndRead()).text).toContain('Your order 7 is on its way.');
});
