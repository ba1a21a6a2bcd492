/** Notifications over Twilio: approved WhatsApp templates, and calls in the message language. */
import { createTwilioVoiceProvider } from '../../backend/src/providers/twilio-voice.js';
import { createTwilioWhatsAppProvider } from '../../backend/src/providers/twilio-whatsapp.js';
import { FROM, otp, setUpTwilio, TO } from '../support/twilio-channels.js';

const fixture = setUpTwilio();

describe('WhatsApp templates for notifications', () => {
  const contentSid = `HX${'0'.repeat(32)}`;
  const templateSids = { order_shipped: `HX${'1'.repeat(32)}`, 'order_shipped.de': `HX${'2'.repeat(32)}` };
  const notification = (template: string, language: string) => ({
    id: 'msg_04',
    applicationId: 1,
    to: TO,
    content: { kind: 'text' as const, text: 'Own words', variables: ['A-1', '-'], template, language },
  });

  it.each([
    ['en', templateSids.order_shipped],
    ['de', templateSids['order_shipped.de']],
  ])('uses the template for the language %s', async (language, sid) => {
    const channel = createTwilioWhatsAppProvider(fixture.twilio, FROM, contentSid, templateSids);
    await channel.send(notification('order_shipped', language));
    const { form } = await fixture.server.waitForRequest(1);
    expect(form).toMatchObject({ ContentSid: sid, ContentVariables: JSON.stringify({ 1: 'A-1', 2: '-' }) });
  });

  it('a notification without an approved template is sent as plain text, not with the template for codes', async () => {
    const channel = createTwilioWhatsAppProvider(fixture.twilio, FROM, contentSid, templateSids);
    await channel.send(notification('order_placed', 'en'));
    const { form } = await fixture.server.waitForRequest(1);
    expect(form).toMatchObject({ Body: 'Own words' });
    expect(form).not.toHaveProperty('ContentSid');
  });

  it('a document is sent with plain text, but not with an approved template', async () => {
    const channel = createTwilioWhatsAppProvider(fixture.twilio, FROM, contentSid, templateSids);
    const document = { link: 'https://shop.example/17.pdf', filename: 'INV-17.pdf' };
    for (const template of ['order_placed', 'order_shipped']) {
      const { content, ...message } = notification(template, 'en');
      await channel.send({ ...message, content: { ...content, document } });
    }
    expect((await fixture.server.waitForRequest(1)).form).toMatchObject({ MediaUrl: document.link });
    expect((await fixture.server.waitForRequest(2)).form).not.toHaveProperty('MediaUrl');
  });
});

it('a call uses the language of its content if it is set', async () => {
  const channel = createTwilioVoiceProvider(fixture.twilio, FROM, 'en-GB');
  await channel.send({
    ...otp('VOICE'),
    content: { kind: 'speech', sentences: ['Dzień dobry'], language: 'pl-PL' },
  });
  const { form } = await fixture.server.waitForRequest(1);
  expect(form['Twiml']).toContain('<Say language="pl-PL">Dzień dobry</Say>');
});
