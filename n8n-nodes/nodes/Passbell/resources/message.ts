import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { InvalidInput } from '../../shared/failure';
import { isoTime, type Operation, queryString, text } from '../../shared/operation';
import { CHOICES, FIELDS } from '../../shared/generated/connectors';
import {
  CHANNELS,
  optionsField,
  optionsOf,
  showFor,
  simplifyField,
  textsOf,
  waitOption,
} from '../../shared/properties';
import { channelOf } from '../../shared/send-reply';

const getAll = showFor('message', 'getAll');
const one = showFor('message', ['cancel', 'getStatus']);
const all = showFor('message', ['cancel', 'getStatus', 'getAll']);

export const messageProperties: INodeProperties[] = [
  {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: { resource: ['message'] } },
    options: [
      {
        name: 'Cancel',
        value: 'cancel',
        action: 'Cancel a scheduled message',
        description: 'Cancel a notification that is still scheduled',
      },
      {
        name: 'Get Many',
        value: 'getAll',
        action: 'Get many messages',
        description: 'List the newest messages, and show whether they were delivered',
      },
      {
        name: 'Get Status',
        value: 'getStatus',
        action: 'Get the status of a message',
        description: 'Check whether a message was sent, delivered or failed',
      },
    ],
    default: 'getStatus',
  },
  {
    ...textsOf('messageId'),
    name: 'messageId',
    type: 'string',
    required: true,
    default: '',
    placeholder: '={{ $json.messageId }}',
    displayOptions: one,
  },
  {
    displayName: 'Limit',
    name: 'limit',
    type: 'number',
    typeOptions: { minValue: 1, maxValue: 100 },
    default: 50,
    description: 'Max number of results to return',
    displayOptions: getAll,
  },
  {
    displayName: 'Filters',
    name: 'filters',
    type: 'collection',
    placeholder: 'Add filter',
    default: {},
    displayOptions: getAll,
    options: [
      {
        displayName: FIELDS.channel.label,
        name: 'authWay',
        type: 'options',
        options: CHANNELS.filter(({ value }) => value !== 'auto'),
        default: 'SMS',
        description: 'Only messages on this channel',
      },
      {
        displayName: 'Older Than',
        name: 'after',
        type: 'string',
        default: '',
        placeholder: '={{ $json.messageId }}',
        description:
          'Only messages that are older than the one with this Message ID. Use this filter to get the next page.',
      },
      {
        displayName: FIELDS.recipient.label,
        name: 'to',
        type: 'string',
        default: '',
        placeholder: '+14155550123',
        description: 'Only messages to this phone number or email address',
      },
      {
        displayName: 'State',
        name: 'state',
        type: 'options',
        options: optionsOf(CHOICES.states),
        default: 'failed',
        description: 'Only messages in this state',
      },
    ],
  },
  simplifyField(all),
  optionsField(all, [waitOption]),
];

function simplifyMessage(message: IDataObject): IDataObject {
  const { messageId, state, to, authType, template, reference, charge, currency } = message;
  const { createdTime, sendTime, finishedTime, deliveredTime } = message;
  const times = {
    createdAt: isoTime(createdTime),
    sendAt: isoTime(sendTime),
    finishedAt: isoTime(finishedTime),
    deliveredAt: isoTime(deliveredTime),
  };
  const own = reference === undefined ? {} : { reference };
  return { messageId, state, to, channel: channelOf(authType), template, ...own, charge, currency, ...times };
}

/** Looks up or cancels a message. Both can be repeated, so they need no Idempotency-Key. */
const oneMessage = (method: 'GET' | 'DELETE'): Operation => ({
  needsKey: false,
  request(context, itemIndex) {
    const id = String(text(context, 'messageId', itemIndex)).trim();
    if (id === '') throw new InvalidInput(`${FIELDS.messageId.label} is empty`);
    const expects = { 'data.messageId': 'string', 'data.state': 'string' } as const;
    return { method, path: `/messages/${encodeURIComponent(id)}`, body: {}, expects };
  },
  simplify: (reply) => simplifyMessage(reply.data as IDataObject),
});

export const messageOperations: Record<string, Operation> = {
  cancel: oneMessage('DELETE'),
  getStatus: oneMessage('GET'),
  getAll: {
    needsKey: false,
    request(context, itemIndex) {
      const filters = context.getNodeParameter('filters', itemIndex, {}) as IDataObject;
      const path = `/messages${queryString({ ...filters, limit: context.getNodeParameter('limit', itemIndex, 50) })}`;
      return { method: 'GET', path, body: {}, expects: { 'data.messages': 'array' } };
    },
    simplify: (reply) => (reply.data as { messages: IDataObject[] }).messages.map(simplifyMessage),
  },
};
