import type { ChannelName } from '../../backend/src/platform/contract/channels.js';
import { environmentProviders } from '../../backend/src/providers/environment.js';
import { systemClock } from '../../backend/src/platform/clock.js';
import { readConfig } from '../../backend/src/platform/config/config.js';
import type { Provider } from '../../backend/src/providers/provider.js';
import { createKeyring } from '../../backend/src/platform/crypto.js';
import { createLog } from '../../backend/src/platform/log.js';
import { renderOtp } from '../../backend/src/modules/templates/rendering/otp.js';
import { startSmtpServer } from '../support/smtp-server.js';
import { startTwilioServer } from '../support/twilio-server.js';

const log = createLog('silent');
const keyring = createKeyring(['a key of this test']);
const TWILIO = { TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`, TWILIO_AUTH_TOKEN: 'token' };
/** Returns the providers that the environment settings configure, by channel. */
function providersOf(env: NodeJS.ProcessEnv): Map<ChannelName, Provider> {
  const config = readConfig(env);
  const { VOICE_LANGUAGE: voiceLanguage, VOICE_KEY_PRESS: voiceKeyPress, PROVIDER_TIMEOUT_MS: timeoutMs } = config;
  const parts = { log, clock: systemClock, keyring, timeoutMs, voiceLanguage, voiceKeyPress };
  const providers = environmentProviders(config, parts).flatMap((account) => account.providers);
  return new Map(providers.map((provider) => [provider.channel, provider]));
}
const providerNames = (env: NodeJS.ProcessEnv) => [...providersOf(env).keys()].sort();
const message = (channel: ChannelName, to: string) => ({
  id: `msg_${channel}`,
  applicationId: 1,
  to,
  content: renderOtp(channel, { code: '421906', minutes: 5, application: 'Shop' }),
});

describe('providers from environment settings', () => {
  it.each([
    [{}, []],
    [{ SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'a@shop.example' }, ['EMAIL']],
    [{ ...TWILIO, TWILIO_SMS_FROM: 'Shop' }, ['SMS']],
    [{ ...TWILIO, TWILIO_MESSAGING_SERVICE_SID: `MG${'0'.repeat(32)}` }, ['SMS']],
    [{ ...TWILIO, TWILIO_WHATSAPP_FROM: '+14155550100' }, ['WHATSAPP']],
    [{ ...TWILIO, TWILIO_VOICE_FROM: '+14155550100' }, ['VOICE']],
    [TWILIO, []],
  ])('for the settings %j support the channels %j', (env, expected) => {
    expect(providerNames(env)).toEqual(expected);
  });

  it('send with the configured accounts, senders and language', async () => {
    const mailServer = await startSmtpServer();
    const twilioServer = await startTwilioServer();
    const channels = providersOf({
      SMTP_URL: mailServer.url,
      MAIL_FROM: 'Shop <codes@shop.example>',
      TWILIO_ACCOUNT_SID: twilioServer.accountSid,
      TWILIO_AUTH_TOKEN: twilioServer.authToken,
      TWILIO_API_URL: twilioServer.url,
      TWILIO_WHATSAPP_FROM: '+14155550100',
      TWILIO_WHATSAPP_CONTENT_SID: `HX${'0'.repeat(32)}`,
      TWILIO_VOICE_FROM: '+14155550101',
      VOICE_LANGUAGE: 'pt-BR',
    });
    expect([...channels].every(([name, channel]) => channel.channel === name)).toBe(true);
    await channels.get('EMAIL')!.send(message('EMAIL', 'ana@example.com'));
    for (const name of ['WHATSAPP', 'VOICE'] as const) await channels.get(name)!.send(message(name, '+14155550123'));

    expect(mailServer.received).toHaveLength(1);
    expect(twilioServer.requests.map(({ form }) => form['From'])).toEqual(['whatsapp:+14155550100', '+14155550101']);
    expect(twilioServer.requests[0]!.form['ContentVariables']).toBe('{"1":"421906"}');
    expect(twilioServer.requests[1]!.form['Twiml']).toContain('pt-BR');

    for (const channel of channels.values()) channel.close?.();
    await Promise.all([mailServer.close(), twilioServer.close()]);
  });

  it('use a messaging service instead of a sender number if both are configured', async () => {
    const server = await startTwilioServer();
    const sms = providersOf({
      TWILIO_ACCOUNT_SID: server.accountSid,
      TWILIO_AUTH_TOKEN: server.authToken,
      TWILIO_API_URL: server.url,
      TWILIO_SMS_FROM: '+14155550100',
      TWILIO_MESSAGING_SERVICE_SID: `MG${'0'.repeat(32)}`,
    }).get('SMS')!;
    await sms.send(message('SMS', '+14155550123'));
    expect(server.requests[0]!.form).toMatchObject({ MessagingServiceSid: `MG${'0'.repeat(32)}` });
    expect(server.requests[0]!.form).not.toHaveProperty('From');
    sms.close?.();
    await server.close();
  });
});
