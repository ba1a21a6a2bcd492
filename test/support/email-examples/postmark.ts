import { MESSAGE_ID } from '../gateway-server.js';
import * as shared from '../email-example.js';
import { COMPLAINT, DELIVERED, jsonCallback, ok, OPTED_OUT, RECIPIENT, SENT, undelivered } from '../email-example.js';

const ID = '883953f4-6105-42a2-a16a-77a8eac79483';
const record = (RecordType: string, more: object) => ({
  RecordType,
  MessageID: ID,
  ServerID: 23,
  MessageStream: 'outbound',
  Metadata: { messageId: MESSAGE_ID },
  ...more,
});
const bounce = (Type: string, TypeCode: number, Details = 'smtp;550 5.1.1 <ana@example.com> user unknown') =>
  record('Bounce', {
    ID: 42,
    Type,
    TypeCode,
    Name: 'Hard bounce',
    Tag: '',
    Description: 'The server was unable to deliver your message.',
    Details,
    Email: RECIPIENT,
    From: 'codes@shop.example',
    BouncedAt: '2026-11-26T12:00:00Z',
    DumpAvailable: true,
    Inactive: true,
    CanActivate: true,
    Subject: shared.SUBJECT,
  });
const subscription = (more: object) =>
  record('SubscriptionChange', { Recipient: RECIPIENT, ChangedAt: '2026-11-26T12:00:00Z', ...more });
const error = (ErrorCode: number, status = 422) => ok({ ErrorCode, Message: 'error' }, status);

export const POSTMARK_EXAMPLE: shared.EmailExample = {
  source: "the vendor's pages on the email API, error codes, and the webhooks for deliveries, bounces and complaints",
  settings: { serverToken: 'server-t0ken-of-postmark', apiUrl: 'https://api.postmarkapp.com' },
  path: '/email',
  headers: { 'x-postmark-server-token': 'server-t0ken-of-postmark', accept: 'application/json' },
  body: {
    From: shared.QUOTED_SENDER,
    To: RECIPIENT,
    Subject: shared.SUBJECT,
    TextBody: shared.TEXT,
    HtmlBody: shared.HTML,
    Metadata: { messageId: MESSAGE_ID },
    Headers: Object.entries(shared.HEADERS).map(([Name, Value]) => ({ Name, Value })),
  },
  accepted: [
    ok({ To: RECIPIENT, SubmittedAt: '2026-11-26T12:00:00Z', MessageID: ID, ErrorCode: 0, Message: 'OK' }),
    ID,
  ],
  failures: [
    [error(10, 401), 'permanent', 'provider'],
    [error(300), 'permanent', 'route'],
    [error(400), 'permanent', 'provider'],
    [error(405), 'permanent', 'provider'],
    [error(406), 'permanent', 'message'],
    [error(412), 'permanent', 'provider'],
    [ok('', 429), 'transient', 'provider'],
    [ok('', 500), 'unknown', 'provider'],
    [ok('', 503), 'transient', 'provider'],
  ],
  lookUp: {
    path: `/messages/outbound?count=1&offset=0&metadata_messageId=${MESSAGE_ID}`,
    found: { TotalCount: 1, Messages: [{ MessageID: ID, Status: 'Sent' }] },
    missing: { TotalCount: 0, Messages: [] },
  },
  check: { path: '/server', valid: [ok({ ID: 1, Name: 'Production' })] },
  send: (event) => jsonCallback(event),
  providerId: ID,
  events: [
    [record('Delivery', { Recipient: RECIPIENT, DeliveredAt: '2026-11-26T12:00:00Z', Details: '250 OK' }), DELIVERED],
    [bounce('HardBounce', 1), undelivered('hardBounce', 'HardBounce')],
    [bounce('BadEmailAddress', 100_000), undelivered('hardBounce')],
    [bounce('SoftBounce', 4096), undelivered('softBounce', 'SoftBounce')],
    [bounce('Transient', 2), SENT],
    [bounce('Blocked', 100_006), undelivered()],
    [bounce('AutoResponder', 64), undefined],
    [record('SpamComplaint', { Type: 'SpamComplaint', TypeCode: 512, Email: RECIPIENT }), COMPLAINT],
    [subscription({ SuppressSending: true, SuppressionReason: 'ManualSuppression', Origin: 'Recipient' }), OPTED_OUT],
    [subscription({ SuppressSending: true, SuppressionReason: 'ManualSuppression', Origin: 'Customer' }), undefined],
    [subscription({ SuppressSending: true, SuppressionReason: 'HardBounce', Origin: 'Recipient' }), undefined],
    [subscription({ SuppressSending: false, SuppressionReason: null, Origin: 'Recipient' }), undefined],
    [record('Open', { Recipient: RECIPIENT, FirstOpen: true }), undefined],
  ],
  forged: {},
};
