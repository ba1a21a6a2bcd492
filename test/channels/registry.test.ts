import type { ChannelName } from '../../backend/src/platform/contract/channels.js';
import { createProviders } from '../../backend/src/providers/registry.js';
import { systemClock } from '../../backend/src/platform/clock.js';
import { readConfig } from '../../backend/src/platform/config/config.js';
import { createDevInbox } from '../../backend/src/modules/dev-inbox/dev-inbox.js';
import { createKeyring } from '../../backend/src/platform/crypto.js';
import { createLog } from '../../backend/src/platform/log.js';
import { renderOtp } from '../../backend/src/modules/templates/rendering/otp.js';
import { startSmtpServer } from '../support/smtp-server.js';
import { startTwilioServer } from '../support/twilio-server.js';

const log = createLog('silent');
const keyring = createKeyring(['a key of this test']);
const TWILIO = { TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`, TWILIO_AUTH_TOKEN: 'token' };
const providerNames = (env: NodeJS.ProcessEnv) => [...createProviders(readConfig(env), log, keyring).keys()].sort();
const message = (channel: ChannelName, to: string) => ({
  id: `msg_${channel}`,
  applicationId: 1,
  to,
  content: renderOtp(channel, { code: '421906', minutes: 5, application: 'Shop' }),
});

describe('the provider registry', () => {
  it.each([
    [{}, []],
    [{ SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'a@shop.example' }, ['EMAIL']],
    [{ ...TWILIO, TWILIO_SMS_FROM: 'Shop' }, ['SMS']],
    [{ ...TWILIO, TWILIO_MESSAGING_SERVICE_SID: `MG${'0'.repeat(32)}` }, ['SMS']],
    [{ ...TWILIO, TWILIO_WHATSAPP_FROM: '+14155550100' }, ['WHATSAPP']],
    [{ ...TWILIO, TWILIO_VOICE_FROM: '+14155550100' }, ['VOICE']],
    [TWILIO, []],
  ])('with the settings %j, and without an inbox, provides the channels %j', (env, expected) => {
    expect(providerNames(env)).toEqual(expected);
  });

  it('uses the inbox for channels without a provider', async () => {
    const [mailServer, twilioServer] = [await startSmtpServer(), await startTwilioServer()];
    const devInbox = createDevInbox(systemClock);
    const config = readConfig({
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
    const channels = createProviders(config, log, keyring, devInbox);

    expect([...channels].every(([name, channel]) => channel.channel === name)).toBe(true);
    await channels.get('EMAIL')!.send(message('EMAIL', 'ana@example.com'));
    for (const name of ['WHATSAPP', 'VOICE', 'SMS'] as const)
      await channels.get(name)!.send(message(name, '+14155550123'));

    expect(mailServer.received).toHaveLength(1);
    expect(twilioServer.requests.map(({ form }) => form['From'])).toEqual(['whatsapp:+14155550100', '+14155550101']);
    expect(twilioServer.requests[0]!.form['ContentVariables']).toBe('{"1":"421906"}');
    expect(twilioServer.requests[1]!.form['Twiml']).toContain('pt-BR');
    expect(devInbox.list().map(({ channel }) => channel)).toEqual(['SMS']);

    for (const channel of channels.values()) channel.close?.();
    await Promise.all([mailServer.close(), twilioServer.close()]);
  });

  it('prefers a messaging service to a sender number', async () => {
    const server = await startTwilioServer();
    const config = readConfig({
      TWILIO_ACCOUNT_SID: server.accountSid,
      TWILIO_AUTH_TOKEN: server.authToken,
      TWILIO_API_URL: server.url,
      TWILIO_SMS_FROM: '+14155550100',
      TWILIO_MESSAGING_SERVICE_SID: `MG${'0'.repeat(32)}`,
    });
    const sms = createProviders(config, log, keyring).get('SMS')!;
    await sms.send(message('SMS', '+14155550123'));
    expect(server.requests[0]!.form).toMatchObject({ MessagingServiceSid: `MG${'0'.repeat(32)}` });
    expect(server.requests[0]!.form).not.toHaveProperty('From');
    sms.close?.();
    await server.close();
  });
});
