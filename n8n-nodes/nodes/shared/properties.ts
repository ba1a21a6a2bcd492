import type { IDisplayOptions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

type Show = NonNullable<IDisplayOptions['show']>;

export const showFor = (resource: string, operation: string | string[], more: Show = {}): IDisplayOptions => ({
  show: { resource: [resource], operation: [operation].flat(), ...more },
});

export const toField = (displayOptions: IDisplayOptions): INodeProperties => ({
  displayName: 'To',
  name: 'to',
  type: 'string',
  required: true,
  default: '',
  placeholder: '+14155550123',
  description: 'Who gets the message: one phone number with country code, or one e-mail address',
  displayOptions,
});

export const CHANNELS: INodePropertyOptions[] = [
  {
    name: 'Automatic',
    value: 'auto',
    description:
      'E-mail for an e-mail address; for a phone number the channels of your application, one after the other',
  },
  { name: 'Email', value: 'EMAIL' },
  { name: 'SMS', value: 'SMS' },
  { name: 'Voice Call', value: 'VOICE' },
  { name: 'WhatsApp', value: 'WHATSAPP' },
];

export const channelField = (displayOptions: IDisplayOptions): INodeProperties => ({
  displayName: 'Channel',
  name: 'channel',
  type: 'options',
  options: CHANNELS,
  default: 'auto',
  description: 'How the message is sent. A channel chosen here is never replaced by another; Automatic is.',
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
  displayName: 'Idempotency Key',
  name: 'idempotencyKey',
  type: 'string',
  default: '',
  placeholder: 'order-A-1001-shipped',
  description:
    'Your own name for this message: for 24 hours the same name with the same fields sends nothing again, also from other executions. Without it, retries of one execution send nothing again.',
};

export const languageOption: INodeProperties = {
  displayName: 'Language',
  name: 'language',
  type: 'string',
  default: '',
  placeholder: 'en',
  description: 'Language of the message as a tag such as en, de or pt-BR. Empty for the language of the application.',
};

export const waitOption: INodeProperties = {
  displayName: 'Longest Wait When Throttled',
  name: 'longestWait',
  type: 'number',
  typeOptions: { minValue: 0, maxValue: 600 },
  default: 30,
  description:
    'Seconds that this node may wait for an item when the server says that it is too early. Without this option it does not wait, and the item fails with the time to wait.',
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
