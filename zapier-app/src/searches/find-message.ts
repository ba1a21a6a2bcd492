import {
  defineInputFields,
  defineSearch,
  type Bundle,
  type InferInputData,
  type OutputFields,
  type SearchPerform,
  type ZObject,
} from 'zapier-platform-core';
import { channel, choicesOf, pickInputs } from '../fields.js';
import { CHOICES, FIELDS } from '../generated/connectors.js';
import { isoTime, withTypes } from '../send-result.js';
import { call } from '../service.js';

export interface Message {
  readonly messageId: string;
  readonly maskId: string;
  readonly state: string;
  readonly authType: string;
  readonly to: string;
  readonly template: string;
  readonly reference?: string;
  readonly charge: string;
  readonly currency: string;
  readonly createdTime: number;
  readonly sendTime?: number;
  readonly finishedTime?: number;
  readonly deliveredTime?: number;
}

const inputFields = defineInputFields([
  {
    key: 'messageId',
    label: FIELDS.messageId.label,
    type: 'string',
    required: false,
    helpText: 'Map Message ID from a step that sends a message, or from a Passbell trigger.',
  },
  {
    key: 'to',
    label: FIELDS.recipient.label,
    type: 'string',
    required: false,
    placeholder: '+14155550123',
    helpText: 'If Message ID is empty, finds the newest message to this phone number or email address.',
  },
  { ...channel, helpText: 'If Message ID is empty, finds the newest message on this channel.' },
  {
    key: 'state',
    label: 'State',
    type: 'string',
    required: false,
    choices: choicesOf(CHOICES.states),
    helpText: 'If Message ID is empty, finds the newest message in this state.',
  },
]);

const timeOf = (seconds: number | undefined): string | null => (seconds === undefined ? null : isoTime(seconds));

/** Zapier identifies results by `id`. */
export const messageOutput = ({ createdTime, sendTime, finishedTime, deliveredTime, ...message }: Message) => ({
  id: message.messageId,
  ...withTypes(Object.fromEntries(Object.entries(message).filter(([, value]) => typeof value === 'string'))),
  createdAt: isoTime(createdTime),
  sendAt: timeOf(sendTime),
  finishedAt: timeOf(finishedTime),
  deliveredAt: timeOf(deliveredTime),
});

export const messageFields = [
  { key: 'id', label: 'ID', type: 'string', primary: true },
  { key: 'messageId', label: 'Message ID', type: 'string' },
  { key: 'maskId', label: 'Verification ID', type: 'string' },
  { key: 'state', label: 'State', type: 'string' },
  { key: 'authType', label: 'Channel', type: 'string' },
  { key: 'to', label: 'Masked Recipient', type: 'string' },
  { key: 'template', label: 'Template', type: 'string' },
  { key: 'reference', label: 'Reference', type: 'string' },
  { key: 'charge', label: 'Charge', type: 'number' },
  { key: 'currency', label: 'Currency', type: 'string' },
  { key: 'createdAt', label: 'Created At', type: 'datetime' },
  { key: 'sendAt', label: 'Scheduled For', type: 'datetime' },
  { key: 'finishedAt', label: 'Finished At', type: 'datetime' },
  { key: 'deliveredAt', label: 'Delivered At', type: 'datetime' },
] satisfies OutputFields;

export const messageSample: Message = {
  messageId: '7c9e6679742540deb1b4c7f1f8a6b2d3',
  maskId: '0f8fad5bd9cb469fa16570867728950e',
  state: 'delivered',
  authType: 'Sms',
  to: '+1*******123',
  template: 'order_shipped',
  reference: 'A-1001',
  charge: '0.0000',
  currency: 'usd',
  createdTime: 1772704800,
  sendTime: 1772704800,
  finishedTime: 1772704801,
  deliveredTime: 1772704830,
};

/** The newest messages that match, for people who do not know the ID. */
async function newest(z: ZObject, bundle: Bundle): Promise<object[]> {
  const params = pickInputs(bundle.inputData, ['to', 'channel', 'state']) as Record<string, string>;
  const expects = { 'data.messages': 'array' } as const;
  const { data } = await call<{ messages: Message[] }>(z, bundle, {
    method: 'GET',
    path: '/messages',
    params,
    expects,
  });
  return data.messages.map(messageOutput);
}

const perform = (async (z, bundle) => {
  if (!String(bundle.inputData.messageId ?? '').trim()) return newest(z, bundle);
  const { success, data } = await call<Message>(z, bundle, {
    method: 'GET',
    path: `/messages/${encodeURIComponent(String(bundle.inputData.messageId).trim())}`,
    accept: ['MESSAGE_NOT_FOUND'],
    expects: { 'data.messageId': 'string', 'data.state': 'string' },
  });
  return success ? [messageOutput(data)] : [];
}) satisfies SearchPerform<InferInputData<typeof inputFields>>;

export default defineSearch({
  key: 'find_message',
  noun: 'Message',
  display: {
    label: 'Find Message',
    description: 'Finds a code or a notification, and shows whether it was delivered.',
  },
  operation: {
    perform,
    inputFields,
    outputFields: messageFields,
    sample: messageOutput(messageSample),
  },
});
