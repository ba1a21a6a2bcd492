import { required, secret } from '../../provider-field.js';
import type { GatewayPreset } from '../preset.js';

export const PLIVO: GatewayPreset = {
  name: 'plivo',
  title: 'Plivo',
  description:
    'A US provider for nearly all countries. You need the auth ID and auth token of a Plivo account, and a sender.',
  documentation: 'https://www.plivo.com/docs/messaging/api/messages/',
  checked: '2026-12-01',
  fields: [
    required('authId', 'Auth ID', 'On the overview page of the Plivo console.'),
    secret('authToken', 'Auth token'),
    required('from', 'Sender', 'A number of the account, or a sender ID.'),
  ],
  repliesHelp: 'In Plivo, open the application of your number, and enter this address as its message URL.',
  definition: {
    url: 'https://api.plivo.com/v1/Account/{{ authId }}/Message/',
    authentication: { type: 'basic', user: '{{ authId }}', password: '{{ authToken }}' },
    body: { src: '{{ from }}', dst: '{{ to }}', text: '{{ text }}', type: 'sms', url: '{{ callbackUrl }}' },
    success: 'status 200-299 and message_uuid[0] exists',
    id: 'message_uuid[0]',
    inbound: { from: ['From'], text: 'Text' },
    reports: {
      id: 'MessageUUID',
      state: 'Status',
      states: {
        sent: ['queued', 'sent'],
        delivered: ['delivered'],
        undelivered: ['undelivered', 'failed', 'rejected'],
      },
    },
    check: { url: 'https://api.plivo.com/v1/Account/{{ authId }}/', success: 'status 200 and auth_id exists' },
  },
};
