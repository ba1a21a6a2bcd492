/** Look-ups of messages that a crashed process may have sent through Twilio. */
import { systemClock } from '../../backend/src/platform/clock.js';
import type { Provider, Content } from '../../backend/src/providers/provider.js';
import { createTwilio } from '../../backend/src/providers/twilio.js';
import { createTwilioSmsProvider } from '../../backend/src/providers/twilio-sms.js';
import { createTwilioVoiceProvider } from '../../backend/src/providers/twilio-voice.js';
import { createTwilioWhatsAppProvider } from '../../backend/src/providers/twilio-whatsapp.js';
import { startTwilioServer, type TwilioServer } from '../support/twilio-server.js';
import { LIBRARY_TIMEOUT_MS } from '../support/wait.js';

const text = (code: string): Content => ({ kind: 'text', text: `${code} is your code.`, variables: [code] });
const speech: Content = { kind: 'speech', sentences: ['Your code is:', '1, 2'] };
const testStart = Date.now();

let server: TwilioServer;
let channels: Record<'sms' | 'whatsapp' | 'voice', Provider>;

beforeAll(async () => {
  server = await startTwilioServer('/proxy');
  const { accountSid, authToken, url: apiUrl } = server;
  const twilio = createTwilio({ accountSid, authToken, apiUrl, clock: systemClock, timeoutMs: LIBRARY_TIMEOUT_MS });
  channels = {
    sms: createTwilioSmsProvider(twilio, { from: '+14155550100' }),
    whatsapp: createTwilioWhatsAppProvider(twilio, '+14155550100'),
    voice: createTwilioVoiceProvider(twilio, '+14155550100', 'en-US'),
  };
});
afterAll(async () => {
  channels.sms.close?.();
  await server.close();
});

it.each([
  ['sms', text('123456')],
  ['whatsapp', text('123456')],
  ['voice', speech],
] as const)('finds a message sent over %s', async (name, content) => {
  const message = { id: 'm1', applicationId: 1, to: '+14155550123', content };
  expect(await channels[name].find!(message, testStart)).toBeUndefined();
  const { providerId } = await channels[name].send(message);
  expect(await channels[name].find!(message, testStart)).toEqual({ providerId });
});

it('does not match a message with a different recipient or text, or an older message', async () => {
  const message = { id: 'm2', applicationId: 1, to: '+14155550124', content: text('654321') };
  await channels.sms.send(message);
  expect(await channels.sms.find!({ ...message, to: '+14155550125' }, testStart)).toBeUndefined();
  expect(await channels.sms.find!({ ...message, content: text('654322') }, testStart)).toBeUndefined();
  expect(await channels.sms.find!(message, Date.now() + 60_000)).toBeUndefined();
  expect(await channels.whatsapp.find!(message, testStart)).toBeUndefined();
});
