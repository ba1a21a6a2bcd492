import { MESSAGE_ID } from '../gateway-server.js';
import * as shared from '../email-example.js';
import { COMPLAINT, DELIVERED, jsonCallback, ok, OPTED_OUT, RECIPIENT, SENT, undelivered } from '../email-example.js';

const ID = '<202611261200.12345678901@smtp-relay.mailin.fr>';
const event = (name: string, more: object = {}) => ({
  event: name,
  email: RECIPIENT,
  id: 26_224,
  date: '2026-11-26 12:00:00',
  ts: 1_800_000_000,
  'message-id': ID,
  ts_event: 1_800_000_000,
  subject: shared.SUBJECT,
  'X-Mailin-custom': MESSAGE_ID,
  sending_ip: '192.0.2.1',
  ts_epoch: 1_800_000_000_000,
  ...more,
});
const error = (code: string, status: number, message = 'error') => ok({ code, message }, status);

export const BREVO_EXAMPLE: shared.EmailExample = {
  source: "the vendor's pages on transactional emails, idempotency and transactional webhooks; it signs no webhooks",
  settings: { apiKey: 'xkeysib-s3cret', apiUrl: 'https://api.brevo.com/v3' },
  path: '/v3/smtp/email',
  headers: { 'api-key': 'xkeysib-s3cret' },
  body: {
    sender: { email: 'codes@shop.example', name: 'Harbor Books, Ltd.' },
    to: [{ email: RECIPIENT }],
    subject: shared.SUBJECT,
    textContent: shared.TEXT,
    htmlContent: shared.HTML,
    headers: {
      ...shared.HEADERS,
      idempotencyKey: '01234567-89ab-cdef-0123-456789abcdef',
      'X-Mailin-custom': MESSAGE_ID,
    },
  },
  accepted: [ok({ messageId: ID }, 201), ID],
  failures: [
    [error('unauthorized', 401), 'permanent', 'provider'],
    [error('not_enough_credits', 400), 'permanent', 'provider'],
    [error('invalid_parameter', 400, 'email is not valid in to'), 'permanent', 'message'],
    [error('missing_parameter', 400), 'permanent', 'route'],
    [error('too_many_requests', 429), 'transient', 'provider'],
    [error('internal_error', 500), 'unknown', 'provider'],
  ],
  check: { path: '/v3/account', valid: [ok({ email: 'owner@shop.example', plan: [] })] },
  send: (...events) => jsonCallback(events.length === 1 ? events[0] : events),
  providerId: ID,
  events: [
    [event('request'), SENT],
    [event('deferred', { reason: 'spam' }), SENT],
    [event('delivered'), DELIVERED],
    [event('hard_bounce', { reason: '550 5.1.1 <ana@example.com> unknown' }), undelivered('hardBounce', 'hard_bounce')],
    [event('invalid_email'), undelivered('hardBounce')],
    [event('soft_bounce', { reason: '452 4.2.2 mailbox full' }), undelivered('softBounce')],
    [event('blocked', { reason: 'blocked : due to blacklist user' }), undelivered()],
    [event('spam'), COMPLAINT],
    [event('complaint'), COMPLAINT],
    [event('unsubscribed'), OPTED_OUT],
    [event('opened'), undefined],
  ],
  forged: {},
};
