import type { IDataObject, IDisplayOptions, INodeProperties } from 'n8n-workflow';
import { InvalidInput } from '../../shared/failure';
import { FIELDS } from '../../shared/generated/connectors';
import { code, compact, type Operation, text } from '../../shared/operation';
import {
  channelField,
  CHANNELS,
  idempotencyOption,
  languageOption,
  optionsField,
  referenceOption,
  showFor,
  simplifyField,
  textsOf,
  toField,
  waitOption,
} from '../../shared/properties';
import { SENT, simplifySend } from '../../shared/send-reply';

/** Failures that are caused by the entered code, not by the workflow. */
export const NOT_VERIFIED = ['INVALID_OTP', 'OTP_EXPIRED', 'OTP_LOCKED'];

/**
 * Not `sendAndWait`: from an operation of that name, n8n derives an agent tool that asks people for approval, which this
 * node cannot do.
 */
export const SEND_AND_WAIT = 'sendCodeAndWait';

const send = showFor('otp', 'send');
const sendAndWait = showFor('otp', SEND_AND_WAIT);
const verify = showFor('otp', 'verify');

const clientIpOption: INodeProperties = {
  ...textsOf('clientIp'),
  name: 'clientIp',
  type: 'string',
  default: '',
};

const codeLengthOption: INodeProperties = {
  ...textsOf('otpLength'),
  name: 'otpLength',
  type: 'number',
  typeOptions: { minValue: 4, maxValue: 10 },
  default: 6,
};

const expiryOption: INodeProperties = {
  ...textsOf('expiry'),
  name: 'expiry',
  type: 'number',
  typeOptions: { minValue: 1, maxValue: 1440 },
  default: 5,
};

const ownCodeOption: INodeProperties = {
  ...textsOf('ownCode'),
  name: 'otp',
  type: 'string',
  typeOptions: { password: true },
  default: '',
};

/** Uses the names of the same option in n8n's own nodes. */
const limitWaitTimeOption: INodeProperties = {
  displayName: 'Limit Wait Time',
  name: 'limitWaitTime',
  type: 'fixedCollection',
  default: { values: { resumeAmount: 15, resumeUnit: 'minutes' } },
  description:
    'How long to wait before the item goes to the Timed Out output. Without this option, the node waits 15 minutes.',
  displayOptions: { show: { '@version': [{ _cnd: { gte: 1.2 } }] } },
  options: [
    {
      displayName: 'Values',
      name: 'values',
      values: [
        {
          displayName: 'Amount',
          name: 'resumeAmount',
          type: 'number',
          typeOptions: { minValue: 1 },
          default: 15,
          description: 'The time to wait for the code',
        },
        {
          displayName: 'Unit',
          name: 'resumeUnit',
          type: 'options',
          options: [
            { name: 'Days', value: 'days' },
            { name: 'Hours', value: 'hours' },
            { name: 'Minutes', value: 'minutes' },
          ],
          default: 'minutes',
          description: 'Unit of the amount. The node waits for at most 30 days.',
        },
      ],
    },
  ],
};

const includeTokenOption: INodeProperties = {
  displayName: 'Include Session Token',
  name: 'includeToken',
  type: 'boolean',
  default: true,
  description:
    'Whether to output the session token. Without this option, the node outputs the token, but an AI agent tool does not, because its model could repeat the token.',
};

