import { generateKeyPairSync, sign } from 'node:crypto';
import type { CallbackRequest } from '../../../backend/src/providers/provider-type.js';
import { MESSAGE_ID } from '../gateway-server.js';
import * as shared from '../email-example.js';
import { callback, COMPLAINT, DELIVERED, ok, OPTED_OUT, RECIPIENT, SENT, undelivered } from '../email-example.js';

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
const other = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
const SIGNATURE = 'x-twilio-email-event-webhook-signature';
const TIMESTAMP = 'x-twilio-email-event-webhook-timestamp';

const event = (name: string, more: object = {}) => ({
  email: RECIPIENT,
  timestamp: 1_800_000_000,
  'smtp-id': '<14c5d75ce93.dfd.64b469@ismtpd-555>',
  event: name,
  sg_event_id: 'ZGVsaXZlcmVkLTA',
  sg_message_id: '14c5d75ce93.dfd.64b469.filter0001.16648.5515E0B88.0',
  messageId: MESSAGE_ID,
  ...more,
});
const error = (message: string, status: number, field: string | null = null) =>
  ok({ errors: [{ message, field, help: null }] }, status);

function send(events: readonly object[], at = shared.seconds(), key = privateKey): CallbackRequest {
  // SendGrid separates events with line breaks, which are signed as well.
  const body = `[${events.map((item) => JSON.stringify(item)).join(',\r\n')}]\r\n`;
  const signature = sign('sha256', Buffer.from(at + body), key).toString('base64');
  return callback({ body: Buffer.from(body), headers: { [SIGNATURE]: signature, [TIMESTAMP]: at } });
}
const parse = ({ body }: { body: Buffer }) => JSON.parse(body.toString());

export const SENDGRID_EXAMPLE: shared.EmailExample = {
  source: "the vendor's pages on Mail Send, its errors, the event webhook and its security features",
  settings: {
    apiKey: 'SG.s3cret-of-sendgrid',
    region: 'api',
    verificationKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
  },
  path: '/v3/mail/send',
  headers: { authorization: 'Bearer SG.s3cret-of-sendgrid' },
  body: {
    from: { email: 'codes@shop.example', name: 'Harbor Books, Ltd.' },
    personalizations: [{ to: [{ email: RECIPIENT }], custom_args: { messageId: MESSAGE_ID } }],
    subject: shared.SUBJECT,
    content: [
      { type: 'text/plain', value: shared.TEXT },
      { type: 'text/html', value: shared.HTML },
    ],
    headers: shared.HEADERS,
  },
  accepted: [ok('', 202), MESSAGE_ID],
  failures: [
    [error('The provided authorization grant is invalid, expired, or revoked', 401), 'permanent', 'provider'],
    [error('The from address does not match a verified Sender Identity.', 403, 'from'), 'permanent', 'provider'],
    [error('Does not contain a valid address.', 400, 'personalizations.0.to.0.email'), 'permanent', 'message'],
    [error('The subject is required.', 400, 'subject'), 'permanent', 'route'],
    [error('too many requests', 429), 'transient', 'provider'],
    [error('', 500), 'unknown', 'provider'],
  ],
  check: { path: '/v3/scopes', valid: [ok({ scopes: ['mail.send', 'sender_verification_eligible'] })] },
  send: (...events) => send(events),
  providerId: MESSAGE_ID,
  events: [
    [event('processed'), SENT],
    [event('deferred', { response: '400 try again later', attempt: '5' }), SENT],
    [event('delivered', { response: '200 OK' }), DELIVERED],
    [
      event('bounce', { type: 'bounce', status: '5.1.1', reason: '500 unknown recipient' }),
      undelivered('hardBounce', '5.1.1'),
    ],
    [event('bounce', { type: 'blocked', status: '4.2.2', reason: '452 mailbox full' }), undelivered('softBounce')],
    [
      event('bounce', { type: 'blocked', status: '5.7.1', reason: '550 5.7.1 listed' }),
      undelivered(undefined, '5.7.1'),
    ],
    [event('dropped', { reason: 'Bounced Address', status: '5.0.0' }), undelivered('hardBounce')],
    [event('dropped', { reason: 'Spam Reporting Address' }), undelivered('complaint')],
    [event('dropped', { reason: 'Unsubscribed Address' }), undelivered('optedOut')],
    [event('dropped', { reason: 'Spam Content' }), undelivered()],
    [event('spamreport'), COMPLAINT],
    [event('unsubscribe'), OPTED_OUT],
    [event('group_unsubscribe', { asm_group_id: 10 }), OPTED_OUT],
    [event('open'), undefined],
  ],
  forged: {
    'another key': (request) => send(parse(request), undefined, other.privateKey),
    'another body': (request) => ({ ...request, body: Buffer.from(JSON.stringify([event('delivered')])) }),
    'an old time': (request) => send(parse(request), String(Number(shared.seconds()) - 3 * 86_400)),
    'no signature': (request) => ({ ...request, headers: {} }),
  },
};
