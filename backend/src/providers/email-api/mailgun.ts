import { constantTimeEqual, hmac } from '../../platform/crypto.js';
import { parseJson } from '../../platform/json.js';
import { formatSender } from '../email.js';
import { compilePath, compileValue } from '../http-gateway/paths.js';
import { matching, required, secret } from '../provider-field.js';
import { descriptionOf, isRecent, kindIn, REGION, signingKey } from './preset.js';
import type { EmailPreset, EventKind, Kinds, ReadEvent } from './preset.js';

/** Events, and the reasons of the event `failed`. */
const KINDS: Kinds = {
  sent: ['accepted'],
  delivered: ['delivered'],
  hardBounce: ['bounce', 'suppress-bounce'],
  blocked: ['espblock'],
  dropped: ['rejected'],
  complaint: ['complained'],
  complainedBefore: ['suppress-complaint'],
  optedOut: ['unsubscribed'],
  optedOutBefore: ['suppress-unsubscribe'],
};

function kindOf(read: ReadEvent): EventKind | undefined {
  if (read('event') !== 'failed') return kindIn(KINDS, read('event'));
  // Mailgun tries again after temporary failures.
  if (read('severity') !== 'permanent') return 'sent';
  const isSoft = read('delivery-status.bounce-type') === 'soft';
  return (isSoft ? undefined : kindIn(KINDS, read('reason'))) ?? 'softBounce';
}

export const MAILGUN: EmailPreset = {
  name: 'mailgun',
  title: 'Mailgun',
  description: descriptionOf(
    'An email service with servers in the US and the EU',
    'a domain and an API key of a Mailgun account',
  ),
  documentation: 'https://documentation.mailgun.com/docs/mailgun/quickstart-guide/responses',
  checked: '2026-11-26',
  // Mailgun accepts attachments only as multipart/form-data.
  sendsAttachments: false,
  fields: [
    matching(required('domain', 'Domain', 'For example, mg.shop.example.'), /^[A-Za-z0-9.-]+$/, 'must be a domain'),
    secret('apiKey', 'API key', 'A sending key of the domain is sufficient.'),
    REGION,
    signingKey(
      'Webhook signing key',
      'The “HTTP webhook signing key” in Mailgun, under Account settings → API Security.',
    ),
  ],
  definition: {
    url: 'https://{{ region }}.mailgun.net/v3/{{ domain }}/messages',
    encoding: 'form',
    authentication: { type: 'basic', user: 'api', password: '{{ apiKey }}' },
    success: 'status 200 and id exists',
    errors: [
      'account: status 401, 403 => Mailgun rejected the API key',
      'account: status 402, 404 => the domain does not exist in Mailgun, or may not send emails',
      "permanent: message ~ /^'?to'? parameter is not a valid address/ => Mailgun rejected the recipient",
    ],
  },
  body: ({ messageId, to, subject, text, html, headers }, { from }) => ({
    from: formatSender(from),
    to,
    subject,
    text,
    html,
    'v:messageId': messageId,
    ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [`h:${name}`, value])),
  }),
  reportsHelp:
    'In Mailgun, open the webhooks of the domain, and add this address for delivered, permanent failure, spam complaints and unsubscribes.',
  readEvents({ body }, { signingKey: key }, { clock }) {
    const event = parseJson(body.toString('utf8'));
    const fields = ['timestamp', 'token', 'signature'];
    const [timestamp, token, signature] = fields.map((name) => compilePath(`signature.${name}`)(event));
    const isSigned = key && constantTimeEqual(signature ?? '', hmac(key, `${timestamp}${token}`));
    return isSigned && isRecent(timestamp, clock.now()) ? [compileValue('event-data')(event)] : undefined;
  },
  eventOf: (read) => ({
    kind: kindOf(read),
    messageId: read('user-variables.messageId'),
    code: read('delivery-status.enhanced-code') || read('reason'),
    text: read('delivery-status.message') || read('delivery-status.description'),
  }),
};
