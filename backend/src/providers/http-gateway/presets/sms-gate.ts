import { optional, required, secret, server } from '../../provider-field.js';
import type { GatewayPreset } from '../preset.js';

export const SMS_GATE: GatewayPreset = {
  name: 'sms-gate',
  title: 'SMSGate (Android)',
  description:
    "Sends SMS through your own Android phones, for small volumes. You need the SMSGate app on one or more phones. After you add the provider, register its address for delivery reports with SMSGate's API.",
  documentation: 'https://docs.sms-gate.app/features/sending-messages/',
  checked: '2026-12-01',
  fields: [
    server('server', 'Server', 'Change it if you host the server yourself.', 'https://api.sms-gate.app/3rdparty/v1'),
    required('username', 'Username', 'On the Home tab of the app.'),
    secret('password', 'Password'),
    optional('deviceId', 'Device', 'Leave it empty for any device of the account.'),
    optional('simNumber', 'SIM card', '1, 2 or 3. Leave it empty for the default.'),
  ],
  reportsHelp:
    'The SMSGate app has no form for webhooks. Register this address with its API, once for each of the events sms:sent, sms:delivered and sms:failed. The guide to SMS gateways contains the command.',
  repliesHelp:
    "Register this address with SMSGate's API for the event sms:received. The guide to SMS gateways contains the command.",
  definition: {
    url: '{{ server }}/messages',
    authentication: { type: 'basic', user: '{{ username }}', password: '{{ password }}' },
    body: {
      id: '{{ messageId }}',
      textMessage: { text: '{{ text }}' },
      phoneNumbers: ['{{ to }}'],
      deviceId: '{{ deviceId }}',
      simNumber: '{{ simNumber | integer }}',
      withDeliveryReport: true,
      priority: 100,
    },
    success: 'status 200-299 and id exists',
    id: 'id',
    // An earlier request with the same id was accepted. A look-up returns the message's state.
    errors: ['unknown: status 409 => the provider already has the message'],
    // Apps from before February 2026 send only phoneNumber.
    inbound: { from: ['payload.sender', 'payload.phoneNumber'], text: 'payload.message' },
    reports: {
      messageId: 'payload.messageId',
      id: 'payload.messageId',
      state: 'event',
      states: { sent: ['sms:sent'], delivered: ['sms:delivered'], undelivered: ['sms:failed', 'sms:cancelled'] },
    },
    check: { url: '{{ server }}/devices', success: 'status 200' },
    lookUp: { url: '{{ server }}/messages/{{ messageId }}', found: 'id exists', id: 'id' },
  },
};
