import { createHmac } from 'node:crypto';
import { MESSAGE_ID } from '../gateway-server.js';
import * as shared from '../email-example.js';
import { COMPLAINT, DELIVERED, jsonCallback, ok, OPTED_OUT, RECIPIENT, SENT, undelivered } from '../email-example.js';

const KEY = 'key-of-mailgun-webhooks';
const event = (name: string, more: object = {}) => ({
  event: name,
  id: 'CPgfbmQMTCKtHW6uIWtuVe',
  timestamp: 1_800_000_000.123,
  'log-level': 'info',
  recipient: RECIPIENT,
  tags: [],
  'user-variables': { messageId: MESSAGE_ID },
  message: { headers: { to: RECIPIENT, 'message-id': '20261126120000.1.AF5@mg.shop.example' }, size: 512 },
  ...more,
});
const failed = (severity: string, reason: string, status: object) =>
  event('failed', { severity, reason, 'delivery-status': status });

function send(content: object, timestamp = shared.seconds(), key = KEY) {
  const token = '50c5b1f5f6f7a4e1c9e0b1d2';
  const signature = createHmac('sha256', key)
    .update(timestamp + token)
    .digest('hex');
  return jsonCallback({ signature: { timestamp, token, signature }, 'event-data': content });
}
const parse = ({ body }: { body: Buffer }) => JSON.parse(body.toString());

export const MAILGUN_EXAMPLE: shared.EmailExample = {
  source: "the vendor's pages on sending, response codes, webhook payloads and securing webhooks",
  settings: { domain: 'mg.shop.example', apiKey: 'key-s3cret-of-mailgun', region: 'api', signingKey: KEY },
  path: '/v3/mg.shop.example/messages',
  headers: { authorization: `Basic ${btoa('api:key-s3cret-of-mailgun')}` },
  body: {
    from: shared.QUOTED_SENDER,
    to: RECIPIENT,
    subject: shared.SUBJECT,
    text: shared.TEXT,
    html: shared.HTML,
    'v:messageId': MESSAGE_ID,
    'h:Auto-Submitted': 'auto-generated',
    'h:X-Auto-Response-Suppress': 'All',
  },
  accepted: [ok({ id: '<20261126120000.1.AF5@mg.shop.example>', message: 'Queued. Thank you.' }), MESSAGE_ID],
  failures: [
    [ok({ message: "'to' parameter is not a valid address. please check documentation" }, 400), 'permanent', 'message'],
    [ok({ message: 'from parameter is missing' }, 400), 'permanent', 'route'],
    [ok('Forbidden', 401), 'permanent', 'provider'],
    [ok({ message: 'Domain not found: mg.shop.example' }, 404), 'permanent', 'provider'],
    [ok({ message: 'Too many requests' }, 429), 'transient', 'provider'],
    [ok({ message: 'Internal Server Error' }, 500), 'unknown', 'provider'],
  ],
  send: (content) => send(content!),
  providerId: MESSAGE_ID,
  events: [
    [event('accepted'), SENT],
    [event('delivered', { 'delivery-status': { code: 250, message: 'OK' } }), DELIVERED],
    [failed('temporary', 'generic', { code: 452, message: '4.2.2 mailbox full', 'retry-seconds': 600 }), SENT],
    [
      failed('permanent', 'bounce', { code: 550, 'enhanced-code': '5.1.1', message: 'unknown', 'bounce-type': 'hard' }),
      undelivered('hardBounce', '5.1.1'),
    ],
    [
      failed('permanent', 'suppress-bounce', { code: 605, message: '', description: 'Not delivering' }),
      undelivered('hardBounce', 'suppress-bounce'),
    ],
    [failed('permanent', 'old', { code: 602, message: 'Too old' }), undelivered('softBounce', 'old')],
    [failed('permanent', 'bounce', { code: 552, 'bounce-type': 'soft' }), undelivered('softBounce')],
    [failed('permanent', 'suppress-complaint', { code: 607 }), undelivered('complaint')],
    [failed('permanent', 'suppress-unsubscribe', { code: 606 }), undelivered('optedOut')],
    [failed('permanent', 'espblock', { code: 554, message: '5.7.1 blocked' }), undelivered()],
    [event('rejected', { reject: { reason: 'Sandbox', description: '' } }), undelivered()],
    [event('complained'), COMPLAINT],
    [event('unsubscribed'), OPTED_OUT],
    [event('opened'), undefined],
  ],
  forged: {
    'another key': (request) => send(parse(request)['event-data'], undefined, 'key-of-somebody-else'),
    'a changed time': (request) => {
      const { signature, ...rest } = parse(request);
      return jsonCallback({ ...rest, signature: { ...signature, timestamp: String(Number(shared.seconds()) - 1) } });
    },
    'an old time': (request) => send(parse(request)['event-data'], String(Number(shared.seconds()) - 3 * 86_400)),
    'no signature': (request) => jsonCallback({ 'event-data': parse(request)['event-data'] }),
    'no JSON': (request) => ({ ...request, body: Buffer.from('event=delivered') }),
  },
};
