/** Filters, output fields and sample of the message events. */
import { defineInputFields, type OutputFields } from 'zapier-platform-core';
import { channel } from './fields.js';
import { FIELDS } from './generated/connectors.js';
import { allTemplateChoices } from './templates.js';

export const channelFilter = {
  ...channel,
  helpText: 'Triggers only for this channel. If empty, triggers for all channels.',
} as const;

export const messageFilters = defineInputFields([
  channelFilter,
  {
    key: 'template',
    label: FIELDS.templateType.label,
    type: 'string',
    required: false,
    choices: allTemplateChoices,
    helpText: 'Triggers only for messages from this template. If empty, triggers for all messages.',
  },
]);

export const messageFields: OutputFields = [
  { key: 'messageId', label: 'Message ID', type: 'string' },
  { key: 'maskId', label: 'Verification ID', type: 'string' },
  { key: 'authType', label: 'Channel', type: 'string' },
  { key: 'to', label: 'Masked Recipient', type: 'string' },
  { key: 'state', label: 'State', type: 'string' },
  { key: 'template', label: 'Template', type: 'string' },
  { key: 'reference', label: 'Reference', type: 'string' },
  { key: 'message', label: 'Message', type: 'string' },
  { key: 'charge', label: 'Charge', type: 'number' },
  { key: 'currency', label: 'Currency', type: 'string' },
];

export const messageSample = {
  messageId: '7c9e6679742540deb1b4c7f1f8a6b2d3',
  maskId: '0f8fad5bd9cb469fa16570867728950e',
  authType: 'Sms',
  to: '+1*******123',
  template: 'order_shipped',
  reference: 'A-1001',
  charge: '0.0000',
  currency: 'usd',
};
