import { matching, required, secret } from '../../provider-field.js';
import type { GatewayPreset } from '../preset.js';

const REGION = /^[a-z]{2}\d+$/;
const MESSAGES = 'https://{{ region }}.platform.bird.com/v1/sms/messages';

export const BIRD: GatewayPreset = {
  name: 'bird',
  title: 'Bird',
  description:
    'A Dutch provider for nearly all countries, formerly MessageBird. You need an API key of a Bird workspace. After you add the provider, its page shows the address for delivery reports. Add this address as a webhook in Bird.',
  documentation: 'https://github.com/messagebird/bird-sdk-typescript',
  checked: '2026-12-01',
  fields: [
    matching(
      required('region', 'Region', 'The part of the API key after bk_, such as eu1.'),
      REGION,
      'must look like eu1',
    ),
    secret('apiKey', 'API key'),
    required('from', 'Sender'),
  ],
  reportsHelp:
    'In Bird, add this address as a webhook, and select the events of sent SMS messages, such as sms.delivered.',
  repliesHelp: 'In Bird, add this address as a webhook, and select the event sms.received.',
  definition: {
    url: MESSAGES,
    authentication: { type: 'bearer', token: '{{ apiKey }}' },
    // For a repeated key, Bird returns its first reply, and does not send a second message.
    headers: { 'Idempotency-Key': '{{ messageId }}' },
    body: {
      to: '{{ to }}',
      from: '{{ from }}',
      text: '{{ text }}',
      metadata: { messageId: '{{ messageId }}' },
      category: '{% if template == "otp" %}authentication{% else %}transactional{% endif %}',
    },
    success: 'status 202 and id exists',
    id: 'id',
    errorCode: 'error.code',
    errors: ['unknown: status 409 => Bird is still processing the first request'],
    inbound: { from: ['data.from'], text: 'data.text' },
    reports: {
      messageId: 'data.metadata.messageId',
      id: 'data.sms_id',
      state: 'type',
      states: {
        sent: ['sms.accepted', 'sms.sent'],
        delivered: ['sms.delivered'],
        undelivered: ['sms.undelivered', 'sms.failed', 'sms.rejected', 'sms.expired'],
      },
    },
    // The reply is an empty list of messages.
    check: { url: `${MESSAGES}?limit=1&created_after=2100-01-01T00:00:00Z`, success: 'status 200' },
  },
};
