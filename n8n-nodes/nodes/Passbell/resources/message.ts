import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { InvalidInput } from '../../shared/failure';
import { isoTime, type Operation, text } from '../../shared/operation';
import { optionsField, showFor, simplifyField, waitOption } from '../../shared/properties';
import { channelOf } from '../../shared/send-reply';

const get = showFor('message', 'getStatus');

export const messageProperties: INodeProperties[] = [
  {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: { resource: ['message'] } },
    options: [
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
    displayName: 'Message ID',
    name: 'messageId',
    type: 'string',
    required: true,
    default: '',
    placeholder: '={{ $json.messageId }}',
    description: 'Message ID returned by Send OTP or Send Notification',
    displayOptions: get,
  },
  simplifyField(get),
  optionsField(get, [waitOption]),
];

function simplifyStatus(reply: IDataObject): IDataObject {
  const { messageId, state, to, authType, template, charge, currency, createdTime, finishedTime, deliveredTime } =
    reply.data as IDataObject;
  const times = {
    createdAt: isoTime(createdTime),
    finishedAt: isoTime(finishedTime),
    deliveredAt: isoTime(deliveredTime),
  };
  return { messageId, state, to, channel: channelOf(authType), template, charge, currency, ...times };
}

export const messageOperations: Record<string, Operation> = {
  getStatus: {
    needsKey: false,
    request(context, itemIndex) {
      const id = String(text(context, 'messageId', itemIndex)).trim();
      if (id === '') throw new InvalidInput('Message ID is empty');
      const expects = { 'data.messageId': 'string', 'data.state': 'string' } as const;
      return { method: 'GET', path: `/messages/${encodeURIComponent(id)}`, body: {}, expects };
    },
    simplify: simplifyStatus,
  },
};
