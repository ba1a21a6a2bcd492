/** Input fields that several actions share. */
import { defineInputField } from 'zapier-platform-core';
import { CHOICES, FIELDS } from './generated/connectors.js';

/** The choices of a field that all hosts have. */
export const choicesOf = (list: Readonly<Record<string, string>>) =>
  Object.entries(list).map(([value, label]) => ({ value, label, sample: value }));

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
  choices: choicesOf(CHOICES.channels),
  helpText:
    "If empty, email addresses get an email, and the application's channels are tried in order for phone numbers.",
});

export const ENGLISH = { value: 'en', label: 'English', sample: 'en' };

export const languageChoices = choicesOf(CHOICES.languages);

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
  label: FIELDS.sendAt.label,
  type: 'datetime',
  required: false,
  helpText: FIELDS.sendAt.help,
});

export const attachmentUrl = defineInputField({
  key: 'attachmentUrl',
  label: FIELDS.attachmentUrl.label,
  type: 'string',
  required: false,
  helpText: FIELDS.attachmentUrl.help,
});

/** Not named `token`, because Zapier treats keys with `token` as secrets. */
export const session = defineInputField({
  key: 'session',
  label: 'Session Token',
  type: 'string',
  required: true,
  helpText: 'Map Session Token from the Verify OTP step.',
});

/** Part of the Idempotency-Key, and stored with the message unless it is too long, see {@link storedReference}. */
export const reference = defineInputField({
  key: 'reference',
  label: 'Reference',
  type: 'string',
  required: false,
  helpText:
    'Prevents duplicates: map the ID of the record that triggered the Zap. The same message with the same Reference is sent only once in 24 hours, even if you replay the run. Without a Reference, the same message to the same recipient is sent only once in 20 hours.',
});

type Inputs = Readonly<Record<string, unknown>>;

/** The Reference as a parameter, unless Passbell would reject it. IDs of other apps can be longer than 64 characters. */
export function storedReference({ reference: input }: Inputs): { readonly reference?: string } {
  const text = String(input ?? '').trim();
  return /^[ -~]{1,64}$/.test(text) ? { reference: text } : {};
}

/** Parameter names of the contract for fields with a different key. */
const CONTRACT_NAMES: Readonly<Record<string, string>> = { channel: 'authWay', session: 'token' };

/** The non-empty inputs with these keys, renamed to the contract's parameters. */
export function pickInputs(inputs: Inputs, keys: readonly string[]): Record<string, unknown> {
  const entries = keys.map((key) => [CONTRACT_NAMES[key] ?? key, inputs[key]] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined && value !== null && value !== ''));
}
