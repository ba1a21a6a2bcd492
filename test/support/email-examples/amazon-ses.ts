import { generateKeyPairSync } from 'node:crypto';
import { MESSAGE_ID } from '../gateway-server.js';
import * as shared from '../email-example.js';
import { COMPLAINT, DELIVERED, ok, RECIPIENT, SENT, undelivered } from '../email-example.js';
import { notification, signed, snsCallback, TOPIC_ARN } from '../sns.js';

const ID = 'EXAMPLE7c191be45-e9aedb9a-02f9-4d12-a87d-dd0099a07f8a-000000';
const event = (eventType: string, more: object = {}) => ({
  eventType,
  mail: {
    timestamp: '2026-11-26T12:00:00.000Z',
    source: 'codes@shop.example',
    sendingAccountId: '123456789012',
    messageId: ID,
    destination: [RECIPIENT],
    headersTruncated: false,
    headers: [{ name: 'To', value: RECIPIENT }],
    tags: { 'ses:configuration-set': ['Passbell'], messageId: [MESSAGE_ID] },
  },
  ...more,
});
const bounce = (bounceType: string, bounceSubType: string, recipient: object = {}) =>
  event('Bounce', {
    bounce: {
      bounceType,
      bounceSubType,
      bouncedRecipients: [{ emailAddress: RECIPIENT, ...recipient }],
      timestamp: '2026-11-26T12:00:05.000Z',
      feedbackId: '01000157c44f053b-61b59c11',
    },
  });
const complaint = (more: object) =>
  event('Complaint', { complaint: { complainedRecipients: [{ emailAddress: RECIPIENT }], ...more } });
const unknownUser = { action: 'failed', status: '5.1.1', diagnosticCode: 'smtp; 550 5.1.1 <ana@example.com> unknown' };
const error = (message: string, status: number) => ok({ message }, status);
const send = (content: object) => signed(notification(JSON.stringify(content)));
const parse = ({ body }: { body: Buffer }) => JSON.parse(body.toString());

export const AMAZON_SES_EXAMPLE: shared.EmailExample = {
  source: "the API reference of SES version 2, the vendor's examples of event data, and the pages on signatures of SNS",
  settings: {
    region: 'eu-west-1',
    accessKeyId: 'AKIDEXAMPLE',
    secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
    configurationSet: 'Passbell',
    topicArn: TOPIC_ARN,
  },
  path: '/v2/email/outbound-emails',
  headers: { 'content-type': 'application/json' },
  body: {
    FromEmailAddress: shared.QUOTED_SENDER,
    Destination: { ToAddresses: [RECIPIENT] },
    Content: {
      Simple: {
        Subject: { Data: shared.SUBJECT, Charset: 'UTF-8' },
        Body: { Text: { Data: shared.TEXT, Charset: 'UTF-8' }, Html: { Data: shared.HTML, Charset: 'UTF-8' } },
        Headers: Object.entries(shared.HEADERS).map(([Name, Value]) => ({ Name, Value })),
      },
    },
    EmailTags: [{ Name: 'messageId', Value: MESSAGE_ID }],
    ConfigurationSetName: 'Passbell',
  },
  accepted: [ok({ MessageId: ID }), ID],
  failures: [
    [error('Email address is not verified. The following identities failed the check', 400), 'permanent', 'provider'],
    [error('Sending paused for this account.', 400), 'permanent', 'provider'],
    [error('Local address contains control or whitespace', 400), 'permanent', 'route'],
    [error('The security token included in the request is invalid.', 403), 'permanent', 'provider'],
    [error('Maximum sending rate exceeded.', 429), 'transient', 'provider'],
    [error('Daily message quota exceeded.', 429), 'permanent', 'provider'],
    [error('', 500), 'unknown', 'provider'],
    [error('', 503), 'transient', 'provider'],
  ],
  check: { path: '/v2/email/account', valid: [ok({ SendingEnabled: true, ProductionAccessEnabled: true })] },
  send: (content) => snsCallback(send(content!)),
  providerId: ID,
  events: [
    [event('Send', { send: {} }), SENT],
    [event('DeliveryDelay', { deliveryDelay: { delayType: 'TransientCommunicationFailure' } }), SENT],
    [
      event('Delivery', { delivery: { smtpResponse: '250 2.6.0 Message received', recipients: [RECIPIENT] } }),
      DELIVERED,
    ],
    [bounce('Permanent', 'General', unknownUser), undelivered('hardBounce', '5.1.1')],
    [bounce('Permanent', 'OnAccountSuppressionList'), undelivered('hardBounce', 'OnAccountSuppressionList')],
    [bounce('Transient', 'MailboxFull'), undelivered('softBounce', 'MailboxFull')],
    [bounce('Transient', 'ContentRejected'), undelivered(undefined, 'ContentRejected')],
    [bounce('Undetermined', 'Undetermined'), undelivered('softBounce')],
    [complaint({ complaintFeedbackType: 'abuse' }), COMPLAINT],
    [complaint({ complaintSubType: 'OnAccountSuppressionList' }), undelivered('complaint')],
    [complaint({ complaintFeedbackType: 'not-spam' }), undefined],
    [event('Reject', { reject: { reason: 'Bad content' } }), undelivered()],
    [event('Open', { open: { ipAddress: '192.0.2.1' } }), undefined],
  ],
  forged: {
    'another key': (request) => {
      const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
      return snsCallback(signed(parse(request), privateKey));
    },
    'another text': (request) => snsCallback({ ...parse(request), Message: JSON.stringify(event('Delivery')) }),
    'an old time': (request) => {
      const Timestamp = new Date(shared.clock.now() - 3 * 86_400_000).toISOString();
      return snsCallback(signed({ ...parse(request), Timestamp }));
    },
    'another topic': (request) =>
      snsCallback(signed({ ...parse(request), TopicArn: `${TOPIC_ARN}-of-another-account` })),
    'no signature': (request) => snsCallback({ ...parse(request), Signature: '' }),
    'no JSON': (request) => ({ ...request, body: Buffer.from('Message=x') }),
  },
};
