import { required, secret } from '../../provider-field.js';
import type { GatewayPreset } from '../preset.js';

const API = 'https://api.46elks.com/a1';

export const ELKS: GatewayPreset = {
  name: '46elks',
  title: '46elks',
  description:
    'A Swedish provider for nearly all countries. You need the API username and the API password of your account.',
  documentation: 'https://46elks.com/docs/send-sms',
  checked: '2026-11-22',
  fields: [
    required('username', 'API username', 'On the Account page. It starts with u.'),
    secret('password', 'API password'),
    required('from', 'Sender', 'A number of the account, or up to 11 letters and digits.'),
  ],
  repliesHelp: 'In 46elks, open your number, and enter this address as its sms_url.',
  definition: {
    url: `${API}/sms`,
    encoding: 'form',
    authentication: { type: 'basic', user: '{{ username }}', password: '{{ password }}' },
    body: { from: '{{ from }}', to: '{{ to }}', message: '{{ text }}', whendelivered: '{{ callbackUrl }}' },
    success: 'status 200 and id exists and status = created, sent, delivered',
    id: 'id',
    errors: ['route: status 200 and status = failed => 46elks could not send the message'],
    inbound: { from: ['from'], text: 'message' },
    reports: {
      id: 'id',
      state: 'status',
      states: { sent: ['sent'], delivered: ['delivered'], undelivered: ['failed'] },
    },
    check: { url: `${API}/me`, success: 'status 200 and id exists' },
  },
};
