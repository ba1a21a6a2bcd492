import { secret } from '../../provider-field.js';
import type { GatewayPreset } from '../preset.js';

const RECIPIENT = {
  mobiles: '{{ to }}',
  OTP: '{{ code }}',
  VAR1: '{{ variables[0] }}',
  VAR2: '{{ variables[1] }}',
  VAR3: '{{ variables[2] }}',
  VAR4: '{{ variables[3] }}',
  VAR5: '{{ variables[4] }}',
};

export const MSG91: GatewayPreset = {
  name: 'msg91',
  title: 'MSG91',
  description:
    'An Indian provider. In India, it sends approved DLT templates; it also serves other countries. You need an auth key, and the template ID of each text.',
  documentation: 'https://docs.msg91.com/sms/send-sms',
  checked: '2026-12-01',
  fields: [secret('authKey', 'Auth key')],
  reportsHelp: 'In MSG91, open SMS → Webhook (not “Webhook (New)”), enter this address, and select the version v2.',
  definition: {
    url: 'https://control.msg91.com/api/v5/flow',
    authentication: { type: 'header', name: 'authkey', value: '{{ authKey }}' },
    number: 'digits',
    needsTemplate: true,
    body: { template_id: '{{ templateId }}', short_url: '0', recipients: [RECIPIENT] },
    success: 'status 200 and type = success',
    id: 'message',
    errors: [
      'account: type = error and message ~ /auth|ip .*whitelist|balance|credit/i => MSG91 rejected the account, or it has no credit left',
      'route: type = error => MSG91 rejected the message',
    ],
    reports: {
      list: 'data',
      id: 'requestId',
      state: 'report[0].status',
      states: { delivered: ['1'], undelivered: ['2', '9', '16', '17', '25'] },
    },
  },
};
