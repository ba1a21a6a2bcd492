/** Input fields that several actions have. */
import { defineInputField } from 'zapier-platform-core';

export const to = defineInputField({
  key: 'to',
  label: 'To',
  type: 'string',
  required: true,
  placeholder: '+14155550123',
  helpText: 'One phone number with its country code, or one e-mail address.',
});

/** Zapier takes a key with `auth` in it for a secret of its own. */
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

/** Zapier takes a key with `token` in it for a secret of its own. */
export const session = defineInputField({
  key: 'session',
  label: 'Session Token',
  type: 'string',
  required: true,
  helpText: 'The session that a verified code has started: map Session Token of the step that verified it.',
});

/** Not sent: it goes into the Idempotency-Key. */
export const reference = defineInputField({
  key: 'reference',
  label: 'Reference',
  type: 'string',
  required: false,
  helpText:
    'Tells this message from another one with the same content: map the ID of what started the Zap. A message with the same content and reference is sent once in 24 hours, so a replay reaches nobody twice.',
});

type Inputs = Readonly<Record<string, unknown>>;

/** What the contract calls a field that has another key. */
const CONTRACT_NAMES: Readonly<Record<string, string>> = { channel: 'authWay', session: 'token' };

/** The inputs of these keys that hold something, as the contract names them: an empty field is one that was left out. */
export function given(inputs: Inputs, keys: readonly string[]): Record<string, unknown> {
  const entries = keys.map((key) => [CONTRACT_NAMES[key] ?? key, inputs[key]] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined && value !== null && value !== ''));
}
