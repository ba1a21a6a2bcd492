import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { type Operation, queryString } from '../../shared/operation';
import { FIELDS } from '../../shared/generated/connectors';
import { optionsField, showFor, simplifyField, textsOf, waitOption } from '../../shared/properties';
import { channelOf } from '../../shared/send-reply';

const get = showFor('usage', 'getUsage');

export const usageProperties: INodeProperties[] = [
  {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: { resource: ['usage'] } },
    options: [
      {
        name: 'Get',
        value: 'getUsage',
        action: 'Get usage',
        description: 'Get the number of messages and codes, and their cost, by day and channel',
      },
    ],
    default: 'getUsage',
  },
  {
    ...textsOf('from'),
    name: 'from',
    type: 'dateTime',
    default: '',
    displayOptions: get,
  },
  {
    ...textsOf('until'),
    name: 'until',
    type: 'dateTime',
    default: '',
    displayOptions: get,
  },
  simplifyField(get),
  optionsField(get, [waitOption]),
];

/** Ignores a time after the day: `2026-01-31T10:00:00` → `2026-01-31`. */
const dayOf = (value: unknown): string => String(value ?? '').slice(0, 10);

export const usageOperations: Record<string, Operation> = {
  getUsage: {
    needsKey: false,
    request(context, itemIndex) {
      const [from, to] = ['from', 'until'].map((name) => dayOf(context.getNodeParameter(name, itemIndex, '')));
      return {
        method: 'GET',
        path: `/usage${queryString({ from, to })}`,
        labels: { from: FIELDS.from.label, to: FIELDS.until.label },
        body: {},
        expects: { 'data.usage': 'array' },
      };
    },
    simplify: (reply) =>
      (reply.data as { usage: IDataObject[] }).usage.map(({ authType, ...counts }) => ({
        channel: channelOf(authType),
        ...counts,
      })),
  },
};
