import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { code, compact, type Operation, text } from '../../shared/operation';
import {
  channelField,
  idempotencyOption,
  languageOption,
  optionsField,
  showFor,
  simplifyField,
  toField,
  waitOption,
} from '../../shared/properties';
import { simplifySend } from '../../shared/send-reply';

/** Failures that are caused by the entered code, not by the workflow. */
export const NOT_VERIFIED = ['INVALID_OTP', 'OTP_EXPIRED', 'OTP_LOCKED'];

const send = showFor('otp', 'send');
const verify = showFor('otp', 'verify');

export const otpProperties: INodeProperties[] = [
  {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: { resource: ['otp'] } },
    options: [
      {
        name: 'Send',
        value: 'send',
        action: 'Send an OTP',
        description: 'Send a one-time passcode to a phone number or an email address',
      },
      {
        name: 'Verify',
        value: 'verify',
        action: 'Verify an OTP',
        description: 'Check the code that a person entered, and get a session token if it is correct',
      },
    ],
    default: 'send',
  },
  toField(send),
  channelField(send),
  {
    displayName: 'Mask ID',
    name: 'maskId',
    type: 'string',
    required: true,
    default: '',
    placeholder: '={{ $json.maskId }}',
    description: 'Mask ID returned by Send OTP',
    displayOptions: verify,
  },
  {
    displayName: 'Code',
    name: 'otp',
    type: 'string',
    required: true,
    default: '',
    placeholder: '042137',
    description: 'The code that the person entered. Spaces and dashes are ignored, and leading zeros are kept.',
    displayOptions: verify,
  },
  {
    displayName: 'If Not Verified',
    name: 'ifNotVerified',
    type: 'options',
    noDataExpression: true,
    options: [
      {
        name: 'Continue on the Output "Not Verified"',
        value: 'branch',
        description: 'The node has two outputs. Wrong, expired and locked codes use the second one.',
      },
      {
        name: 'Fail',
        value: 'fail',
        description: 'A wrong, expired or locked code is an error. On Error in the settings determines what happens.',
      },
    ],
    default: 'branch',
    description: 'What to do if the code is wrong, expired or locked',
    displayOptions: verify,
  },
  simplifyField(showFor('otp', ['send', 'verify'])),
  optionsField(send, [
    {
      displayName: 'Client IP',
      name: 'clientIp',
      type: 'string',
      default: '',
      placeholder: '198.51.100.7',
      description: 'IP address of the person who requested the code. The fraud guard limits the codes for one address.',
    },
    {
      displayName: 'Code Length',
      name: 'otpLength',
      type: 'number',
      typeOptions: { minValue: 4, maxValue: 10 },
      default: 6,
      description: 'Number of digits of the code',
    },
    {
      displayName: 'Expiry',
      name: 'expiry',
      type: 'number',
      typeOptions: { minValue: 1, maxValue: 1440 },
      default: 5,
      description: 'Minutes until the code expires, 1 to 1440',
    },
    idempotencyOption,
    languageOption,
    waitOption,
    {
      displayName: 'Own Code',
      name: 'otp',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      description: 'Your own code, 4 to 10 letters or digits, instead of a generated one',
    },
  ]),
  optionsField(verify, [waitOption]),
];

function simplifyVerified(reply: IDataObject): IDataObject {
  const { token, tokenType, expiresIn, user } = reply.data as IDataObject;
  return { verified: true, token, tokenType, expiresIn, user };
}

export const otpOperations: Record<string, Operation> = {
  send: {
    sends: true,
    request(context, itemIndex) {
      const { otpLength, expiry, otp, language, clientIp } = context.getNodeParameter('options', itemIndex, {});
      const channel = text(context, 'channel', itemIndex);
      const authWay = channel === 'auto' ? '' : channel;
      const body = compact({ to: text(context, 'to', itemIndex), authWay, otpLength, expiry, otp, language, clientIp });
      return { method: 'POST', path: '/auth/sendotp', body };
    },
    simplify: simplifySend,
  },
  verify: {
    sends: false,
    request(context, itemIndex) {
      const body = { maskId: text(context, 'maskId', itemIndex), otp: code(context, 'otp', itemIndex) };
      return { method: 'POST', path: '/auth/verifyotp', body };
    },
    simplify: simplifyVerified,
  },
};
