import type { IDisplayOptions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { CHOICES, FIELDS } from './generated/connectors';

/** The texts of a field that all hosts have. n8n ends a description of one sentence without a period. */
export const textsOf = (name: keyof typeof FIELDS) => {
  const { label, help, sample = '' } = FIELDS[name] as { label: string; help: string; sample?: string };
  return { displayName: label, description: help.replace(/^([^.]*)\.$/, '$1'), placeholder: sample };
};

type Show = NonNullable<IDisplayOptions['show']>;

export const showFor = (resource: string, operation: string | string[], more: Show = {}): IDisplayOptions => ({
  show: { resource: [resource], operation: [operation].flat(), ...more },
});

export const toField = (displayOptions: IDisplayOptions): INodeProperties => ({
  ...textsOf('to'),
  name: 'to',
  type: 'string',
  required: true,
  default: '',
  displayOptions,
});

/** The choices of a field that all hosts have, sorted by name. */
export const optionsOf = (list: Readonly<Record<string, string>>): INodePropertyOptions[] =>
  Object.entries(list)
    .map(([value, name]) => ({ name, value }))
    .sort((a, b) => a.name.localeCompare(b.name));

export const CHANNELS: INodePropertyOptions[] = [
  {
    name: 'Automatic',
    value: 'auto',
    description:
      'Sends an email to an email address. For a phone number, tries the channels of your application in order.',
  },
  ...optionsOf(CHOICES.channels),
];

export const channelField = (displayOptions: IDisplayOptions): INodeProperties => ({
  displayName: FIELDS.channel.label,
  name: 'channel',
  type: 'options',
  options: CHANNELS,
  default: 'auto',
  description: 'Channel of the message. Only Automatic falls back to other channels.',
  displayOptions,
});

export const simplifyField = (displayOptions: IDisplayOptions): INodeProperties => ({
  displayName: 'Simplify',
  name: 'simple',
  type: 'boolean',
  default: true,
  description: 'Whether to return a simplified version of the response instead of the raw data',
  displayOptions,
});

export const idempotencyOption: INodeProperties = {
  ...textsOf('idempotencyKey'),
  name: 'idempotencyKey',
  type: 'string',
  default: '',
  description: `${FIELDS.idempotencyKey.help} If empty, a retry of the same execution does not send the message a second time, but a new execution does.`,
};

export const languageOption: INodeProperties = {
  displayName: FIELDS.language.label,
  name: 'language',
  type: 'options',
  options: optionsOf({ ...CHOICES.languages, auto: 'Automatic (Country of the Phone Number)' }),
  default: 'en',
  description: "Language of the message. Without this option, the application's language is used.",
};

export const referenceOption: INodeProperties = {
  ...textsOf('reference'),
  name: 'reference',
  type: 'string',
  default: '',
};

export const sendAtOption: INodeProperties = {
  displayName: FIELDS.sendAt.label,
  name: 'sendAt',
  type: 'dateTime',
  default: '',
  description:
    "When to send the message, at most 30 days from now. A time without a time zone is in the time zone of the workflow. The application's quiet hours can postpone the message.",
};

export const waitOption: INodeProperties = {
  displayName: 'Max Wait When Rate-Limited (Seconds)',
  name: 'longestWait',
  type: 'number',
  typeOptions: { minValue: 0, maxValue: 600 },
  default: 30,
  description:
    'Maximum number of seconds to wait if Passbell rate-limits an item. Without this option, the node waits only if the limit per second is reached. For other limits, the item fails immediately, and the error contains the time to wait.',
};

export const optionsField = (displayOptions: IDisplayOptions, options: INodeProperties[]): INodeProperties => ({
  displayName: 'Options',
  name: 'options',
  type: 'collection',
  placeholder: 'Add option',
  default: {},
  options,
  displayOptions,
});
