import { required, secret, server } from '../../provider-field.js';
import type { GatewayPreset } from '../preset.js';

export const TEXTBEE: GatewayPreset = {
  name: 'textbee',
  title: 'textbee (Android)',
  description:
    'Sends SMS through your own Android phone, for small volumes. You need the textbee app on the phone. After you add the provider, add its address for delivery reports as a webhook for sent, delivered and failed messages.',
  documentation: 'https://textbee.dev/docs',
  checked: '2026-12-01',
  fields: [
    server('server', 'Server', 'Change it if you host the server yourself.', 'https://api.textbee.dev/api/v1'),
    required('deviceId', 'Device ID'),
    secret('apiKey', 'API key'),
  ],
  reportsHelp:
    'In textbee, open Webhooks, add this address, and select MESSAGE_SENT, MESSAGE_DELIVERED and MESSAGE_FAILED.',
  repliesHelp: 'In textbee, open Webhooks, add this address, and select MESSAGE_RECEIVED.',
  definition: {
    url: '{{ server }}/gateway/devices/{{ deviceId }}/send-sms',
    authentication: { type: 'header', name: 'x-api-key', value: '{{ apiKey }}' },
    body: { recipients: ['{{ to }}'], message: '{{ text }}' },
    // If its queue is switched off, the server returns Firebase's reply.
    success: 'status 200-299 and /"success(?:Count)?":\\s*(?:true|[1-9])/',
    id: 'data.smsBatchId',
    errors: [
      'account: error ~ /Device does not exist/ => the device does not exist in textbee, or is not enabled',
      'unknown: error ~ /Failed to/ => textbee could not confirm that the phone received the message',
    ],
    check: { url: '{{ server }}/gateway/stats', success: 'status 200' },
    inbound: { from: ['sender'], text: 'message' },
    reports: {
      id: 'smsBatchId',
      state: 'webhookEvent',
      states: { sent: ['MESSAGE_SENT'], delivered: ['MESSAGE_DELIVERED'], undelivered: ['MESSAGE_FAILED'] },
    },
  },
};
