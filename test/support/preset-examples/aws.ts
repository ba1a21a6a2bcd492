import { MESSAGE_ID } from '../gateway-server.js';
import { ok, TEXT, type PresetExample } from '../preset-examples-android.js';

const awsError = (type: string, Reason?: string) => ok({ __type: type, Message: 'error', Reason }, 400);

export const AWS_EXAMPLE: PresetExample = {
  source: 'the API reference of SendTextMessage, and the service model in the official JavaScript SDK',
  settings: {
    region: 'eu-west-1',
    accessKeyId: 'AKIDEXAMPLE',
    secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
    from: 'pool-a1b2c3',
  },
  to: '+14155550100',
  url: 'https://sms-voice.eu-west-1.amazonaws.com/',
  headers: {
    'content-type': 'application/x-amz-json-1.0',
    'x-amz-target': 'PinpointSMSVoiceV2.SendTextMessage',
  },
  body: {
    DestinationPhoneNumber: '+14155550100',
    OriginationIdentity: 'pool-a1b2c3',
    MessageBody: TEXT,
    MessageType: 'TRANSACTIONAL',
    Context: { messageId: MESSAGE_ID },
  },
  accepted: [ok({ MessageId: '00000000-0000-4000-8000-000000000000' }), '00000000-0000-4000-8000-000000000000'],
  failures: [
    [awsError('com.amazonaws.pinpointsmsvoicev2#ThrottlingException'), 'transient', 'provider'],
    [awsError('ConflictException', 'DESTINATION_PHONE_NUMBER_OPTED_OUT'), 'permanent', 'message'],
    [awsError('ConflictException', 'NO_ORIGINATION_IDENTITIES_FOUND'), 'permanent', 'route'],
    [awsError('ValidationException', 'INVALID_PARAMETER'), 'permanent', 'route'],
    [awsError('ResourceNotFoundException'), 'permanent', 'route'],
    [awsError('AccessDeniedException', 'ACCOUNT_DISABLED'), 'permanent', 'provider'],
    [awsError('ServiceQuotaExceededException', 'MONTHLY_SPEND_LIMIT_REACHED_FOR_TEXT'), 'permanent', 'provider'],
    [awsError('InvalidSignatureException'), 'permanent', 'provider'],
    [ok({ __type: 'InternalServerException' }, 500), 'unknown', 'provider'],
  ],
  reports: [],
};
