import { contentSids } from '../platform/config/config.js';
import { ProviderError } from './provider.js';
import { apiUrl, grouped, matching, optional, required, secret } from './provider-field.js';
import type { ProviderContext, ProviderField, ProviderSettings, ProviderType } from './provider-type.js';
import { problemOf } from './provider-type.js';
import { createTwilio } from './twilio.js';
import { receiveFromTwilio } from './twilio-callbacks.js';
import { createTwilioSmsProvider } from './twilio-sms.js';
import { createTwilioVoiceProvider } from './twilio-voice.js';
import { createTwilioWhatsAppProvider } from './twilio-whatsapp.js';

const phoneNumber = (field: ProviderField): ProviderField =>
  matching(field, /^\+[1-9]\d{6,14}$/, 'must be a phone number such as +14155550100');

function clientOf({ accountSid = '', authToken = '', apiUrl }: ProviderSettings, context: ProviderContext) {
  const { timeoutMs, clock, keyring, callbackUrl: urlFor, onReply } = context;
  const callbacks = urlFor && { urlFor, keyring };
  return createTwilio({ accountSid, authToken, apiUrl, timeoutMs, clock, callbacks, onReply });
}

export const TWILIO: ProviderType = {
  name: 'twilio',
  title: 'Twilio',
  description:
    'A US provider with SMS, WhatsApp and voice calls for nearly all countries. You need a Twilio account with at least one sender.',
  helpUrl: 'https://www.twilio.com/docs/messaging',
  channels: ['SMS', 'WHATSAPP', 'VOICE'],
  capabilities: { deliveryReports: true, automaticReports: true, inbound: true, lookUp: true },
  repliesHelp:
    "In the Twilio Console, open your number, and enter this address under “A message comes in”. The field of a WhatsApp sender is “Webhook URL for incoming messages”. If you use a messaging service, its setting for incoming messages must be “Defer to sender's webhook”, the default.",
  fields: [
    ...grouped('Account', [
      matching(
        required('accountSid', 'Account SID', 'In the Twilio Console, under Account Info. It starts with AC.'),
        /^AC[0-9a-fA-F]{32}$/,
        'must start with AC, followed by 32 characters (0–9, a–f). Copy it from the Twilio Console',
      ),
      secret('authToken', 'Auth token', 'In the Twilio Console, under Account Info, below the Account SID.'),
    ]),
    ...grouped('Senders', [
      {
        ...optional(
          'smsFrom',
          'SMS sender',
          'One of your Twilio numbers, such as +14155550100, or a sender name. Leave it empty if you enter a messaging service, or send no SMS.',
        ),
        isAlternative: true,
      },
      {
        ...matching(
          optional(
            'messagingServiceSid',
            'Messaging service',
            'The SID of a messaging service, instead of an SMS sender. In the Twilio Console, under Messaging → Services. It starts with MG.',
          ),
          /^MG[0-9a-fA-F]{32}$/,
          'must start with MG, followed by 32 characters (0–9, a–f). Copy it from the Twilio Console',
        ),
        isAlternative: true,
      },
      phoneNumber(
        optional(
          'whatsappFrom',
          'WhatsApp number',
          'A number that you registered as a WhatsApp sender. This turns WhatsApp on.',
        ),
      ),
      phoneNumber(
        optional(
          'voiceFrom',
          'Number to call from',
          'One of your voice-capable Twilio numbers. This turns voice calls on.',
        ),
      ),
    ]),
    {
      ...matching(
        optional(
          'whatsappContentSid',
          'WhatsApp template for codes',
          'The SID of the template, which starts with HX. Variable 1 of the template is the code.',
        ),
        /^HX[0-9a-fA-F]{32}$/,
        'must start with HX, followed by 32 characters (0–9, a–f). Copy it from the Twilio Console',
      ),
      advanced: true,
    },
    {
      ...optional('whatsappTemplates', 'WhatsApp templates for notifications'),
      help: 'Template names with their SIDs, separated by commas, such as order_shipped=HX…,order_shipped.de=HX….',
      problem: (value) => problemOf(() => contentSids(value)),
      advanced: true,
    },
    { ...apiUrl(), advanced: true },
  ],
  oneOf: ['smsFrom', 'messagingServiceSid', 'whatsappFrom', 'voiceFrom'],

  create(settings, context) {
    const { smsFrom, messagingServiceSid, whatsappFrom, whatsappContentSid, voiceFrom } = settings;
    const twilio = clientOf(settings, context);
    const sender = messagingServiceSid ? { messagingServiceSid } : smsFrom ? { from: smsFrom } : undefined;
    const templates = settings.whatsappTemplates ? contentSids(settings.whatsappTemplates) : {};
    const { voiceLanguage, voiceKeyPress } = context;
    return [
      ...(sender ? [createTwilioSmsProvider(twilio, sender)] : []),
      ...(whatsappFrom ? [createTwilioWhatsAppProvider(twilio, whatsappFrom, whatsappContentSid, templates)] : []),
      ...(voiceFrom ? [createTwilioVoiceProvider(twilio, voiceFrom, voiceLanguage, voiceKeyPress)] : []),
    ];
  },

  async check(settings, context) {
    const twilio = clientOf(settings, context);
    try {
      await twilio.checkCredentials();
      return { ok: true };
    } catch (error) {
      return { ok: false, reason: error instanceof ProviderError ? error.reason : 'Twilio cannot be reached' };
    } finally {
      twilio.close();
    }
  },

  receive: receiveFromTwilio,
};
