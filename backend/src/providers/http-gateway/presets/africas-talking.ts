import { optional, required, secret } from '../../provider-field.js';
import type { GatewayPreset } from '../preset.js';

const API = 'https://api.africastalking.com/version1';
const STATUS = 'SMSMessageData.Recipients[0].statusCode';

export const AFRICAS_TALKING: GatewayPreset = {
  name: 'africas-talking',
  title: "Africa's Talking",
  description:
    "A Kenyan provider for many African countries. You need the username and an API key of your Africa's Talking app. After you add the provider, its page shows the address for delivery reports. Enter this address in Africa's Talking.",
  documentation: 'https://developers.africastalking.com/docs/sms/sending/bulk',
  checked: '2026-11-22',
  fields: [
    required('username', 'Username'),
    secret('apiKey', 'API key'),
    optional('from', 'Sender', 'A registered short code or name. Leave it empty for the default.'),
  ],
  reportsHelp: "In Africa's Talking, open SMS → SMS Callback URLs → Delivery Reports, and enter this address.",
  repliesHelp: "In Africa's Talking, open SMS → SMS Callback URLs → Incoming Messages, and enter this address.",
  definition: {
    url: `${API}/messaging`,
    authentication: { type: 'header', name: 'apiKey', value: '{{ apiKey }}' },
    headers: { Accept: 'application/json' },
    encoding: 'form',
    body: { username: '{{ username }}', to: '{{ to }}', message: '{{ text }}', from: '{{ from }}', bulkSMSMode: '1' },
    success: `status 200-299 and ${STATUS} = 100, 101, 102`,
    id: 'SMSMessageData.Recipients[0].messageId',
    errorCode: STATUS,
    errors: [
      `permanent: ${STATUS} = 403, 404, 406, 409 => Africa's Talking does not send to this number`,
      `account: ${STATUS} = 402, 405 => Africa's Talking rejected the sender, or the account has no credit left`,
      `route: ${STATUS} = 401, 407, 502 => Africa's Talking cannot send to this number`,
      'account: SMSMessageData.Message = InvalidSenderId => the sender is not registered',
    ],
    inbound: { from: ['from'], text: 'text' },
    reports: {
      id: 'id',
      state: 'status',
      states: { sent: ['Sent', 'Submitted', 'Buffered'], delivered: ['Success'], undelivered: ['Rejected', 'Failed'] },
    },
    check: { url: `${API}/user?username={{ username }}`, success: 'status 200 and UserData.balance exists' },
  },
};