/** How Verify Code finds the code to check. */
const verifyByField = (preset: string, displayOptions: IDisplayOptions): INodeProperties => ({
  displayName: 'Verify By',
  name: 'verifyBy',
  type: 'options',
  noDataExpression: true,
  options: [
    {
      name: FIELDS.recipient.label,
      value: 'recipient',
      description: 'The newest code that was sent to a recipient',
    },
    { name: FIELDS.maskId.label, value: 'maskId', description: 'The code from a specific Send step' },
  ],
  default: preset,
  description: 'How to find the code that the person received',
  displayOptions,
});

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
        action: 'Send a code',
        description: 'Send a code to a phone number or an email address',
      },
      {
        name: 'Send and Wait for Response',
        value: SEND_AND_WAIT,
        action: 'Send a code and wait for response',
        description: 'Send a code, and wait until the person enters it on a page',
      },
      {
        name: 'Verify',
        value: 'verify',
        action: 'Verify a code',
        description: 'Check the code that a person entered, and get a session token if the code is correct',
      },
    ],
    default: 'send',
  },
  {
    displayName:
      'To open the page from a Webhook node, set its <b>Respond</b> to "When Last Node Finishes", and its <b>Response Data</b> to "First Entry Binary"',
    name: 'openPageNotice',
    type: 'notice',
    default: '',
    displayOptions: sendAndWait,
  },
  toField(showFor('otp', ['send', SEND_AND_WAIT])),
  channelField(showFor('otp', ['send', SEND_AND_WAIT])),
  // Version 1 of the node had only Verification ID.
  verifyByField('maskId', showFor('otp', 'verify', { '@version': [1] })),
  verifyByField('recipient', showFor('otp', 'verify', { '@version': [{ _cnd: { gte: 1.1 } }] })),
  {
    ...textsOf('recipient'),
    name: 'to',
    type: 'string',
    required: true,
    default: '',
    displayOptions: showFor('otp', 'verify', { verifyBy: ['recipient'] }),
  },
  {
    displayName: FIELDS.maskId.label,
    name: 'maskId',
    type: 'string',
    required: true,
    default: '',
    placeholder: "={{ $('Send Code').item.json.maskId }}",
    description: 'Verification ID returned by Send Code',
    displayOptions: showFor('otp', 'verify', { verifyBy: ['maskId'] }),
  },
  {
    ...textsOf('code'),
    name: 'otp',
    type: 'string',
    required: true,
    default: '',
    displayOptions: verify,
  },
  {
    displayName: 'If Not Verified',
    name: 'ifNotVerified',
    type: 'options',
    noDataExpression: true,
    options: [
      {
        name: 'Continue on the "Not Verified" Output',
        value: 'branch',
        description: 'The node has two outputs. Wrong, expired and locked codes go to the second one.',
      },
      {
        name: 'Fail',
        value: 'fail',
        description:
          "A wrong, expired or locked code is an error. The node's On Error setting determines what happens.",
      },
    ],
    default: 'branch',
    description: 'What to do if the code is wrong, expired or locked',
    displayOptions: verify,
  },
  simplifyField(showFor('otp', ['send', 'verify'])),
  optionsField(send, [
    clientIpOption,
    codeLengthOption,
    expiryOption,
    idempotencyOption,
    languageOption,
    waitOption,
    ownCodeOption,
    referenceOption,
  ]),
  optionsField(sendAndWait, [
    clientIpOption,
    codeLengthOption,
    expiryOption,
    includeTokenOption,
    languageOption,
    limitWaitTimeOption,
    waitOption,
    {
      displayName: 'Channels for a New Code',
      name: 'resendChannels',
      type: 'multiOptions',
      options: CHANNELS.filter(({ value }) => value !== 'auto'),
      default: [],
      description:
        'Channels that the page offers for a new code. Without this option, a new code uses the Channel of this node.',
    },
    referenceOption,
    {
      ...textsOf('redirectUrl'),
      name: 'redirectUrl',
      type: 'string',
      default: '',
    },
    {
      displayName: 'Wait Up To (Minutes)',
      name: 'waitMinutes',
      type: 'number',
      typeOptions: { minValue: 1 },
      default: 15,
      description: 'How long to wait before the item goes to the Timed Out output',
      displayOptions: { show: { '@version': [1, 1.1] } },
    },
  ]),
  optionsField(verify, [includeTokenOption, waitOption]),
];

function simplifyVerified(reply: IDataObject): IDataObject {
  const { token, tokenType, expiresIn, user } = reply.data as IDataObject;
  return { verified: true, token, tokenType, expiresIn, user };
}

const sendOperation: Operation = {
  needsKey: true,
  request(context, itemIndex) {
    const { otpLength, expiry, otp, language, clientIp, reference } = context.getNodeParameter(
      'options',
      itemIndex,
      {},
    );
    const channel = text(context, 'channel', itemIndex);
    const authWay = channel === 'auto' ? '' : channel;
    const message = { to: text(context, 'to', itemIndex), authWay, language, reference };
    const body = compact({ ...message, otpLength, expiry, otp, clientIp });
    return { method: 'POST', path: '/auth/sendotp', body, expects: SENT, labels: { otp: FIELDS.ownCode.label } };
  },
  simplify: simplifySend,
};

export const otpOperations: Record<string, Operation> = {
  send: sendOperation,
  [SEND_AND_WAIT]: sendOperation,
  verify: {
    needsKey: true,
    request(context, itemIndex) {
      const by = context.getNodeParameter('verifyBy', itemIndex, 'maskId') === 'recipient' ? 'to' : 'maskId';
      const identifier = String(text(context, by, itemIndex));
      if (identifier.trim() === '')
        throw new InvalidInput(`${FIELDS[by === 'to' ? 'recipient' : 'maskId'].label} is empty`);
      const body = { [by]: identifier, otp: code(context, 'otp', itemIndex) };
      const expects = { 'data.token': 'string', 'data.user': 'object' } as const;
      return { method: 'POST', path: '/auth/verifyotp', body, expects };
    },
    simplify: simplifyVerified,
  },
};
