/** Input fields that several actions share. */
import { defineInputField } from 'zapier-platform-core';
import { CHOICES, FIELDS, OPERATIONS } from './generated/connectors.js';

/** The choices of a field that all hosts have. */
export const choicesOf = (list: Readonly<Record<string, string>>) =>
  Object.entries(list).map(([value, label]) => ({ value, label, sample: value }));

/** The texts of a field that all hosts have. */
export const textsOf = (name: keyof typeof FIELDS) => {
  const { label, help, sample } = FIELDS[name] as { label: string; help: string; sample?: string };
  return { label, helpText: help, ...(sample !== undefined && { placeholder: sample }) };
};

/** The label and the description of an operation that all hosts have. */
export const displayOf = (name: keyof typeof OPERATIONS) => {
  const { label, help } = OPERATIONS[name];
  return { label, description: help };
};

export const to = defineInputField({ key: 'to', ...textsOf('to'), type: 'string', required: true });

export const recipients = defineInputField({ ...to, ...textsOf('recipients') });

/** Not named `authWay`, because Zapier treats keys with `auth` as secrets. */
export const channel = defineInputField({
  key: 'channel',
  ...textsOf('channel'),
  type: 'string',
  required: false,
  choices: choicesOf(CHOICES.channels),
});

export const ENGLISH = { value: 'en', label: 'English', sample: 'en' };

export const languageChoices = choicesOf(CHOICES.languages);

const AUTOMATIC = { value: 'auto', label: 'Automatic (Country of the Phone Number)', sample: 'auto' };

export const language = defineInputField({
  key: 'language',
  ...textsOf('language'),
  type: 'string',
  required: false,
  choices: [AUTOMATIC, ...languageChoices],
});

export const sendAt = defineInputField({
  key: 'sendAt',
  ...textsOf('sendAt'),
  type: 'datetime',
  required: false,
});

export const attachmentUrl = defineInputField({
  key: 'attachmentUrl',
  ...textsOf('attachmentUrl'),
  type: 'string',
  required: false,
});

/** Not named `token`, because Zapier treats keys with `token` as secrets. */
export const session = defineInputField({
  key: 'session',
  ...textsOf('session'),
  type: 'string',
  required: true,
});

/** Part of the Idempotency-Key, and stored with the message unless it is too long, see {@link storedReference}. */
export const reference = defineInputField({
  key: 'reference',
  label: FIELDS.reference.label,
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
