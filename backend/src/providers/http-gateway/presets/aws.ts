import { awsSignature } from '../aws-signature.js';
import { matching, optional, required, secret } from '../../provider-field.js';
import type { GatewayPreset } from '../preset.js';

export const AWS: GatewayPreset = {
  name: 'aws',
  title: 'AWS End User Messaging',
  description:
    'An AWS service for nearly all countries, billed to your AWS account. You need an access key with the permission sms-voice:SendTextMessage, and a sender.',
  documentation: 'https://docs.aws.amazon.com/pinpoint/latest/apireference_smsvoicev2/API_SendTextMessage.html',
  checked: '2026-11-22',
  fields: [
    matching(required('region', 'Region'), /^[a-z]{2}(-[a-z]+)+-\d$/, 'must be a region, such as eu-west-1'),
    required('accessKeyId', 'Access key ID'),
    secret('secretAccessKey', 'Secret access key'),
    required('from', 'Sender', 'A phone number, sender ID or pool ID, or the ARN of one.'),
    optional('configurationSet', 'Configuration set', 'Sends events to CloudWatch, Firehose or SNS.'),
  ],
  definition: {
    url: 'https://sms-voice.{{ region }}.amazonaws.com/',
    headers: { 'Content-Type': 'application/x-amz-json-1.0', 'X-Amz-Target': 'PinpointSMSVoiceV2.SendTextMessage' },
    body: {
      DestinationPhoneNumber: '{{ to }}',
      OriginationIdentity: '{{ from }}',
      MessageBody: '{{ text }}',
      MessageType: 'TRANSACTIONAL',
      ConfigurationSetName: '{{ configurationSet }}',
      Context: { messageId: '{{ messageId }}' },
    },
    sign: awsSignature('sms-voice'),
    success: 'status 200 and MessageId exists',
    id: 'MessageId',
    errorCode: 'Reason',
    errors: [
      'permanent: Reason = DESTINATION_PHONE_NUMBER_OPTED_OUT => the recipient has opted out',
      'transient: __type ~ /Throttling/ => the AWS account has reached its rate limit',
      'unknown: __type ~ /InternalServer/ => AWS had an internal error',
      'route: __type ~ /Validation|Conflict|ResourceNotFound/ => AWS rejected the message',
      'account: status 400 and __type exists => AWS rejected the account, or its quota is exhausted',
    ],
  },
};
