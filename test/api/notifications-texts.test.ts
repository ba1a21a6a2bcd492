/** sendOrderNotification: which words a message has, by language and by the application's own texts. */
import { freshMail, freshPhone, NO_LIMITS, startService, type Body, type TestService } from '../support/service.js';

let passbell: TestService;
beforeAll(async () => void (passbell = await startService()));
afterAll(() => passbell.stop());

async function shop(language = '') {
  const keys = await passbell.application({ ...NO_LIMITS, settings: { language } });
  const all = await passbell.service.applications.list();
  const application = all.find(({ appKey }) => appKey === keys.appKey)!;
  const said = async (more: object = {}, to = freshPhone()): Promise<Body> => {
    // Texts are kept in memory for a second.
    passbell.clock.advance(2_000);
    const body = { to, templateType: 'order_shipped', variables: { orderId: '7' }, ...more };
    expect(await passbell.post('/notifications/order', body, { keys })).toMatchObject({ success: true });
    return (await passbell.inbox(to))[0];
  };
  return { application, said };
}

it('speaks the language of the request, else of the application, else English', async () => {
  const [german, plain] = [await shop('de'), await shop()];
  expect((await german.said()).text).toContain('Ihre Bestellung 7 ist unterwegs.');
  expect((await german.said({ language: 'pl' })).text).toContain('Twoje zamowienie 7');
  expect((await german.said({ language: 'xx' })).text).toContain('Ihre Bestellung 7');
  expect((await plain.said({ language: 'xx' })).text).toContain('Your order 7');
  expect((await plain.said({ language: '' })).text).toContain('Your order 7');
  expect((await plain.said({ language: 'ar' }, freshMail())).html).toContain('dir="rtl"');
});

it('says what the application says in place of it, until it no longer does', async () => {
  const { application, said } = await shop();
  const key = { template: 'order_shipped', channel: 'SMS', language: 'en' } as const;
  const { templates } = passbell.service;
  for (const text of ['First {{ orderId }}', 'Ahoy {{ orderId }} 🚢'])
    await templates.set(application, { ...key, subject: null, text });
  expect((await said()).text).toBe('Ahoy 7 🚢');
  expect((await said({ authWay: 'WHATSAPP' })).text).toContain('Your order 7 is on its way.');
  expect(await templates.unset(application, key)).toBe(true);
  expect((await said()).text).toContain('Your order 7 is on its way.');
});
