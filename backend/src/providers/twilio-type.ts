import { contentSids } from '../platform/config/config.js';
import { ProviderError } from './provider.js';
import { problemOf, type ProviderContext, type ProviderSettings, type ProviderType } from './provider-type.js';
import { createTwilio } from './twilio.js';
import { receiveFromTwilio } from './twilio-callbacks.js';
import { ERROR_PAGES } from './twilio-errors.js';
import { createTwilioSmsProvider } from './twilio-sms.js';
import { createTwilioVoiceProvider } from './twilio-voice.js';
import { createTwilioWhatsAppProvider } from './twilio-whatsapp.js';

const matches = (pattern: RegExp, expected: string) => (value: string) =>
  pattern.test(value) ? undefined : `must be ${expected}`;
const phoneProblem = matches(/^\+[1-9]\d{6,14}$/, 'a phone number such as +14155550100');

function clientOf({ accountSid = '', authToken = '', apiUrl }: ProviderSettings, context: ProviderContext) {
  const { timeoutMs, clock, keyring, callbackUrl: urlFor, onReply } = context;
  const callbacks = urlFor && { urlFor, keyring };
  return createTwilio({ accountSid, authToken, apiUrl, timeoutMs, clock, callbacks, onReply });
}

export const TWILIO: ProviderType = {
  name: 'twilio',
  title: 'Twilio',
  description: 'Sends SMS, WhatsApp messages and voice calls to nearly all countries. You need a Twilio account.',
  helpUrl: ERROR_PAGES,
  channels: ['SMS', 'WHATSAPP', 'VOICE'],
  capabilities: { deliveryReports: true, inbound: true, lookUp: true },
  fields: [
    {
      name: 'accountSid',
      label: 'Account SID',
      kind: 'text',
      required: true,
      problem: matches(/^AC[0-9a-fA-F]{32}$/, 'AC and 32 hex digits'),
      help: 'On the first page of the Twilio Console.',
    },
    { name: 'authToken', label: 'Auth token', kind: 'text', required: true, secret: true },
    { name: 'smsFrom', label: 'SMS sender', kind: 'text', help: 'Number or sender name. Turns SMS on.' },
    {
      name: 'messagingServiceSid',
      label: 'Messaging service',
      kind: 'text',
      problem: matches(/^MG[0-9a-fA-F]{32}$/, 'MG and 32 hex digits'),
      help: 'Chooses the SMS sender for each message. Replaces the fixed sender.',
    },
    { name: 'whatsappFrom', label: 'WhatsApp number', kind: 'text', problem: phoneProblem },
    {
      name: 'whatsappContentSid',
      label: 'WhatsApp template for codes',
      kind: 'text',
      problem: matches(/^HX[0-9a-fA-F]{32}$/, 'HX and 32 hex digits'),
      help: 'Its variable 1 is the code.',
    },
    {
      name: 'whatsappTemplates',
      label: 'WhatsApp templates for notifications',
      kind: 'text',
      problem: (value) => problemOf(() => contentSids(value)),
      help: 'Names with SIDs, such as order_shipped=HX…,order_shipped.de=HX….',
    },
    { name: 'voiceFrom', label: 'Number to call from', kind: 'text', problem: phoneProblem },
    {
      name: 'apiUrl',
      label: 'Address of the API',
      kind: 'url',
      operatorOnly: true,
      help: 'Change it only to use a proxy or a test server.',
    },
  ],

  problem: ({ smsFrom, messagingServiceSid, whatsappFrom, voiceFrom }) =>
    smsFrom || messagingServiceSid || whatsappFrom || voiceFrom ? undefined : 'Enter at least one sender.',

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
