import { callbackBaseUrl, type Config } from '../platform/config/config.js';
import { CHANNELS, type ChannelName } from '../platform/contract/channels.js';
import type { Keyring } from '../platform/crypto.js';
import type { Log } from '../platform/log.js';
import type { Provider } from './provider.js';
import { createSmtpProvider } from './smtp.js';
import { createTwilio, type Twilio } from './twilio.js';
import { createTwilioSmsProvider } from './twilio-sms.js';
import { createTwilioVoiceProvider } from './twilio-voice.js';
import { createTwilioWhatsAppProvider } from './twilio-whatsapp.js';

function configuredProviders(config: Config, twilio: Twilio, log: Log): (Provider | undefined)[] {
  const timeoutMs = config.PROVIDER_TIMEOUT_MS;
  const { SMTP_URL: url, MAIL_FROM: mailFrom, TWILIO_MESSAGING_SERVICE_SID: messagingServiceSid } = config;
  const { TWILIO_SMS_FROM: smsFrom, TWILIO_WHATSAPP_FROM: whatsAppFrom, TWILIO_VOICE_FROM: voiceFrom } = config;
  const { TWILIO_WHATSAPP_CONTENT_SID: contentSid, TWILIO_WHATSAPP_TEMPLATES: templateSids } = config;
  const sender = messagingServiceSid ? { messagingServiceSid } : smsFrom ? { from: smsFrom } : undefined;
  return [
    url && mailFrom ? createSmtpProvider(url, mailFrom, timeoutMs, log) : undefined,
    sender && createTwilioSmsProvider(twilio, sender),
    whatsAppFrom ? createTwilioWhatsAppProvider(twilio, whatsAppFrom, contentSid, templateSids) : undefined,
    voiceFrom ? createTwilioVoiceProvider(twilio, voiceFrom, config.VOICE_LANGUAGE, config.VOICE_KEY_PRESS) : undefined,
  ];
}

export const withoutStandIns = (providers: ReadonlyMap<ChannelName, Provider>): Map<ChannelName, Provider> =>
  new Map([...providers].filter(([, { standIn }]) => !standIn));

/**
 * Returns the provider for each channel. The dev inbox, if present, serves the channels without a configured provider.
 */
export function createProviders(
  config: Config,
  log: Log,
  keyring: Keyring,
  devInbox?: { provider(channel: ChannelName): Provider },
): Map<ChannelName, Provider> {
  const baseUrl = callbackBaseUrl(config);
  const twilio = createTwilio({
    accountSid: config.TWILIO_ACCOUNT_SID ?? '',
    authToken: config.TWILIO_AUTH_TOKEN ?? '',
    apiUrl: config.TWILIO_API_URL,
    timeoutMs: config.PROVIDER_TIMEOUT_MS,
    callbacks: baseUrl === undefined ? undefined : { baseUrl, keyring },
  });
  const providers = new Map<ChannelName, Provider>();
  if (devInbox) for (const channel of CHANNELS) providers.set(channel, devInbox.provider(channel));
  for (const provider of configuredProviders(config, twilio, log))
    if (provider) providers.set(provider.channel, provider);
  return providers;
}
