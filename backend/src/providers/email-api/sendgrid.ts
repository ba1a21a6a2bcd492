import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import { attachmentsAs, senderOf } from '../email.js';
import { optional, secret } from '../provider-field.js';
import { problemOf, type CallbackRequest } from '../provider-type.js';
import { descriptionOf, isRecent, jsonEvents, kindIn, REGION } from './preset.js';
import type { EmailPreset, EventKind, Kinds, ReadEvent } from './preset.js';

/** Events, the types of the event `bounce`, and the reasons of the event `dropped`. A `blocked` bounce is temporary. */
const KINDS: Kinds = {
  sent: ['processed', 'deferred'],
  delivered: ['delivered'],
  hardBounce: ['bounce', 'Bounced Address', 'Invalid'],
  softBounce: ['blocked', 'expired'],
  dropped: ['dropped'],
  complaint: ['spamreport'],
  complainedBefore: ['Spam Reporting Address'],
  optedOut: ['unsubscribe', 'group_unsubscribe'],
  optedOutBefore: ['Unsubscribed Address'],
};

function kindOf(read: ReadEvent): EventKind | undefined {
  const event = read('event');
  const detail = { bounce: read('type'), dropped: read('reason') }[event ?? ''];
  return kindIn(KINDS, detail) ?? kindIn(KINDS, event);
}

function publicKey(text: string): KeyObject {
  const key = createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });
  if (key.asymmetricKeyType !== 'ec') throw new Error('SendGrid signs with ECDSA');
  return key;
}

function isSigned({ headers, body }: CallbackRequest, key: string, now: number): boolean {
  const timestamp = headers['x-twilio-email-event-webhook-timestamp'] ?? '';
  const signature = Buffer.from(headers['x-twilio-email-event-webhook-signature'] ?? '', 'base64');
  const signed = Buffer.concat([Buffer.from(timestamp), body]);
  return verify('sha256', signed, publicKey(key), signature) && isRecent(timestamp, now);
}

export const SENDGRID: EmailPreset = {
  name: 'sendgrid',
  title: 'SendGrid',
  description: descriptionOf(
    "Twilio's email service, with servers in the US and the EU",
    'an API key and a verified sender',
  ),
  documentation: 'https://www.twilio.com/docs/sendgrid/api-reference/how-to-use-the-sendgrid-v3-api/responses',
  checked: '2026-11-26',
  fields: [
    secret('apiKey', 'API key', 'The permission “Mail Send” is sufficient.'),
    REGION,
    {
      ...optional('verificationKey', 'Verification key of the webhook', ''),
      help: 'SendGrid shows this key after you turn on the Signed Event Webhook. Without the key, delivery reports are rejected.',
      problem: (value) => problemOf(() => publicKey(value)) && 'must be the public key that SendGrid shows',
    },
  ],
  definition: {
    url: 'https://{{ region }}.sendgrid.com/v3/mail/send',
    authentication: { type: 'bearer', token: '{{ apiKey }}' },
    success: 'status 202',
    errors: [
      'account: status 401, 403 => SendGrid rejected the API key or the sender, or the account has no credits left',
      'permanent: errors[0].field ~ /^personalizations\\.0\\.to/ => SendGrid rejected the recipient',
    ],
    check: { url: 'https://{{ region }}.sendgrid.com/v3/scopes', success: 'status 200 and /"mail.send"/' },
  },
  body: ({ messageId, to, subject, text, html, headers, attachments }, { from }) => ({
    from: senderOf(from),
    personalizations: [{ to: [{ email: to }], custom_args: { messageId } }],
    subject,
    content: Object.entries({ 'text/plain': text, 'text/html': html }).map(([type, value]) => ({ type, value })),
    headers,
    attachments: attachmentsAs(attachments, { filename: 'filename', contentType: 'type', content: 'content' }),
  }),
  reportsHelp:
    'In SendGrid, open Settings → Mail Settings → Event Webhooks, add this address, select the deliverability events, spam reports and unsubscribes, and turn on the Signed Event Webhook.',
  readEvents: (request, { verificationKey: key }, { clock }) =>
    key && isSigned(request, key, clock.now()) ? jsonEvents(request.body) : undefined,
  eventOf: (read) => ({
    kind: kindOf(read),
    messageId: read('messageId'),
    code: read('status'),
    text: read('reason'),
  }),
};
