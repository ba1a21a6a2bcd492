import { parseJson } from '../../platform/json.js';
import { attachmentsAs, encodeSender } from '../email.js';
import { awsSignature } from '../http-gateway/aws-signature.js';
import { matching, optional, required, secret } from '../provider-field.js';
import { descriptionOf, kindIn, namedHeaders } from './preset.js';
import type { EmailPreset, EventKind, Kinds, ReadEvent } from './preset.js';
import { readSnsMessage, TOPIC } from './sns.js';

const API = 'https://email.{{ region }}.amazonaws.com/v2/email';

const KINDS: Kinds = { sent: ['Send', 'DeliveryDelay'], delivered: ['Delivery'], dropped: ['Reject'] };

function kindOf(read: ReadEvent): EventKind | undefined {
  const type = read('eventType');
  if (type === 'Bounce') return read('bounce.bounceType') === 'Permanent' ? 'hardBounce' : 'softBounce';
  if (type !== 'Complaint') return kindIn(KINDS, type);
  if (read('complaint.complaintSubType') === 'OnAccountSuppressionList') return 'complainedBefore';
  return read('complaint.complaintFeedbackType') === 'not-spam' ? undefined : 'complaint';
}

const ATTACHMENT_FIELDS = { filename: 'FileName', contentType: 'ContentType', content: 'RawContent' };

const utf8 = (Data: string) => ({ Data, Charset: 'UTF-8' });

export const AMAZON_SES: EmailPreset = {
  name: 'amazon-ses',
  title: 'Amazon SES',
  description: descriptionOf(
    "Amazon's email service, billed to your AWS account",
    'an access key with the permissions ses:SendEmail and ses:GetAccount',
  ),
  documentation: 'https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html',
  checked: '2026-11-26',
  fields: [
    matching(required('region', 'Region'), /^[a-z]{2}(-[a-z]+)+-\d$/, 'must be a region, such as eu-west-1'),
    required('accessKeyId', 'Access key ID'),
    secret('secretAccessKey', 'Secret access key'),
    optional(
      'configurationSet',
      'Configuration set',
      'Delivery reports require a configuration set that publishes events to an SNS topic.',
    ),
    TOPIC,
  ],
  definition: {
    url: `${API}/outbound-emails`,
    sign: awsSignature('ses'),
    success: 'status 200 and MessageId exists',
    id: 'MessageId',
    errors: [
      'account: message ~ /quota exceeded|sending (?:is|has been)? ?(?:paused|disabled|suspended)/i => the SES account may not send more emails',
      'account: status 400 and message ~ /not verified/i => SES has not verified the sender, or the account is in the sandbox',
      'account: status 403 => AWS rejected the access key, or its policy does not allow ses:SendEmail',
    ],
    check: { url: `${API}/account`, success: 'status 200 and SendingEnabled = true' },
  },
  body: ({ messageId, to, subject, text, html, headers, attachments }, { from, configurationSet }) => ({
    FromEmailAddress: encodeSender(from),
    Destination: { ToAddresses: [to] },
    Content: {
      Simple: {
        Subject: utf8(subject),
        Body: { Text: utf8(text), Html: utf8(html) },
        Headers: namedHeaders(headers),
        Attachments: attachmentsAs(attachments, ATTACHMENT_FIELDS),
      },
    },
    EmailTags: [{ Name: 'messageId', Value: messageId }],
    ConfigurationSetName: configurationSet || undefined,
  }),
  reportsHelp:
    'In Amazon SNS, subscribe this address to the topic with the protocol HTTPS. The configuration set must publish Bounce, Complaint, Delivery and Reject to the topic.',
  async readEvents({ body }, { topicArn }, context) {
    const message = topicArn ? await readSnsMessage(body, topicArn, context) : undefined;
    return message === undefined ? undefined : [parseJson(message)];
  },
  eventOf: (read) => ({
    kind: kindOf(read),
    messageId: read('mail.tags.messageId[0]'),
    providerId: read('mail.messageId'),
    code: read('bounce.bouncedRecipients[0].status') ?? read('bounce.bounceSubType'),
    text: read('bounce.bouncedRecipients[0].diagnosticCode') ?? read('reject.reason'),
  }),
};
