/** SMS, WhatsApp and voice calls through Twilio: requests, and the classification of errors. */
import type { ProviderError } from '../../backend/src/providers/provider.js';
import { createTwilioSmsProvider } from '../../backend/src/providers/twilio-sms.js';
import { createTwilioVoiceProvider } from '../../backend/src/providers/twilio-voice.js';
import { createTwilioWhatsAppProvider } from '../../backend/src/providers/twilio-whatsapp.js';
import { CODE, FROM, otp, setUpTwilio, TO } from '../support/twilio-channels.js';
import { TWILIO_ERRORS, twilioError, type TwilioServer } from '../support/twilio-server.js';

const fixture = setUpTwilio();
const { connect, failure } = fixture;

const spokenTexts = (twiml: string) =>
  [...twiml.matchAll(/<Say language="([^"]*)">([^<]*)<\/Say>/g)].map(([, , text]) => text);

describe('SMS', () => {
  it('is sent as one POST request with sender, recipient and text, and returns the sid', async () => {
    const { providerId } = await fixture.sms.send(otp('SMS'));
    expect(providerId).toMatch(/^SM[0-9a-f]{32}$/);
    const { method, path, headers, form } = await fixture.server.waitForRequest(1);
    expect(fixture.server.requests).toHaveLength(1);
    expect([method, path]).toEqual(['POST', `/2010-04-01/Accounts/${fixture.server.accountSid}/Messages.json`]);
    expect(headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(headers['user-agent']).toMatch(/^twilio-node\//);
    expect(form).toEqual({
      From: FROM,
      To: TO,
      Body: '093518 is your Harbor Books code. It is valid for 5 minutes. Never share it, not even with us.',
    });
  });

  it('uses the messaging service if it is configured', async () => {
    const messagingServiceSid = `MG${'0'.repeat(32)}`;
    await createTwilioSmsProvider(fixture.twilio, { messagingServiceSid }).send(otp('SMS'));
    const { form } = await fixture.server.waitForRequest(1);
    expect(form).toEqual({ MessagingServiceSid: messagingServiceSid, To: TO, Body: expect.any(String) });
  });

  it('preserves all characters of the text, and prevents the text from adding form fields', async () => {
    const text = 'a&To=%2B1900&Body=x +% é 北京 🔔\n"';
    await fixture.sms.send({ ...otp('SMS'), content: { kind: 'text', text } });
    const { form } = await fixture.server.waitForRequest(1);
    expect(form).toEqual({ From: FROM, To: TO, Body: text });
  });
});

describe('WhatsApp', () => {
  it('is sent as plain text between two WhatsApp numbers if no template is configured', async () => {
    await createTwilioWhatsAppProvider(fixture.twilio, FROM).send(otp('WHATSAPP'));
    const { form } = await fixture.server.waitForRequest(1);
    expect(form).toEqual({ From: `whatsapp:${FROM}`, To: `whatsapp:${TO}`, Body: expect.stringContaining(CODE) });
  });

  const contentSid = `HX${'0'.repeat(32)}`;

  it('fills the template with the numbered variables', async () => {
    const channel = createTwilioWhatsAppProvider(fixture.twilio, FROM, contentSid);
    await channel.send({ ...otp('WHATSAPP'), content: { kind: 'text', text: 'x', variables: [CODE, 'a "b" é'] } });
    const { form } = await fixture.server.waitForRequest(1);
    expect(form).toEqual({
      From: `whatsapp:${FROM}`,
      To: `whatsapp:${TO}`,
      ContentSid: contentSid,
      ContentVariables: JSON.stringify({ 1: CODE, 2: 'a "b" é' }),
    });
  });

  it('sends content without variables as plain text', async () => {
    const channel = createTwilioWhatsAppProvider(fixture.twilio, FROM, contentSid);
    await channel.send({ ...otp('WHATSAPP'), content: { kind: 'text', text: 'Your order is on its way' } });
    const { form } = await fixture.server.waitForRequest(1);
    expect(form).toMatchObject({ Body: 'Your order is on its way' });
    expect(form).not.toHaveProperty('ContentSid');
  });
});

describe('Voice', () => {
  const voice = (language = 'en-GB') => createTwilioVoiceProvider(fixture.twilio, FROM, language);

  it('reads the whole message twice, and the code one character at a time', async () => {
    const { providerId } = await voice().send(otp('VOICE'));
    expect(providerId).toMatch(/^CA[0-9a-f]{32}$/);
    const { path, form } = await fixture.server.waitForRequest(1);
    expect(path).toBe(`/2010-04-01/Accounts/${fixture.server.accountSid}/Calls.json`);
    expect(form).toEqual({ From: FROM, To: TO, Twiml: expect.any(String) });
    const once = ['Hello. Your Harbor Books code is:', ...CODE];
    expect(spokenTexts(form['Twiml']!)).toEqual([...once, ...once]);
  });

  it('pauses after every character, and speaks the configured language', async () => {
    await voice('de-DE').send(otp('VOICE'));
    const { form } = await fixture.server.waitForRequest(1);
    const twiml = form['Twiml']!;
    expect(twiml).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?><Response>.*<\/Response>$/);
    for (const digit of CODE) expect(twiml).toContain(`<Say language="de-DE">${digit}</Say><Pause length="1"/>`);
    expect(twiml).not.toContain('en-');
  });

  it('escapes TwiML in the application name', async () => {
    await voice().send(otp('VOICE', '</Say><Dial>+19005550100</Dial>\u0007\ud800 & "Sons"'));
    const { form } = await fixture.server.waitForRequest(1);
    const twiml = form['Twiml']!;
    expect(twiml).not.toContain('<Dial>');
    expect(twiml).toContain('&lt;/Say&gt;&lt;Dial&gt;');
    expect(twiml).toContain('&amp; "Sons"');
    expect(twiml).not.toMatch(/[\u0000-\u0008\ud800-\udfff]/);
  });
});

describe('an error from Twilio', () => {
  const refusals: [string, Parameters<TwilioServer['respondWith']>[0], Partial<ProviderError>][] = [
    [
      'a wrong number',
      TWILIO_ERRORS.invalidNumber,
      { kind: 'permanent', reason: 'this is not a valid phone number (21211)' },
    ],
    [
      'a recipient who opted out',
      TWILIO_ERRORS.optedOut,
      { kind: 'permanent', reason: 'the recipient has opted out of messages from this sender (21610)' },
    ],
    [
      'a land line',
      twilioError(400, 21614, 'no'),
      { kind: 'permanent', reason: 'this number cannot receive SMS (21614)' },
    ],
    ['a template', twilioError(400, 63016, 'no'), { kind: 'permanent', reason: expect.stringContaining('(63016)') }],
    [
      'an unknown code',
      twilioError(400, 29999, TO),
      { kind: 'permanent', reason: 'Twilio rejected the message (29999)' },
    ],
    [
      'a body that is not JSON',
      { status: 400, body: `<p>${TO}` },
      { kind: 'permanent', reason: 'Twilio rejected the message (400)' },
    ],
    [
      'a blocked account',
      { status: 403, body: {} },
      { kind: 'permanent', reason: 'Twilio rejected the credentials (403)' },
    ],
    [
      'too many requests',
      TWILIO_ERRORS.tooMany,
      { kind: 'transient', reason: 'the Twilio account has reached its rate limit (20429)', retryAfterSeconds: 7 },
    ],
    ['too many without a hint', { status: 429, body: '' }, { kind: 'transient', retryAfterSeconds: undefined }],
    ['a full queue', twilioError(400, 21611, 'no'), { kind: 'transient' }],
    ['a day that is used up', twilioError(429, 63038, 'no'), { kind: 'permanent' }],
    ['503', TWILIO_ERRORS.unavailable, { kind: 'transient', reason: 'Twilio is having problems (503)' }],
    ['500', { status: 500, body: '' }, { kind: 'unknown', reason: 'Twilio is having problems (500)' }],
    ['502', { status: 502, body: '' }, { kind: 'unknown' }],
    ['504', { status: 504, body: '' }, { kind: 'unknown' }],
    ['a redirect', { status: 302, body: '', headers: { Location: 'http://127.0.0.1:1/' } }, { kind: 'permanent' }],
    ['a success without a sid', { status: 200, body: '<p>Welcome to this hotel' }, { kind: 'unknown' }],
    ['half a reply', 'half', { kind: 'unknown' }],
  ];

  it.each(refusals)('is classified and not retried: %s', async (_name, answer, expected) => {
    fixture.server.respondWith(answer);
    expect(await failure()).toMatchObject(expected);
    expect(fixture.server.requests).toHaveLength(1);
  });

  it('contains the delay in seconds if Retry-After is a date', async () => {
    const date = new Date(Date.now() + 60_000).toUTCString();
    fixture.server.respondWith({ status: 503, body: '', headers: { 'Retry-After': date } });
    const { retryAfterSeconds } = await failure();
    expect(retryAfterSeconds).toBeGreaterThan(50);
    expect(retryAfterSeconds).toBeLessThanOrEqual(60);
  });

  it('is permanent if the credentials are wrong, and does not reveal them', async () => {
    const wrong = connect({ authToken: 'hunter2hunter2' });
    const error = await failure(otp('SMS'), createTwilioSmsProvider(wrong, { from: FROM }));
    expect(error).toMatchObject({ kind: 'permanent', reason: 'Twilio rejected the credentials (20003)' });
  });

  it.each([
    ['SMS', () => fixture.sms, { kind: 'speech', sentences: ['x'] }],
    ['WHATSAPP', () => createTwilioWhatsAppProvider(fixture.twilio, FROM), { kind: 'speech', sentences: ['x'] }],
    ['VOICE', () => createTwilioVoiceProvider(fixture.twilio, FROM, 'en-US'), { kind: 'text', text: 'x' }],
  ] as const)(
    'is permanent if the %s provider receives content for another channel',
    async (_name, channel, content) => {
      expect(await failure({ ...otp('SMS'), content }, channel())).toMatchObject({ kind: 'permanent' });
      expect(fixture.server.requests).toEqual([]);
    },
  );
});
