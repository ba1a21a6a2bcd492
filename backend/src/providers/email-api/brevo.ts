import { attachmentsAs, senderOf } from '../email.js';
import { apiUrl, secret } from '../provider-field.js';
import { descriptionOf, jsonEvents, kindIn, type EmailPreset, type Kinds } from './preset.js';

/** `blocked`: the recipient is on the account's block list, for one of several reasons. */
const KINDS: Kinds = {
  sent: ['request', 'deferred'],
  delivered: ['delivered'],
  hardBounce: ['hard_bounce', 'invalid_email'],
  softBounce: ['soft_bounce'],
  dropped: ['blocked', 'error'],
  complaint: ['spam', 'complaint'],
  optedOut: ['unsubscribed', 'unsubscribe'],
};

/** Brevo accepts only UUIDs: `0123456789abcdef0123456789abcdef` → `01234567-89ab-cdef-0123-456789abcdef`. */
const uuid = (id: string): string => id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

export const BREVO: EmailPreset = {
  name: 'brevo',
  title: 'Brevo',
  description: descriptionOf('A French email service, formerly Sendinblue', 'a v3 API key'),
  documentation: 'https://developers.brevo.com/docs/send-a-transactional-email',
  checked: '2026-11-26',
  fields: [
    secret('apiKey', 'API key', 'Under Settings → SMTP & API → API Keys & MCP. It starts with xkeysib-.'),
    { ...apiUrl('https://api.brevo.com/v3'), advanced: true },
  ],
  definition: {
    url: '{{ apiUrl }}/smtp/email',
    authentication: { type: 'header', name: 'api-key', value: '{{ apiKey }}' },
    success: 'status 200-299 and messageId exists',
    id: 'messageId',
    errorCode: 'code',
    errors: [
      'account: code = not_enough_credits => the Brevo account has no credits left',
      "account: status 401, 403 => Brevo rejected the API key, or this server's IP address is not authorized",
      'permanent: message ~ /^email is not valid in to/i => Brevo rejected the recipient',
      'unknown: code = duplicate_request => Brevo already has this email',
    ],
    check: { url: '{{ apiUrl }}/account', success: 'status 200 and email exists' },
  },
  body: ({ messageId, to, subject, text, html, headers, attachments }, { from }) => ({
    sender: senderOf(from),
    to: [{ email: to }],
    subject,
    textContent: text,
    htmlContent: html,
    attachment: attachmentsAs(attachments, { filename: 'name', content: 'content' }),
    headers: { ...headers, idempotencyKey: uuid(messageId), 'X-Mailin-custom': messageId },
  }),
  reportsHelp:
    'In Brevo, click your account name, open Integrations → Webhooks, add this address, and select all transactional email events except opens and clicks.',
  // Brevo does not sign requests. The address contains a key.
  readEvents: ({ body }) => jsonEvents(body),
  eventOf: (read) => ({
    kind: kindIn(KINDS, read('event')),
    messageId: read('X-Mailin-custom'),
    providerId: read('message-id'),
    code: read('event'),
    text: read('reason'),
  }),
};
