import { defineCreate, defineInputFields, type CreatePerform, type InferInputData } from 'zapier-platform-core';
import { haltedError } from '../failures.js';
import { pickInputs } from '../fields.js';
import { call } from '../service.js';

interface SessionToken {
  readonly tokenType: string;
  readonly token: string;
  readonly expiresIn: number;
  readonly user: {
    readonly email: string;
    readonly phone: string;
    readonly userId: string;
    readonly userApplicationId: number;
  };
}

const inputFields = defineInputFields([
  {
    key: 'maskId',
    label: 'Mask ID',
    type: 'string',
    required: true,
    helpText: 'Map Mask ID from the Send OTP step.',
  },
  { key: 'otp', label: 'Code', type: 'string', required: true, helpText: 'The code that the person entered.' },
  {
    key: 'whenWrong',
    label: 'When the Code Is Wrong',
    type: 'string',
    required: false,
    default: 'stop',
    choices: [
      { value: 'stop', label: 'Stop the Zap Here', sample: 'stop' },
      { value: 'continue', label: 'Continue (Verified = False)', sample: 'continue' },
    ],
    helpText:
      'Also applies to expired codes. To handle them in the Zap, choose Continue, and add a Path or a Filter on Verified.',
  },
]);

const perform = (async (z, bundle) => {
  const { success, message, data } = await call<SessionToken>(z, bundle, {
    path: '/auth/verifyotp',
    body: pickInputs(bundle.inputData, ['maskId', 'otp']),
    accept: ['INVALID_OTP', 'OTP_EXPIRED'],
  });
  if (success) return { verified: true, reason: '', ...data };
  if (bundle.inputData.whenWrong !== 'continue') throw haltedError(z, `${message}.`);
  return { verified: false, reason: message };
}) satisfies CreatePerform<InferInputData<typeof inputFields>>;

export default defineCreate({
  key: 'verify_otp',
  noun: 'Verification',
  display: {
    label: 'Verify OTP',
    description: 'Checks the code that a person entered and starts a session.',
  },
  operation: {
    perform,
    inputFields,
    outputFields: [
      { key: 'verified', label: 'Verified', type: 'boolean' },
      { key: 'reason', label: 'Reason', type: 'string' },
      { key: 'tokenType', label: 'Session Token Type', type: 'string' },
      { key: 'token', label: 'Session Token', type: 'password' },
      { key: 'expiresIn', label: 'Session Seconds', type: 'integer' },
      { key: 'user__email', label: 'User Email', type: 'string' },
      { key: 'user__phone', label: 'User Phone', type: 'string' },
      { key: 'user__userId', label: 'User ID', type: 'string' },
      { key: 'user__userApplicationId', label: 'User Number', type: 'integer' },
    ],
    sample: {
      verified: true,
      reason: '',
      tokenType: 'Bearer',
      token: 'header.payload.signature',
      expiresIn: 1800,
      user: {
        email: '',
        phone: '+14155550123',
        userId: 'USR-0123456789abcdefghijklmnopqrstuv',
        userApplicationId: 1,
      },
    },
  },
});
