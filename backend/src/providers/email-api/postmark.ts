import { attachmentsAs, formatSender } from '../email.js';
import { apiUrl, optional, secret } from '../provider-field.js';
import { descriptionOf, jsonEvents, kindIn, namedHeaders, type EmailPreset, type Kinds } from './preset.js';

/** Record types, and types of bounces. Postmark tries again after `Transient`. */
const KINDS: Kinds = {
  sent: ['Transient'],
  delivered: ['Delivery'],
  hardBounce: ['HardBounce', 'BadEmailAddress'],
  softBounce: ['SoftBounce', 'DnsError'],
  blocked: ['Blocked', 'DMARCPolicy', 'SpamNotification', 'VirusNotification', 'Unknown'],
  dropped: ['SMTPApiError', 'ManuallyDeactivated'],
  complaint: ['SpamComplaint'],
  optedOut: ['Unsubscribe', 'ManualSuppression'],
};

export const POSTMARK: EmailPreset = {
  name: 'postmark',
  title: 'Postmark',
  description: descriptionOf('A US service for transactional emails', 'a server API token'),
  documentation: 'https://postmarkapp.com/developer/api/overview',
  checked: '2026-11-26',
  fields: [
    secret('serverToken', 'Server API token', 'On the “API Tokens” page of the server.'),
    optional('messageStream', 'Message stream', 'The ID of a transactional stream. Leave it empty for the default.'),
    { ...apiUrl('https://api.postmarkapp.com'), advanced: true },
  ],
  definition: {
    url: '{{ apiUrl }}/email',
    headers: { Accept: 'application/json' },
    authentication: { type: 'header', name: 'X-Postmark-Server-Token', value: '{{ serverToken }}' },
    success: 'status 200 and ErrorCode = 0 and MessageID exists',
    id: 'MessageID',
    errorCode: 'ErrorCode',
    errors: [
      'permanent: ErrorCode = 406 => Postmark has deactivated the recipient after a bounce or a spam complaint',
      'account: ErrorCode = 10 => Postmark rejected the server API token',
      'account: ErrorCode = 400, 401 => the sender is not confirmed at Postmark',
      'account: ErrorCode = 405, 412, 413 => the Postmark account may not send this email, or has no credit left',
    ],
    check: { url: '{{ apiUrl }}/server', success: 'status 200 and ID exists' },
    lookUp: {
      url: '{{ apiUrl }}/messages/outbound?count=1&offset=0&metadata_messageId={{ messageId }}',
      found: 'Messages[0].MessageID exists',
      id: 'Messages[0].MessageID',
    },
  },
  body: ({ messageId, to, subject, text, html, headers, attachments }, { from, messageStream }) => ({
    From: formatSender(from),
    To: to,
    Subject: subject,
    TextBody: text,
    HtmlBody: html,
    Attachments: attachmentsAs(attachments, { filename: 'Name', contentType: 'ContentType', content: 'Content' }),
    MessageStream: messageStream || undefined,
    Metadata: { messageId },
    Headers: namedHeaders(headers),
  }),
  reportsHelp:
    'In Postmark, open the webhooks of the message stream, add this address, and select Delivery, Bounce, Spam Complaint and Subscription Change.',
  // Postmark does not sign requests. The address contains a key.
  readEvents: ({ body }) => jsonEvents(body),
  eventOf(read) {
    // Bounces and complaints have events of their own, but also change the subscription.
    const isOptOut = read('SuppressSending') === 'true' && read('Origin') === 'Recipient';
    const name = isOptOut ? read('SuppressionReason') : (read('Type') ?? read('RecordType'));
    return {
      kind: isOptOut && name !== 'ManualSuppression' ? undefined : kindIn(KINDS, name),
      messageId: read('Metadata.messageId'),
      providerId: read('MessageID'),
      code: read('Type'),
      text: read('Details'),
    };
  },
};
