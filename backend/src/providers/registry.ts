/** Which provider carries which channel. */
import { callbackBaseUrl, type Config } from '../platform/config/config.js';
import type { DevInbox } from '../modules/dev-inbox/dev-inbox.js';
import type { Log } from '../platform/log.js';
import { CHANNELS, type Channel, type ChannelName } from './provider.js';
import { createSmtpChannel } from './smtp.js';
import { createTwilio, type Twilio } from './twilio.js';
import { createTwilioSmsChannel } from './twilio-sms.js';
import { createTwilioVoiceChannel } from './twilio-voice.js';
import { createTwilioWhatsAppChannel } from './twilio-whatsapp.js';

/** One line a provider: its channel, or `undefined` while its settings are not there. */
function providers(config: Config, twilio: Twilio, log: Log): (Channel | undefined)[] {
  const timeoutMs = config.PROVIDER_TIMEOUT_MS;
  const { SMTP_URL: url, MAIL_FROM: mailFrom, TWILIO_MESSAGING_SERVICE_SID: messagingServiceSid } = config;
  const { TWILIO_SMS_FROM: smsFrom, TWILIO_WHATSAPP_FROM: whatsAppFrom, TWILIO_VOICE_FROM: voiceFrom } = config;
  const { TWILIO_WHATSAPP_CONTENT_SID: contentSid, TWILIO_WHATSAPP_TEMPLATES: templateSids } = config;
  const sender = messagingServiceSid ? { messagingServiceSid } : smsFrom ? { from: smsFrom } : undefined;
  return [
    url && mailFrom ? createSmtpChannel({ url, from: mailFrom, timeoutMs, log }) : undefined,
    sender && createTwilioSmsChannel(twilio, sender),
    whatsAppFrom ? createTwilioWhatsAppChannel(twilio, { from: whatsAppFrom, contentSid, templateSids }) : undefined,
    voiceFrom ? createTwilioVoiceChannel(twilio, { from: voiceFrom, language: config.VOICE_LANGUAGE }) : undefined,
  ];
}

/** The channels that this process can send on. The dev inbox, when given, stands in for each without a provider. */
export function createChannels(
  config: Config,
  { devInbox, log }: { readonly devInbox?: DevInbox; readonly log: Log },
): Map<ChannelName, Channel> {
  const twilio = createTwilio({
    accountSid: config.TWILIO_ACCOUNT_SID ?? '',
    authToken: config.TWILIO_AUTH_TOKEN ?? '',
    apiUrl: config.TWILIO_API_URL,
    timeoutMs: config.PROVIDER_TIMEOUT_MS,
    callbackBaseUrl: callbackBaseUrl(config),
  });
  const channels = new Map<ChannelName, Channel>();
  if (devInbox) for (const name of CHANNELS) channels.set(name, devInbox.channel(name));
  for (const channel of providers(config, twilio, log)) if (channel) channels.set(channel.name, channel);
  return channels;
}
