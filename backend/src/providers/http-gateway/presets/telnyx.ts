import { optional, required, secret } from '../../provider-field.js';
import type { GatewayPreset } from '../preset.js';

export const TELNYX: GatewayPreset = {
  name: 'telnyx',
  title: 'Telnyx',
  description:
    'A US provider for nearly all countries. You need an API key, and either a phone number, or a sender name and a messaging profile.',
  documentation: 'https://developers.telnyx.com/api-reference/messages/send-a-message',
  checked: '2026-11-22',
  fields: [
    secret('apiKey', 'API key'),
    required('from', 'Sender'),
    optional(
      'messagingProfileId',
      'Messaging profile',
      'The ID of the messaging profile. Enter it if the sender is a name.',
    ),
  ],
  repliesHelp: 'In Telnyx, open your messaging profile, and enter this address as its webhook URL.',
  definition: {
    url: 'https://api.telnyx.com/v2/messages',
    authentication: { type: 'bearer', token: '{{ apiKey }}' },
    body: {
      from: '{{ from }}',
      to: '{{ to }}',
      text: '{{ text }}',
      type: 'SMS',
      messaging_profile_id: '{{ messagingProfileId }}',
      webhook_url: '{{ callbackUrl }}',
    },
    success: 'status 200-299 and data.id exists',
    id: 'data.id',
    errorCode: 'errors[0].code',
    errors: ['permanent: errors[0].code = 10002, 10016, 40001, 40310 => Telnyx does not send to this number'],
    inbound: { from: ['data.payload.from.phone_number'], text: 'data.payload.text' },
    reports: {
      id: 'data.payload.id',
      state: 'data.payload.to[0].status',
      states: {
        sent: ['queued', 'sending', 'sent', 'delivery_unconfirmed'],
        delivered: ['delivered'],
        undelivered: ['sending_failed', 'delivery_failed', 'expired'],
      },
    },
    check: { url: 'https://api.telnyx.com/v2/balance', success: 'status 200 and data.balance exists' },
  },
};
