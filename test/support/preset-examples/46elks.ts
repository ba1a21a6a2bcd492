import { CALLBACK_KEY, MESSAGE_ID } from '../gateway-server.js';
import { ok, TEXT, type PresetExample } from '../preset-examples-android.js';

const ID = 's3633fa8e62f823e52fbc67ebf6925ab5';
const sms = (status: string) => ok({ id: ID, status, direction: 'outgoing', to: '+46700000000', cost: 3500 });
const report = (status: string) => ({ body: Buffer.from(new URLSearchParams({ id: ID, status }).toString()) });

export const ELKS_EXAMPLE: PresetExample = {
  source: "the vendor's pages on sending and showing SMS, and on delivery reports",
  settings: { username: 'u5a9566c072160b31', password: 'password-of-46elks', from: 'CurlyElk' },
  to: '+46700000000',
  url: 'https://api.46elks.com/a1/sms',
  headers: {
    authorization: `Basic ${btoa('u5a9566c072160b31:password-of-46elks')}`,
    'content-type': 'application/x-www-form-urlencoded',
  },
  body: {
    from: 'CurlyElk',
    to: '+46700000000',
    message: TEXT,
    whendelivered: `https://codes.example.com/callbacks/provider/PRV1/${MESSAGE_ID}?key=${CALLBACK_KEY}`,
  },
  accepted: [sms('created'), ID],
  failures: [
    [sms('failed'), 'permanent', 'route'],
    [ok('Invalid to number', 400), 'permanent', 'route'],
    [ok('Invalid authentication', 401), 'permanent', 'provider'],
    [ok('Not enough credits', 403), 'permanent', 'provider'],
    [ok('', 429), 'transient', 'provider'],
    [ok('', 500), 'unknown', 'provider'],
  ],
  reports: [
    [report('sent'), ID, 'sent'],
    [report('delivered'), ID, 'delivered'],
    [report('failed'), ID, 'undelivered'],
  ],
  check: {
    source: "the vendor's page on account information",
    url: 'https://api.46elks.com/a1/me',
    valid: { id: 'u5a9566c072160b31', displayname: 'Shop', currency: 'SEK', balance: 9670500 },
  },
};
