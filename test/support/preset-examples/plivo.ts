import { CALLBACK_KEY, MESSAGE_ID } from '../gateway-server.js';
import { ok, TEXT, type PresetExample } from '../preset-examples-android.js';

const UUID = 'db3ce55a-7f1d-11e1-8ea7-1231380bc196';
const report = (Status: string) => ({
  body: Buffer.from(new URLSearchParams({ MessageUUID: UUID, To: '14155551234', Status, Units: '1' }).toString()),
});

export const PLIVO_EXAMPLE: PresetExample = {
  source: "the vendor's pages on messages, responses and status callbacks",
  settings: { authId: 'MAXXXXXXXXXXXXXXXXXX', authToken: 'auth-token-of-plivo', from: '+14155550100' },
  to: '+14155551234',
  url: 'https://api.plivo.com/v1/Account/MAXXXXXXXXXXXXXXXXXX/Message/',
  headers: { authorization: `Basic ${btoa('MAXXXXXXXXXXXXXXXXXX:auth-token-of-plivo')}` },
  body: {
    src: '+14155550100',
    dst: '+14155551234',
    text: TEXT,
    type: 'sms',
    url: `https://codes.example.com/callbacks/provider/PRV1/${MESSAGE_ID}?key=${CALLBACK_KEY}`,
  },
  accepted: [ok({ api_id: 'db342550', message: 'message(s) queued', message_uuid: [UUID] }, 202), UUID],
  failures: [
    [ok({ api_id: 'db342550', error: 'invalid_parameter' }, 400), 'permanent', 'route'],
    [ok({ api_id: 'db342550', error: 'authentication_failed' }, 401), 'permanent', 'provider'],
    [ok({ api_id: 'db342550', error: 'rate_limit_exceeded' }, 429), 'transient', 'provider'],
    [ok('', 500), 'unknown', 'provider'],
  ],
  reports: [
    [report('sent'), UUID, 'sent'],
    [report('delivered'), UUID, 'delivered'],
    [report('undelivered'), UUID, 'undelivered'],
    [report('failed'), UUID, 'undelivered'],
  ],
  check: {
    source: "the vendor's page on accounts",
    url: 'https://api.plivo.com/v1/Account/MAXXXXXXXXXXXXXXXXXX/',
    valid: { api_id: 'db342550', auth_id: 'MAXXXXXXXXXXXXXXXXXX', cash_credits: '85.01' },
  },
};
