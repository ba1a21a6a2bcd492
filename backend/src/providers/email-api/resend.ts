import { hasStandardSignature } from '../../platform/standard-webhooks.js';
import { attachmentsAs, formatSender } from '../email.js';
import { apiUrl, matching, secret } from '../provider-field.js';
import type { CallbackRequest } from '../provider-type.js';
import { descriptionOf, jsonEvents, kindIn, signingKey, type EmailPreset, type Kinds } from './preset.js';

const KINDS: Kinds = {
  sent: ['email.sent', 'email.delivery_delayed'],
  delivered: ['email.delivered'],
  hardBounce: ['email.suppressed'],
  dropped: ['email.failed'],
  complaint: ['email.complained'],
};

/** Resend signs each request anew, even when it repeats one. Its headers use the older names of Standard Webhooks. */
function isSigned({ headers, body }: CallbackRequest, secretText: string, now: number): boolean {
  const header = (name: string) => headers[name.replace('webhook-', 'svix-')] ?? '';
  return hasStandardSignature({ header, body }, Buffer.from(secretText.replace(/^whsec_/, ''), 'base64'), now);
}

export const RESEND: EmailPreset = {
  name: 'resend',
  title: 'Resend',
  description: descriptionOf('A US email service for developers', 'an API key'),
  documentation: 'https://resend.com/docs/api-reference/errors',
  checked: '2026-11-26',
  fields: [
    secret('apiKey', 'API key', 'The permission “Sending access” is sufficient.'),
    matching(
      signingKey('Signing secret of the webhook', 'Resend shows it after you add the webhook.'),
      /^(whsec_)?[A-Za-z0-9+/]{24,}=*$/,
      'must be the secret that Resend shows, such as whsec_…',
    ),
    { ...apiUrl('https://api.resend.com'), advanced: true },
  ],
  definition: {
    url: '{{ apiUrl }}/emails',
    headers: { 'Idempotency-Key': '{{ messageId }}' },
    authentication: { type: 'bearer', token: '{{ apiKey }}' },
    success: 'status 200-299 and id exists',
    id: 'id',
    errorCode: 'name',
    errors: [
      'transient: name = concurrent_idempotent_requests => Resend is still processing this email',
      'unknown: name = invalid_idempotent_request => Resend already has this email with different content',
      'account: name = daily_quota_exceeded, monthly_quota_exceeded => the Resend account has used up its quota',
      'account: status 401, 403 => Resend rejected the API key or the sender',
    ],
    // A key that may only send is rejected with its own error.
    check: { url: '{{ apiUrl }}/domains', success: '/^\\{"data":|^\\{"object":"list"|"name":"restricted_api_key"/' },
  },
  body: ({ messageId, to, subject, text, html, headers, attachments }, { from }) => ({
    from: formatSender(from),
    to: [to],
    subject,
    text,
    html,
    headers,
    attachments: attachmentsAs(attachments, { filename: 'filename', contentType: 'content_type', content: 'content' }),
    tags: [{ name: 'messageId', value: messageId }],
  }),
  reportsHelp: 'In Resend, open Webhooks, add this address, and select all email events except opened and clicked.',
  readEvents: (request, { signingKey: key }, { clock }) =>
    key && isSigned(request, key, clock.now()) ? jsonEvents(request.body) : undefined,
  eventOf(read) {
    const bounce = read('data.bounce.type') === 'Permanent' ? 'hardBounce' : 'softBounce';
    return {
      kind: read('type') === 'email.bounced' ? bounce : kindIn(KINDS, read('type')),
      messageId: read('data.tags.messageId'),
      providerId: read('data.email_id'),
      code: read('data.bounce.subType') ?? read('data.suppressed.type'),
      text: read('data.bounce.message') ?? read('data.failed.reason') ?? read('data.suppressed.message'),
    };
  },
};
