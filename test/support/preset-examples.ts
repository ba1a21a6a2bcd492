/**
 * Requests, replies and delivery reports from the vendors' API documentation. `source` names the document of each
 * example.
 */
import type { CallbackRequest } from '../../backend/src/providers/provider-type.js';
import { CALLBACK_KEY, MESSAGE_ID } from './gateway-server.js';
import { ANDROID_EXAMPLES, json, ok, TEXT, type PresetExample } from './preset-examples-android.js';
import { ELKS_EXAMPLE } from './preset-examples/46elks.js';
import { AWS_EXAMPLE } from './preset-examples/aws.js';
import { PLIVO_EXAMPLE } from './preset-examples/plivo.js';

export { TEXT, type PresetExample };

const CALLBACK = `https://codes.example.com/callbacks/provider/PRV1/${MESSAGE_ID}?key=${CALLBACK_KEY}`;

const form = (values: Record<string, string>): Partial<CallbackRequest> => ({
  body: Buffer.from(new URLSearchParams(values).toString()),
});

const vonageError = (status: string) => ok({ 'message-count': '1', messages: [{ status, 'error-text': 'error' }] });
const infobipReply = (groupName: string, name: string) =>
  ok({
    bulkId: '2034072219640523072',
    messages: [{ messageId: MESSAGE_ID, status: { groupName, name }, destination: '41793026727' }],
  });
const atReply = (statusCode: number, messageId = 'None') =>
  ok(
    {
      SMSMessageData: {
        Message: 'Sent to 1/1',
        Recipients: [{ statusCode, number: '+254711000001', cost: '0', messageId }],
      },
    },
    201,
  );
const telnyxReport = (event: string, status: string) =>
  json({ data: { event_type: event, payload: { id: '40385f64', to: [{ phone_number: '+18665550001', status }] } } });
const birdReport = (type: string) =>
  json({ type, data: { sms_id: 'sms_abc123', metadata: { messageId: MESSAGE_ID } } });
const sinchReport = (status: string) =>
  json({
    batch_id: '01JHFF',
    client_reference: MESSAGE_ID,
    code: 0,
    recipient: '33662162466',
    status,
    type: 'recipient_delivery_report_sms',
  });

