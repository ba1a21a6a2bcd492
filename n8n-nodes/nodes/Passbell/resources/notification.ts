import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { InvalidInput } from '../../shared/failure';
import { FIELDS } from '../../shared/generated/connectors';
import { compact, type Operation, readRecipients, text, zonedTime } from '../../shared/operation';
import {
  channelField,
  idempotencyOption,
  languageOption,
  optionsField,
  referenceOption,
  sendAtOption,
  showFor,
  simplifyField,
  textsOf,
  toField,
  waitOption,
} from '../../shared/properties';
import { SENT, simplifyNotification } from '../../shared/send-reply';
import { type Kind, neededFields, neededNames, optionalFields, templateOptions, textNotices } from './template-fields';

const OPERATION_OF: Record<Kind, string> = { order: 'sendOrder', invoice: 'sendInvoice' };
const both = showFor('notification', Object.values(OPERATION_OF));

const templateField = (kind: Kind, preset: string): INodeProperties => ({
  displayName: FIELDS.templateType.label,
  name: 'templateType',
  type: 'options',
  options: templateOptions(kind),
  default: preset,
  description: 'Message to send. If you set this with an expression, pass the variables as JSON.',
  displayOptions: showFor('notification', OPERATION_OF[kind]),
});

const attachmentOption: INodeProperties = {
  ...textsOf('attachmentUrl'),
  name: 'attachmentUrl',
  type: 'string',
  default: '',
};

export const notificationProperties: INodeProperties[] = [
  {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: { resource: ['notification'] } },
    options: [
      {
        name: 'Send Invoice Notification',
        value: 'sendInvoice',
        action: 'Send an invoice notification',
        description: 'Send a message about an invoice from a template',
      },
      {
        name: 'Send Order Notification',
        value: 'sendOrder',
        action: 'Send an order notification',
        description: 'Use a template to send a message about an order, a payment or a refund',
      },
    ],
    default: 'sendOrder',
  },
  {
    ...toField(both),
    description: `${FIELDS.recipients.help} The output has an item for each recipient.`,
  },
  channelField(both),
  templateField('order', 'order_shipped'),
  ...textNotices('order', OPERATION_OF.order),
  templateField('invoice', 'invoice_generated'),
  ...textNotices('invoice', OPERATION_OF.invoice),
  {
    displayName: 'Variables',
    name: 'variablesFrom',
    type: 'options',
    noDataExpression: true,
    options: [
      { name: 'Using Fields Below', value: 'fields' },
      { name: 'Using JSON', value: 'json' },
    ],
    default: 'fields',
    description: 'How to provide the template variables',
    displayOptions: both,
  },
  ...neededFields('order', OPERATION_OF.order),
  ...neededFields('invoice', OPERATION_OF.invoice),
  optionalFields('order', OPERATION_OF.order),
  optionalFields('invoice', OPERATION_OF.invoice),
  {
    displayName: 'Variables as JSON',
    name: 'variablesJson',
    type: 'json',
    default: '{}',
    placeholder: '{ "orderId": "A-1001", "trackingNo": "1Z999AA10123456784" }',
    description: "Object with the template's variables by name, such as orderId or invoiceNumber",
    displayOptions: showFor('notification', Object.values(OPERATION_OF), { variablesFrom: ['json'] }),
  },
  simplifyField(both),
  optionsField(both, [attachmentOption, idempotencyOption, languageOption, waitOption, referenceOption, sendAtOption]),
];

function fromJson(value: unknown): IDataObject {
  let parsed = value;
  try {
    if (typeof value === 'string') parsed = JSON.parse(value || '{}');
  } catch {
    parsed = undefined;
  }
  if (parsed === null || typeof parsed !== 'object' || Array.isArray(parsed))
    throw new InvalidInput('Variables as JSON must be an object such as { "orderId": "A-1001" }');
  return compact(parsed as IDataObject);
}

function variables(context: IExecuteFunctions, itemIndex: number, kind: Kind, templateType: string): IDataObject {
  if (context.getNodeParameter('variablesFrom', itemIndex, 'fields') === 'json')
    return fromJson(context.getNodeParameter('variablesJson', itemIndex, '{}'));
  const needed = neededNames(kind, templateType).map((name) => [name, context.getNodeParameter(name, itemIndex, '')]);
  const more = context.getNodeParameter('moreVariables', itemIndex, {}) as IDataObject;
  return compact({ ...more, ...Object.fromEntries(needed) });
}

const sendOperation = (kind: Kind): Operation => ({
  needsKey: true,
  recipients: readRecipients,
  request(context, itemIndex, to) {
    const { language, sendAt, attachmentUrl, reference } = context.getNodeParameter('options', itemIndex, {});
    const channel = text(context, 'channel', itemIndex);
    const authWay = channel === 'auto' ? '' : channel;
    const templateType = text(context, 'templateType', itemIndex);
    const time = zonedTime(sendAt, context.getTimezone());
    const message = compact({ to, authWay, templateType, language, attachmentUrl, reference, sendAt: time });
    const body = { ...message, variables: variables(context, itemIndex, kind, templateType) };
    return { method: 'POST', path: `/notifications/${kind}`, body, expects: SENT };
  },
  simplify: simplifyNotification,
});

export const notificationOperations: Record<string, Operation> = {
  [OPERATION_OF.order]: sendOperation('order'),
  [OPERATION_OF.invoice]: sendOperation('invoice'),
};
