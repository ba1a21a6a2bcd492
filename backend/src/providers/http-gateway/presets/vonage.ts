import { required, secret } from '../../provider-field.js';
import type { GatewayPreset } from '../preset.js';

export const VONAGE: GatewayPreset = {
  name: 'vonage',
  title: 'Vonage',
  description:
    'A US provider for nearly all countries, formerly Nexmo. You need the API key and secret of your account.',
  documentation: 'https://developer.vonage.com/en/api/sms',
  checked: '2026-11-22',
  fields: [required('apiKey', 'API key'), secret('apiSecret', 'API secret'), required('from', 'Sender')],
  repliesHelp:
    'In the Vonage Dashboard, enter this address as the inbound webhook of your number, or under API Settings. The messaging API type under API Settings must be SMS API, not Messages API.',
  definition: {
    url: 'https://rest.nexmo.com/sms/json',
    encoding: 'form',
    number: 'digits',
    body: {
      api_key: '{{ apiKey }}',
      api_secret: '{{ apiSecret }}',
      from: '{{ from }}',
      to: '{{ to }}',
      text: '{{ text }}',
      type: '{% if unicode %}unicode{% else %}text{% endif %}',
      'client-ref': '{{ messageId }}',
      callback: '{{ callbackUrl }}',
    },
    success: 'status 200 and messages[0].status = 0',
    id: 'messages[0].message-id',
    errorCode: 'messages[0].status',
    errors: [
      'transient: messages[0].status = 1, 10 => the Vonage account has reached its rate limit',
      'unknown: messages[0].status = 5 => Vonage had an internal error',
      'permanent: messages[0].status = 7, 33 => Vonage does not send to this number',
      'account: messages[0].status = 4, 8, 9, 11, 14, 32 => Vonage rejected the account, or it has no credit left',
      'route: messages[0].status exists => Vonage rejected the message',
    ],
    inbound: { from: ['msisdn'], text: 'text' },
    reports: {
      messageId: 'client-ref',
      id: 'messageId',
      state: 'status',
      states: {
        sent: ['accepted', 'buffered'],
        delivered: ['delivered'],
        undelivered: ['expired', 'failed', 'rejected'],
      },
    },
    check: {
      url: 'https://rest.nexmo.com/account/get-balance',
      success: 'status 200 and value exists',
      authentication: { type: 'basic', user: '{{ apiKey }}', password: '{{ apiSecret }}' },
    },
  },
};
