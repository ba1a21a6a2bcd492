import { choice, required, secret } from '../../provider-field.js';
import type { GatewayPreset } from '../preset.js';

const BATCHES = 'https://{{ region }}.sms.api.sinch.com/xms/v1/{{ servicePlanId }}/batches';

const REGIONS = { us: 'United States', eu: 'European Union', au: 'Australia', br: 'Brazil', ca: 'Canada' };

export const SINCH: GatewayPreset = {
  name: 'sinch',
  title: 'Sinch',
  description:
    'A Swedish provider for nearly all countries, with servers in five regions. You need a service plan and its API token.',
  documentation: 'https://developers.sinch.com/docs/sms/api-reference/sms/batches/sendsms',
  checked: '2026-11-22',
  fields: [
    choice('region', 'Region', REGIONS),
    required('servicePlanId', 'Service plan ID'),
    secret('apiToken', 'API token'),
    required('from', 'Sender'),
  ],
  repliesHelp: 'In Sinch, open your service plan, and enter this address as its callback URL.',
  definition: {
    url: BATCHES,
    authentication: { type: 'bearer', token: '{{ apiToken }}' },
    body: {
      from: '{{ from }}',
      to: ['{{ to }}'],
      body: '{{ text }}',
      client_reference: '{{ messageId }}',
      delivery_report: '{% if callbackUrl == "" %}none{% else %}per_recipient_final{% endif %}',
      callback_url: '{{ callbackUrl }}',
    },
    success: 'status 200-299 and id exists',
    id: 'id',
    errorCode: 'code',
    inbound: { from: ['from'], text: 'body' },
    reports: {
      messageId: 'client_reference',
      id: 'batch_id',
      state: 'status',
      states: {
        sent: ['Queued', 'Dispatched'],
        delivered: ['Delivered'],
        undelivered: ['Aborted', 'Cancelled', 'Rejected', 'Deleted', 'Failed', 'Expired'],
      },
    },
    check: { url: `${BATCHES}?client_reference=credentials-check`, success: 'status 200' },
    lookUp: {
      url: `${BATCHES}?client_reference={{ messageId }}`,
      found: 'batches[0].id exists',
      id: 'batches[0].id',
    },
  },
};
