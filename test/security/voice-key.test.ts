/** A call reads the code aloud only after a key press, so voicemail never records it. */
import { freshPhone, startService, type Body, type TestService } from '../support/service.js';
import { CALLBACK_BASE, sendTwilioRequest, type CallbackOptions } from '../support/twilio-callback.js';
import { startTwilioServer, type TwilioServer } from '../support/twilio-server.js';

const CODE = '739154';
let twilio: TwilioServer;
let passbell: TestService;

async function start(settings: Record<string, string> = {}): Promise<void> {
  twilio = await startTwilioServer();
  passbell = await startService({
    TWILIO_API_URL: twilio.url,
    TWILIO_ACCOUNT_SID: twilio.accountSid,
    TWILIO_AUTH_TOKEN: twilio.authToken,
    BASE_URL: CALLBACK_BASE,
    TWILIO_VOICE_FROM: '+14155550100',
    ...settings,
  });
}
afterEach(async () => {
  await passbell.stop();
  await twilio.close();
});

/** Returns the TwiML of the first call. */
async function callScript(): Promise<string> {
  return (await twilio.waitForRequest(1)).form.Twiml!;
}

async function callWithCode(): Promise<string> {
  const body: Body = await passbell.post('/auth/sendotp', { to: freshPhone(), authWay: 'VOICE', otp: CODE });
  expect(body).toMatchObject({ success: true });
  return callScript();
}

const spokenTexts = (twiml: string): string[] =>
  [...twiml.matchAll(/<Say [^>]*>([^<]*)<\/Say>/g)].map(([, text]) => text!);
const introduction = 'Hello. Your Test Shop code is:';
const wholeMessage = [introduction, ...CODE, introduction, ...CODE];

/** Returns the path from which Twilio requests the rest of the call script. */
const continuation = (twiml: string): string => /action="([^"]*)"/.exec(twiml)![1]!.slice(CALLBACK_BASE.length);
const pressKey = (path: string, options: Partial<CallbackOptions> = {}) =>
  sendTwilioRequest(passbell, path, { CallSid: 'CA1', Digits: '5' }, { authToken: twilio.authToken, ...options });

it('asks for a key press twice, and reads the code twice after a key press', async () => {
  await start();
  const twiml = await callWithCode();
  const prompt = 'Hello. Test Shop has a code for you. To hear it, press any key.';
  expect(spokenTexts(twiml)).toEqual([prompt, prompt]);
  expect(twiml).toMatch(/<Response><Gather [^>]*numDigits="1" finishOnKey=""[^>]*>.*<\/Gather><\/Response>$/);
  const reply = await pressKey(continuation(twiml));
  expect(reply.status).toBe(200);
  expect(reply.headers.get('content-type')).toMatch(/^text\/xml/);
  expect(reply.headers.get('cache-control')).toBe('no-store');
  expect(spokenTexts(await reply.text())).toEqual(wholeMessage);
});

it('returns the rest of the call script to Twilio only', async () => {
  await start();
  const path = continuation(await callWithCode());
  const [id] = /[0-9a-f]{32}/.exec(path)!;
  const anotherMessage = path.replace(id, '0'.repeat(32));
  for (const [called, options] of [
    [path, { signature: undefined }],
    [path, { authToken: 'another token' }],
    [path.slice(0, -1), { url: `${CALLBACK_BASE}${path}` }],
    [anotherMessage, { url: `${CALLBACK_BASE}${path}` }],
    [`/callbacks/twilio/${id}/speech`, { url: `${CALLBACK_BASE}${path}` }],
  ] as const) {
    const reply = await pressKey(called, options);
    expect([reply.status, await reply.text()]).toEqual([403, '']);
  }
  expect(passbell.logged.join('')).not.toContain(path.split('content=')[1]);
});

it('continues the call after a restart', async () => {
  await start();
  const path = continuation(await callWithCode());
  passbell = await passbell.restart();
  expect(spokenTexts(await (await pressKey(path)).text())).toEqual(wholeMessage);
});

it("asks for a key press before an application's custom text, in the language of that text", async () => {
  await start();
  const application = (await passbell.core.applications.service.find(passbell.keys.appKey))!;
  const key = { template: 'otp', channel: 'VOICE', language: 'de' } as const;
  const { OPERATOR } = await import('../../backend/src/modules/access/actor.js');
  await passbell.core.templates.service.save(OPERATOR, application, {
    ...key,
    subject: null,
    text: 'Ihr Code: {{ code }}',
  });
  passbell.clock.advance(60_000);
  await passbell.post('/auth/sendotp', { to: freshPhone(), authWay: 'VOICE', otp: CODE, language: 'de' });
  const twiml = await callScript();
  expect(spokenTexts(twiml)[0]).toBe(
    'Guten Tag. Test Shop hat einen Code für Sie. Drücken Sie eine beliebige Taste, um ihn zu hören.',
  );
  expect(twiml).not.toContain(CODE);
});

it.each([
  ['Twilio cannot reach the service', { BASE_URL: 'http://localhost:3000' }],
  ['VOICE_KEY_PRESS is off', { VOICE_KEY_PRESS: 'off' }],
])('reads the code immediately when %s', async (_case, settings) => {
  await start(settings);
  expect(spokenTexts(await callWithCode())).toEqual(wholeMessage);
});

it('reads a notification immediately, because it contains no code', async () => {
  await start();
  const variables = { orderId: 'A-1' };
  await passbell.post('/notifications/order', {
    to: freshPhone(),
    authWay: 'VOICE',
    templateType: 'order_shipped',
    variables,
  });
  const twiml = await callScript();
  expect(twiml).not.toContain('<Gather');
  expect(spokenTexts(twiml)[0]).toBe('This is a message from Test Shop.');
});
