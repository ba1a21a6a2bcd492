import { required, secret, server } from '../../provider-field.js';
import type { GatewayPreset } from '../preset.js';

const TO = { to: '{{ to }}', messageId: '{{ messageId }}' };
const UNDELIVERED = ['UNDELIVERABLE', 'EXPIRED', 'REJECTED'];
const WEBHOOKS = { delivery: { url: '{{ callbackUrl }}' } };
const MESSAGE = { sender: '{{ from }}', destinations: [TO], content: { text: '{{ text }}' }, webhooks: WEBHOOKS };

export const INFOBIP: GatewayPreset = {
  name: 'infobip',
  title: 'Infobip',
  description: 'A Croatian provider for nearly all countries. You need the base URL and an API key of your account.',
  documentation: 'https://www.infobip.com/docs/api/channels/sms',
  checked: '2026-11-22',
  fields: [
    server(
      'baseUrl',
      'Base URL',
      'Copy it from the home page of the Infobip portal. It looks like https://xxxxx.api.infobip.com.',
    ),
    secret('apiKey', 'API key'),
    required('from', 'Sender'),
  ],
  repliesHelp:
    'In Infobip, open your number, and forward its messages over HTTP to this address, in the format MO_JSON_2.',
  definition: {
    url: '{{ baseUrl }}/sms/3/messages',
    authentication: { type: 'header', name: 'Authorization', value: 'App {{ apiKey }}' },
    number: 'digits',
    body: { messages: [MESSAGE] },
    success: 'status 200 and messages[0].status.groupName = PENDING, ACCEPTED, DELIVERED',
    id: 'messages[0].messageId',
    errorCode: 'errorCode',
    errors: [
      'account: messages[0].status.name = REJECTED_NOT_ENOUGH_CREDITS => the Infobip account has no credit left',
      'route: messages[0].status.groupName = REJECTED, UNDELIVERABLE, EXPIRED => Infobip rejected the message',
    ],
    inbound: { list: 'results', from: ['from'], text: 'text' },
    reports: {
      list: 'results',
      messageId: 'messageId',
      id: 'messageId',
      state: 'status.groupName',
      states: { sent: ['PENDING', 'ACCEPTED'], delivered: ['DELIVERED'], undelivered: UNDELIVERED },
    },
    check: { url: '{{ baseUrl }}/sms/3/logs?messageId=credentials-check', success: 'status 200' },
    lookUp: {
      url: '{{ baseUrl }}/sms/3/logs?messageId={{ messageId }}',
      found: 'results[0].messageId exists',
      id: 'results[0].messageId',
    },
  },
};
