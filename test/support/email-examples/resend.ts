import { createHmac } from 'node:crypto';
import { MESSAGE_ID } from '../gateway-server.js';
import * as shared from '../email-example.js';
import { callback, COMPLAINT, DELIVERED, ok, RECIPIENT, SENT, undelivered } from '../email-example.js';

const ID = '56761188-7520-42d8-8898-ff6fc54ce618';
export const RESEND_KEY = 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
export const resendEvent = (type: string, more: object = {}) => ({
  type: `email.${type}`,
  created_at: '2026-11-26T12:00:00.000Z',
  data: {
    created_at: '2026-11-26T11:59:00.000Z',
    email_id: ID,
    from: shared.QUOTED_SENDER,
    to: [RECIPIENT],
    subject: shared.SUBJECT,
    tags: { messageId: MESSAGE_ID },
    ...more,
  },
});
const bounce = (type: string, subType: string) =>
  resendEvent('bounced', {
    bounce: { message: "The recipient's email provider sent a bounce message.", type, subType },
  });
const error = (name: string, statusCode: number) => ok({ statusCode, name, message: 'error' }, statusCode);

/** Returns a request with an event. `at`: its time in seconds. */
export function sendResendEvent(content: object, at = shared.seconds(), key = RESEND_KEY) {
  const body = JSON.stringify(content);
  const signed = createHmac('sha256', Buffer.from(key, 'base64')).update(`msg_1.${at}.${body}`).digest('base64');
  const headers = { 'svix-id': 'msg_1', 'svix-timestamp': at, 'svix-signature': `v1,AAAA v1,${signed}` };
  return callback({ body: Buffer.from(body), headers });
}
const parse = ({ body }: { body: Buffer }) => JSON.parse(body.toString());

export const RESEND_EXAMPLE: shared.EmailExample = {
  source: "the vendor's pages on sending, errors, idempotency keys and webhook events; the specification of Svix",
  settings: { apiKey: 're_s3cret-of-resend', signingKey: `whsec_${RESEND_KEY}`, apiUrl: 'https://api.resend.com' },
  path: '/emails',
  headers: { authorization: 'Bearer re_s3cret-of-resend', 'idempotency-key': MESSAGE_ID },
  body: {
    from: shared.QUOTED_SENDER,
    to: [RECIPIENT],
    subject: shared.SUBJECT,
    text: shared.TEXT,
    html: shared.HTML,
    headers: shared.HEADERS,
    tags: [{ name: 'messageId', value: MESSAGE_ID }],
  },
  accepted: [ok({ id: ID }), ID],
  failures: [
    [error('missing_api_key', 401), 'permanent', 'provider'],
    [error('invalid_api_key', 403), 'permanent', 'provider'],
    [error('validation_error', 422), 'permanent', 'route'],
    [error('invalid_idempotent_request', 409), 'unknown', 'provider'],
    [error('concurrent_idempotent_requests', 409), 'transient', 'provider'],
    [error('rate_limit_exceeded', 429), 'transient', 'provider'],
    [error('daily_quota_exceeded', 429), 'permanent', 'provider'],
    [error('internal_server_error', 500), 'unknown', 'provider'],
  ],
  check: {
    path: '/domains',
    valid: [ok({ data: [] }), ok({ object: 'list', has_more: false, data: [] }), error('restricted_api_key', 401)],
  },
  send: (content) => sendResendEvent(content!),
  providerId: ID,
  events: [
    [resendEvent('sent'), SENT],
    [resendEvent('delivery_delayed'), SENT],
    [resendEvent('delivered'), DELIVERED],
    [bounce('Permanent', 'General'), undelivered('hardBounce', 'General')],
    [bounce('Transient', 'MailboxFull'), undelivered('softBounce', 'MailboxFull')],
    [bounce('Transient', 'MessageTooLarge'), undelivered(undefined, 'MessageTooLarge')],
    [bounce('Undetermined', 'Undetermined'), undelivered('softBounce')],
    [resendEvent('complained'), COMPLAINT],
    [resendEvent('failed', { failed: { reason: 'reached_daily_quota' } }), undelivered()],
    [
      resendEvent('suppressed', { suppressed: { message: 'suppressed', type: 'OnAccountSuppressionList' } }),
      undelivered('hardBounce', 'OnAccountSuppressionList'),
    ],
    [resendEvent('opened'), undefined],
  ],
  forged: {
    'another key': (request) => sendResendEvent(parse(request), undefined, 'C2FVsBQIhrscChlQIMV+b5sSYspob7oD'),
    'another body': (request) => ({
      ...request,
      body: Buffer.from(JSON.stringify(resendEvent('delivered', { to: [] }))),
    }),
    'an old time': (request) => sendResendEvent(parse(request), String(Number(shared.seconds()) - 301)),
    'no signature': (request) => ({ ...request, headers: {} }),
  },
};