export const PRESET_EXAMPLES: Readonly<Record<string, PresetExample>> = {
  vonage: {
    source: 'the OpenAPI document of the SMS API (Nexmo/api-specification, definitions/sms.yml) with its error table',
    settings: { apiKey: 'abcd1234', apiSecret: 's3cret-of-vonage', from: 'AcmeInc' },
    to: '+447700900000',
    url: 'https://rest.nexmo.com/sms/json',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: {
      api_key: 'abcd1234',
      api_secret: 's3cret-of-vonage',
      from: 'AcmeInc',
      to: '447700900000',
      text: TEXT,
      type: 'text',
      'client-ref': MESSAGE_ID,
      callback: CALLBACK,
    },
    accepted: [
      ok({ 'message-count': '1', messages: [{ to: '447700900000', 'message-id': '0A0000000123ABCD1', status: '0' }] }),
      '0A0000000123ABCD1',
    ],
    failures: [
      [vonageError('1'), 'transient', 'provider'],
      [vonageError('4'), 'permanent', 'provider'],
      [vonageError('5'), 'unknown', 'provider'],
      [vonageError('7'), 'permanent', 'message'],
      [vonageError('9'), 'permanent', 'provider'],
      [vonageError('15'), 'permanent', 'route'],
    ],
    reports: (['accepted', 'delivered', 'failed', 'rejected', 'expired'] as const).map((status) => [
      form({
        msisdn: '447700900000',
        to: 'AcmeInc',
        messageId: '0A0000001234567B',
        status,
        'err-code': '0',
        'client-ref': MESSAGE_ID,
      }),
      '0A0000001234567B',
      {
        accepted: 'sent',
        delivered: 'delivered',
        failed: 'undelivered',
        rejected: 'undelivered',
        expired: 'undelivered',
      }[status],
    ]),
    check: {
      source: 'the OpenAPI document of the Account API',
      url: 'https://rest.nexmo.com/account/get-balance',
      headers: { authorization: `Basic ${btoa('abcd1234:s3cret-of-vonage')}` },
      valid: { value: 10.28, autoReload: false },
    },
  },
  infobip: {
    source:
      'requests and replies in the tests of the official Java client for the v3 API, and the status groups of the documentation',
    settings: { baseUrl: 'https://xyz123.api.infobip.com/', apiKey: 'secret-key', from: 'InfoSMS' },
    to: '+41793026727',
    url: 'https://xyz123.api.infobip.com/sms/3/messages',
    headers: { 'content-type': 'application/json', authorization: 'App secret-key' },
    body: {
      messages: [
        {
          sender: 'InfoSMS',
          destinations: [{ to: '41793026727', messageId: MESSAGE_ID }],
          content: { text: TEXT },
          webhooks: { delivery: { url: CALLBACK } },
        },
      ],
    },
    accepted: [infobipReply('PENDING', 'PENDING_ACCEPTED'), MESSAGE_ID],
    failures: [
      [infobipReply('REJECTED', 'REJECTED_DESTINATION'), 'permanent', 'route'],
      [infobipReply('REJECTED', 'REJECTED_NOT_ENOUGH_CREDITS'), 'permanent', 'provider'],
      [ok({ errorCode: 'E401', description: 'Unauthorized' }, 401), 'permanent', 'provider'],
      [ok({ errorCode: 'E429' }, 429), 'transient', 'provider'],
      [ok({ errorCode: 'E500' }, 500), 'unknown', 'provider'],
    ],
    reports: [
      [
        json({ results: [{ messageId: MESSAGE_ID, to: '41793026727', status: { groupName: 'DELIVERED' } }] }),
        MESSAGE_ID,
        'delivered',
      ],
      [
        json({ results: [{ messageId: MESSAGE_ID, status: { groupName: 'UNDELIVERABLE' } }] }),
        MESSAGE_ID,
        'undelivered',
      ],
    ],
    lookUp: {
      url: `https://xyz123.api.infobip.com/sms/3/logs?messageId=${MESSAGE_ID}`,
      found: [{ results: [{ messageId: MESSAGE_ID, status: { groupName: 'DELIVERED' } }] }, MESSAGE_ID],
      missing: ok({ results: [] }),
    },
    check: {
      source: 'the same operation as for look-ups',
      url: 'https://xyz123.api.infobip.com/sms/3/logs?messageId=credentials-check',
      valid: { results: [] },
    },
  },
  msg91: {
    source:
      "the vendor's pages on the Flow API and on webhooks (version 2); the exact texts of errors are not documented",
    settings: { authKey: 'auth-key', templates: 'otp = 61e6f2b3d6fc0541b8226c63' },
    to: '+919812345678',
    url: 'https://control.msg91.com/api/v5/flow',
    headers: { 'content-type': 'application/json', authkey: 'auth-key' },
    body: {
      template_id: '61e6f2b3d6fc0541b8226c63',
      short_url: '0',
      recipients: [{ mobiles: '919812345678', OTP: '093518', VAR1: '093518' }],
    },
    accepted: [ok({ message: '5762846b4f8d285d378b4567', type: 'success' }), '5762846b4f8d285d378b4567'],
    failures: [
      [ok({ message: 'flow id missing', type: 'error' }), 'permanent', 'route'],
      [ok({ message: 'invalid authkey', type: 'error' }, 401), 'permanent', 'provider'],
      [ok('', 200), 'unknown', 'provider'],
    ],
    reports: (['1', '2', '16'] as const).map((status) => [
      form({ data: JSON.stringify([{ requestId: '346130', report: [{ number: '919812345678', status }] }]) }),
      '346130',
      status === '1' ? 'delivered' : 'undelivered',
    ]),
  },
  bird: {
    source: 'the generated types, examples and webhook events of the official TypeScript SDK',
    settings: { region: 'eu1', apiKey: 'bk_eu1_token', from: '+15557654321' },
    to: '+14155550100',
    url: 'https://eu1.platform.bird.com/v1/sms/messages',
    headers: { authorization: 'Bearer bk_eu1_token', 'idempotency-key': MESSAGE_ID },
    body: {
      to: '+14155550100',
      from: '+15557654321',
      text: TEXT,
      category: 'authentication',
      metadata: { messageId: MESSAGE_ID },
    },
    accepted: [ok({ id: 'sms_abc123', direction: 'outbound', status: 'accepted' }, 202), 'sms_abc123'],
    failures: [
      [ok({ error: { type: 'auth_error', code: 'E01001' } }, 401), 'permanent', 'provider'],
      [ok({ error: { type: 'billing_error', code: 'E03001' } }, 402), 'permanent', 'provider'],
      [ok({ error: { type: 'conflict_error', code: 'E01004' } }, 409), 'unknown', 'provider'],
      [ok({ error: { type: 'validation_error', code: 'E02001' } }, 422), 'permanent', 'route'],
      [ok({ error: { type: 'rate_limit_error', code: 'E01429' } }, 429), 'transient', 'provider'],
    ],
    reports: [
      [birdReport('sms.sent'), 'sms_abc123', 'sent'],
      [birdReport('sms.delivered'), 'sms_abc123', 'delivered'],
      [birdReport('sms.expired'), 'sms_abc123', 'undelivered'],
    ],
    check: {
      source: 'the list of SMS messages in the official TypeScript SDK',
      url: 'https://eu1.platform.bird.com/v1/sms/messages?limit=1&created_after=2100-01-01T00:00:00Z',
      headers: { authorization: 'Bearer bk_eu1_token' },
      valid: { data: [] },
    },
  },
  telnyx: {
    source:
      "the vendor's example of a delivery webhook, the statuses in the official PHP client, and the list of API errors",
    settings: { apiKey: 'KEY01', from: '+18445550001' },
    to: '+18665550001',
    url: 'https://api.telnyx.com/v2/messages',
    headers: { authorization: 'Bearer KEY01' },
    body: { from: '+18445550001', to: '+18665550001', text: TEXT, type: 'SMS', webhook_url: CALLBACK },
    accepted: [ok({ data: { record_type: 'message', id: '40385f64', to: [{ status: 'queued' }] } }), '40385f64'],
    failures: [
      [ok({ errors: [{ code: '10009', title: 'Authentication failed' }] }, 401), 'permanent', 'provider'],
      [ok({ errors: [{ code: '10002', title: 'Invalid phone number' }] }, 400), 'permanent', 'message'],
      [ok({ errors: [{ code: '10015', title: 'Bad Request' }] }, 400), 'permanent', 'route'],
      [ok({ errors: [{ code: '10011', title: 'Too many requests' }] }, 429), 'transient', 'provider'],
      [ok({ errors: [{ code: '10007', title: 'Unexpected error' }] }, 500), 'unknown', 'provider'],
    ],
    reports: [
      [telnyxReport('message.sent', 'sent'), '40385f64', 'sent'],
      [telnyxReport('message.finalized', 'delivered'), '40385f64', 'delivered'],
      [telnyxReport('message.finalized', 'delivery_failed'), '40385f64', 'undelivered'],
    ],
    check: {
      source: "the vendor's page on the first API request, and the OpenAPI document of the Balance API",
      url: 'https://api.telnyx.com/v2/balance',
      valid: { data: { record_type: 'balance', balance: '300.00', currency: 'USD' } },
    },
  },
  'africas-talking': {
    source:
      "the official Node.js client (request), and the vendor's page on delivery reports; status codes from examples",
    settings: { username: 'shop', apiKey: 'api-key' },
    to: '+254711000001',
    url: 'https://api.africastalking.com/version1/messaging',
    headers: { apikey: 'api-key', accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
    body: { username: 'shop', to: '+254711000001', message: TEXT, bulkSMSMode: '1' },
    accepted: [atReply(101, 'ATXid_1'), 'ATXid_1'],
    failures: [
      [atReply(403), 'permanent', 'message'],
      [atReply(405), 'permanent', 'provider'],
      [atReply(407), 'permanent', 'route'],
      [atReply(500), 'unknown', 'provider'],
      [ok({ SMSMessageData: { Message: 'InvalidSenderId', Recipients: [] } }, 201), 'permanent', 'provider'],
      [ok('The supplied authentication is invalid', 401), 'permanent', 'provider'],
    ],
    reports: (['Sent', 'Buffered', 'Success', 'Failed', 'Rejected'] as const).map((status) => [
      form({ id: 'ATXid_1', status, phoneNumber: '+254711000001', networkCode: '63902' }),
      'ATXid_1',
      { Sent: 'sent', Buffered: 'sent', Success: 'delivered', Failed: 'undelivered', Rejected: 'undelivered' }[status],
    ]),
    check: {
      source: 'the official Java client',
      url: 'https://api.africastalking.com/version1/user?username=shop',
      headers: { apikey: 'api-key', accept: 'application/json' },
      valid: { UserData: { balance: 'KES 1785.50' } },
    },
  },
  sinch: {
    source: 'the models, requests and webhook events in the official Node.js SDK',
    settings: { region: 'eu', servicePlanId: 'plan1', apiToken: 'token', from: '17818510001' },
    to: '+33444555666',
    url: 'https://eu.sms.api.sinch.com/xms/v1/plan1/batches',
    headers: { authorization: 'Bearer token' },
    body: {
      from: '17818510001',
      to: ['+33444555666'],
      body: TEXT,
      client_reference: MESSAGE_ID,
      delivery_report: 'per_recipient_final',
      callback_url: CALLBACK,
    },
    accepted: [ok({ id: '01HF4WG1TAVS351YYD7Q84K8HA', to: ['33444555666'] }, 201), '01HF4WG1TAVS351YYD7Q84K8HA'],
    failures: [
      [ok({ code: 'syntax_invalid_parameter_format', text: 'invalid' }, 400), 'permanent', 'route'],
      [ok({ code: 'unauthorized' }, 401), 'permanent', 'provider'],
      [ok('', 503), 'transient', 'provider'],
    ],
    reports: [
      [sinchReport('Dispatched'), '01JHFF', 'sent'],
      [sinchReport('Delivered'), '01JHFF', 'delivered'],
      [sinchReport('Expired'), '01JHFF', 'undelivered'],
    ],
    lookUp: {
      url: `https://eu.sms.api.sinch.com/xms/v1/plan1/batches?client_reference=${MESSAGE_ID}`,
      found: [{ count: 1, page: 0, batches: [{ id: '01JHFF', client_reference: MESSAGE_ID }] }, '01JHFF'],
      missing: ok({ count: 0, page: 0, batches: [] }),
    },
    check: {
      source: 'the same operation as for look-ups',
      url: 'https://eu.sms.api.sinch.com/xms/v1/plan1/batches?client_reference=credentials-check',
      valid: { count: 0, page: 0, batches: [] },
    },
  },
  aws: AWS_EXAMPLE,
  '46elks': ELKS_EXAMPLE,
  plivo: PLIVO_EXAMPLE,
  ...ANDROID_EXAMPLES,
};
