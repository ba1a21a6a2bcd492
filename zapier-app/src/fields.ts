/** Input fields that several actions share. */
import { defineInputField } from 'zapier-platform-core';

export const to = defineInputField({
  key: 'to',
  label: 'To',
  type: 'string',
  required: true,
  placeholder: '+14155550123',
  helpText: 'One phone number with its country code, or one e-mail address.',
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
    "When empty, an e-mail address gets an e-mail and a phone number the application's channels in their order.",
});

export const language = defineInputField({
  key: 'language',
  label: 'Language',
  type: 'string',
  required: false,
  placeholder: 'en',
  helpText: "Language of the message, such as `en`, `de`, `pl` or `ar`. When empty, the application's own.",
});

/** Not named `token`, because Zapier treats keys with `token` as secrets. */
export const session = defineInputField({
  key: 'session',
  label: 'Session Token',
  type: 'string',
  required: true,
  helpText: 'The session that a verified code has started: map Session Token of the step that verified it.',
});

/** Not sent. It is part of the Idempotency-Key. */
export const reference = defineInputField({
  key: 'reference',
  label: 'Reference',
  type: 'string',
  required: false,
  helpText:
    'Tells this message from another one with the same content: map the ID of what started the Zap. A message with the same content and reference is sent once in 24 hours, so a replay reaches nobody twice.',
});

type Inputs = Readonly<Record<string, unknown>>;

/** Parameter names of the contract for fields with a different key. */
const CONTRACT_NAMES: Readonly<Record<string, string>> = { channel: 'authWay', session: 'token' };

/** The non-empty inputs with these keys, renamed to the contract's parameters. */
export function pickInputs(inputs: Inputs, keys: readonly string[]): Record<string, unknown> {
  const entries = keys.map((key) => [CONTRACT_NAMES[key] ?? key, inputs[key]] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined && value !== null && value !== ''));
}
