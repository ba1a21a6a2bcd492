/** SMS, WhatsApp and calls through Twilio: what is sent, and what its refusals mean. */
import type { ChannelError } from '../../backend/src/providers/provider.js';
import { createTwilioSmsChannel } from '../../backend/src/providers/twilio-sms.js';
import { createTwilioVoiceChannel } from '../../backend/src/providers/twilio-voice.js';
import { createTwilioWhatsAppChannel } from '../../backend/src/providers/twilio-whatsapp.js';
import { CODE, FROM, otp, setTwilioStage, TO } from '../support/twilio-channels.js';
import { REFUSALS, twilioRefusal, type TwilioServer } from '../support/twilio-server.js';

const stage = setTwilioStage();
const { connect, failure } = stage;

const says = (twiml: string) =>
  [...twiml.matchAll(/<Say language="([^"]*)">([^<]*)<\/Say>/g)].map(([, , text]) => text);

describe('SMS', () => {
  it('is one POST with sender, recipient and text, and answers its sid', async () => {
    const { providerId } = await stage.sms.send(otp('SMS'));
    expect(providerId).toMatch(/^SM[0-9a-f]{32}$/);
    const { method, path, headers, form } = await stage.server.request(1);
    expect(stage.server.requests).toHaveLength(1);
    expect([method, path]).toEqual(['POST', `/2010-04-01/Accounts/${stage.server.accountSid}/Messages.json`]);
    expect(headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(headers['user-agent']).toMatch(/^twilio-node\//);
    expect(form).toEqual({
      From: FROM,
      To: TO,
      Body: '093518 is your Harbor Books code. It is valid for 5 minutes. Never share it, not even with us.',
    });
  });

  it('comes from a messaging service where there is one', async () => {
    const messagingServiceSid = `MG${'0'.repeat(32)}`;
    await createTwilioSmsChannel(stage.twilio, { messagingServiceSid }).send(otp('SMS'));
    const { form } = await stage.server.request(1);
    expect(form).toEqual({ MessagingServiceSid: messagingServiceSid, To: TO, Body: expect.any(String) });
  });

  it('keeps every character and cannot gain a field', async () => {
    const text = 'a&To=%2B1900&Body=x +% é 北京 🔔\n"';
    await stage.sms.send({ id: 'msg_02', to: TO, content: { kind: 'text', text } });
    const { form } = await stage.server.request(1);
    expect(form).toEqual({ From: FROM, To: TO, Body: text });
  });
});

describe('WhatsApp', () => {
  it('is a plain text between two WhatsApp numbers without a template', async () => {
    await createTwilioWhatsAppChannel(stage.twilio, { from: FROM }).send(otp('WHATSAPP'));
    const { form } = await stage.server.request(1);
    expect(form).toEqual({ From: `whatsapp:${FROM}`, To: `whatsapp:${TO}`, Body: expect.stringContaining(CODE) });
  });

  const contentSid = `HX${'0'.repeat(32)}`;

  it('fills the template with the numbered variables', async () => {
    const channel = createTwilioWhatsAppChannel(stage.twilio, { from: FROM, contentSid });
    await channel.send({ id: 'msg_02', to: TO, content: { kind: 'text', text: 'x', variables: [CODE, 'a "b" é'] } });
    const { form } = await stage.server.request(1);
    expect(form).toEqual({
      From: `whatsapp:${FROM}`,
      To: `whatsapp:${TO}`,
      ContentSid: contentSid,
      ContentVariables: JSON.stringify({ 1: CODE, 2: 'a "b" é' }),
    });
  });

  it('sends a text that has no variables as it is', async () => {
    const channel = createTwilioWhatsAppChannel(stage.twilio, { from: FROM, contentSid });
    await channel.send({ id: 'msg_03', to: TO, content: { kind: 'text', text: 'Your order is on its way' } });
    const { form } = await stage.server.request(1);
    expect(form).toMatchObject({ Body: 'Your order is on its way' });
    expect(form).not.toHaveProperty('ContentSid');
  });
});

describe('Voice', () => {
  const voice = (language = 'en-GB') => createTwilioVoiceChannel(stage.twilio, { from: FROM, language });

  it('calls and says everything twice, the code one character at a time', async () => {
    const { providerId } = await voice().send(otp('VOICE'));
    expect(providerId).toMatch(/^CA[0-9a-f]{32}$/);
    const { path, form } = await stage.server.request(1);
    expect(path).toBe(`/2010-04-01/Accounts/${stage.server.accountSid}/Calls.json`);
    expect(form).toEqual({ From: FROM, To: TO, Twiml: expect.any(String) });
    const once = ['Hello. Your Harbor Books code is:', ...CODE];
    expect(says(form['Twiml']!)).toEqual([...once, ...once]);
  });

  it('rests after every character and speaks the language of the settings', async () => {
    await voice('de-DE').send(otp('VOICE'));
    const { form } = await stage.server.request(1);
    const twiml = form['Twiml']!;
    expect(twiml).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?><Response>.*<\/Response>$/);
    for (const digit of CODE) expect(twiml).toContain(`<Say language="de-DE">${digit}</Say><Pause length="1"/>`);
    expect(twiml).not.toContain('en-');
  });

  it('cannot be given another verb by a name', async () => {
    await voice().send(otp('VOICE', '</Say><Dial>+19005550100</Dial>\u0007\ud800 & "Sons"'));
    const { form } = await stage.server.request(1);
    const twiml = form['Twiml']!;
    expect(twiml).not.toContain('<Dial>');
    expect(twiml).toContain('&lt;/Say&gt;&lt;Dial&gt;');
    expect(twiml).toContain('&amp; "Sons"');
    expect(twiml).not.toMatch(/[\u0000-\u0008\ud800-\udfff]/);
  });
});

describe('a refusal', () => {
  const refusals: [string, Parameters<TwilioServer['answer']>[0], Partial<ChannelError>][] = [
    [
      'a wrong number',
      REFUSALS.invalidNumber,
      { kind: 'permanent', reason: 'this is not a valid phone number (21211)' },
    ],
    [
      'a recipient who opted out',
      REFUSALS.optedOut,
      { kind: 'permanent', reason: 'the recipient has opted out of messages from this sender (21610)' },
    ],
    [
      'a land line',
      twilioRefusal(400, 21614, 'no'),
      { kind: 'permanent', reason: 'this number cannot receive SMS (21614)' },
    ],
    ['a template', twilioRefusal(400, 63016, 'no'), { kind: 'permanent', reason: expect.stringContaining('(63016)') }],
    [
      'a code nobody knows',
      twilioRefusal(400, 29999, TO),
      { kind: 'permanent', reason: 'Twilio refused the message (29999)' },
    ],
    [
      'a body that is no JSON',
      { status: 400, body: `<p>${TO}` },
      { kind: 'permanent', reason: 'Twilio refused the message (400)' },
    ],
    [
      'a blocked account',
      { status: 403, body: {} },
      { kind: 'permanent', reason: 'Twilio refused the credentials (403)' },
    ],
    [
      'too many requests',
      REFUSALS.tooMany,
      { kind: 'passing', reason: 'Twilio asks to slow down (20429)', retryAfterSeconds: 7 },
    ],
    ['too many without a hint', { status: 429, body: '' }, { kind: 'passing', retryAfterSeconds: undefined }],
    ['a full queue', twilioRefusal(400, 21611, 'no'), { kind: 'passing' }],
    ['a day that is used up', twilioRefusal(429, 63038, 'no'), { kind: 'permanent' }],
    ['503', REFUSALS.unavailable, { kind: 'passing', reason: 'Twilio has a disturbance (503)' }],
    ['500', { status: 500, body: '' }, { kind: 'passing' }],
    ['504', { status: 504, body: '' }, { kind: 'unclear' }],
    ['a redirect', { status: 302, body: '', headers: { Location: 'http://127.0.0.1:1/' } }, { kind: 'permanent' }],
    ['a success without a sid', { status: 200, body: '<p>Welcome to this hotel' }, { kind: 'unclear' }],
    ['half a reply', 'half', { kind: 'unclear' }],
  ];

  it.each(refusals)('%s is told apart, and asked once', async (_name, answer, expected) => {
    stage.server.answer(answer);
    expect(await failure()).toMatchObject(expected);
    expect(stage.server.requests).toHaveLength(1);
  });

  it('says how long to wait when Retry-After is a date', async () => {
    const date = new Date(Date.now() + 60_000).toUTCString();
    stage.server.answer({ status: 503, body: '', headers: { 'Retry-After': date } });
    const { retryAfterSeconds } = await failure();
    expect(retryAfterSeconds).toBeGreaterThan(50);
    expect(retryAfterSeconds).toBeLessThanOrEqual(60);
  });

  it('of the credentials is permanent and tells nothing of them', async () => {
    const wrong = connect({ authToken: 'hunter2hunter2' });
    const error = await failure(otp('SMS'), createTwilioSmsChannel(wrong, { from: FROM }));
    expect(error).toMatchObject({ kind: 'permanent', reason: 'Twilio refused the credentials (20003)' });
  });

  it.each([
    ['SMS', () => stage.sms, { kind: 'speech', sentences: ['x'] }],
    ['WHATSAPP', () => createTwilioWhatsAppChannel(stage.twilio, { from: FROM }), { kind: 'speech', sentences: ['x'] }],
    [
      'VOICE',
      () => createTwilioVoiceChannel(stage.twilio, { from: FROM, language: 'en-US' }),
      { kind: 'text', text: 'x' },
    ],
  ] as const)('%s takes its own content only', async (_name, channel, content) => {
    expect(await failure({ id: 'msg_04', to: TO, content }, channel())).toMatchObject({ kind: 'permanent' });
    expect(stage.server.requests).toEqual([]);
  });
});
