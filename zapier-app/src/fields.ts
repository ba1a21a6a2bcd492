/** Input fields that several actions share. */
import { defineInputField } from 'zapier-platform-core';

export const to = defineInputField({
  key: 'to',
  label: 'To',
  type: 'string',
  required: true,
  placeholder: '+14155550123',
  helpText: 'One phone number with its country code, or one email address.',
});

/** Each recipient gets a separate message. */
export const recipients = defineInputField({
  ...to,
  helpText:
    'One or more phone numbers with their country code, or email addresses, separated by commas. Each recipient gets a separate message.',
});

/** Not named `authWay`, because Zapier treats keys with `auth` as secrets. */
export const channel = defineInputField({
  key: 'channel',
  label: 'Channel',
  type: 'string',
  required: false,
  choices: [
    { value: 'SMS', label: 'SMS', sample: 'SMS' },
    { value: 'WHATSAPP', label: 'WhatsApp', sample: 'WHATSAPP' },
    { value: 'VOICE', label: 'Voice Call', sample: 'VOICE' },
    { value: 'EMAIL', label: 'Email', sample: 'EMAIL' },
  ],
  helpText:
    "If empty, email addresses get an email, and the application's channels are tried in order for phone numbers.",
});

export const ENGLISH = { value: 'en', label: 'English', sample: 'en' };

export const languageChoices = [
  { value: 'ar', label: 'Arabic', sample: 'ar' },
  { value: 'nl', label: 'Dutch', sample: 'nl' },
  ENGLISH,
  { value: 'fr', label: 'French', sample: 'fr' },
  { value: 'de', label: 'German', sample: 'de' },
  { value: 'it', label: 'Italian', sample: 'it' },
  { value: 'pl', label: 'Polish', sample: 'pl' },
  { value: 'pt', label: 'Portuguese (Brazil)', sample: 'pt' },
  { value: 'es', label: 'Spanish', sample: 'es' },
];

const AUTOMATIC = { value: 'auto', label: 'Automatic (Country of the Phone Number)', sample: 'auto' };

export const language = defineInputField({
  key: 'language',
  label: 'Language',
  type: 'string',
  required: false,
  choices: [AUTOMATIC, ...languageChoices],
  helpText: "Language of the message. If empty, the application's language is used.",
});

export const sendAt = defineInputField({
  key: 'sendAt',
  label: 'Send At',
  type: 'datetime',
  required: false,
  helpText:
    'When to send the message, at most 30 days from now. If empty, it is sent at once. The quiet hours of the application postpone it.',
});

export const attachmentUrl = defineInputField({
  key: 'attachmentUrl',
  label: 'Attachment URL',
  type: 'string',
  required: false,
  helpText:
    'Link to a PDF of at most 5 MB. Emails contain it as an attachment. On WhatsApp, it is a document if the provider has a template for it. Other messages contain the link.',
});

/** Not named `token`, because Zapier treats keys with `token` as secrets. */
export const session = defineInputField({
  key: 'session',
  label: 'Session Token',
  type: 'string',
  required: true,
  helpText: 'Map Session Token from the Verify OTP step.',
});

/** Not sent. It is part of the Idempotency-Key. */
export const reference = defineInputField({
  key: 'reference',
  label: 'Reference',
  type: 'string',
  required: false,
  helpText:
    'Prevents duplicates: map the ID of the record that triggered the Zap. The same message with the same Reference is sent only once in 24 hours, even if you replay the run. Without a Reference, the same message to the same recipient is sent only once in 20 hours.',
});

type Inputs = Readonly<Record<string, unknown>>;

/** Parameter names of the contract for fields with a different key. */
const CONTRACT_NAMES: Readonly<Record<string, string>> = { channel: 'authWay', session: 'token' };

/** The non-empty inputs with these keys, renamed to the contract's parameters. */
export function pickInputs(inputs: Inputs, keys: readonly string[]): Record<string, unknown> {
  const entries = keys.map((key) => [CONTRACT_NAMES[key] ?? key, inputs[key]] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined && value !== null && value !== ''));
}
