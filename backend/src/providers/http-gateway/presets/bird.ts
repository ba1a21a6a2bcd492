import { required, secret, type GatewayPreset } from '../preset.js';

export const BIRD: GatewayPreset = {
  name: 'bird',
  title: 'Bird',
  description:
    'Sends SMS to nearly all countries. You need an API key of a Bird workspace; register the callback address as a webhook.',
  documentation: 'https://github.com/messagebird/bird-sdk-typescript',
  checked: '2026-11-22',
  fields: [
    {
      ...required('region', 'Region', 'The part of the API key after bk_, such as eu1.'),
      problem: (value) => (/^[a-z]{2}\d+$/.test(value) ? undefined : 'must be two letters and a digit, such as eu1'),
    },
    secret('apiKey', 'API key'),
    required('from', 'Sender'),
  ],
  definition: {
    url: 'https://{{ region }}.platform.bird.com/v1/sms/messages',
    authentication: { type: 'bearer', token: '{{ apiKey }}' },
    // For a repeated key, Bird returns its first reply, and does not send a second message.
    headers: { 'Idempotency-Key': '{{ messageId }}' },
    body: {
      ...{ to: '{{ to }}', from: '{{ from }}', text: '{{ text }}', metadata: { messageId: '{{ messageId }}' } },
      category: '{% if template == "otp" %}authentication{% else %}transactional{% endif %}',
    },
    success: 'status 202 and id exists',
    id: 'id',
    errorCode: 'error.code',
    errors: ['unknown: status 409 => Bird is still processing the first request'],
    reports: {
      ...{ messageId: 'data.metadata.messageId', id: 'data.sms_id', state: 'type' },
      states: {
        ...{ sent: ['sms.accepted', 'sms.sent'], delivered: ['sms.delivered'] },
        undelivered: ['sms.undelivered', 'sms.failed', 'sms.rejected', 'sms.expired'],
      },
    },
  },
};
