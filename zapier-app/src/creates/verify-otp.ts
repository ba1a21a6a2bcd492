import { defineCreate, defineInputFields, type CreatePerform, type InferInputData } from 'zapier-platform-core';
import { haltedError } from '../failures.js';
import { displayOf, pickInputs, reference, textsOf } from '../fields.js';
import { hasReference, runKey } from '../run-key.js';
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
  { key: 'otp', ...textsOf('code'), type: 'string', required: true },
  { key: 'to', ...textsOf('recipient'), type: 'string', required: false },
  { key: 'maskId', ...textsOf('maskId'), type: 'string', required: false },
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
      'Stop ends the run after a wrong or expired code, and repeats the step after a lock. With Continue, add a Path or a Filter on Verified.',
  },
  {
    ...reference,
    helpText:
      'Map the ID of the record that triggered the Zap. If Zapier repeats this step with the same Reference within 24 hours, a correct code is accepted again. Without a Reference, a code works only once.',
  },
]);

/** A number may have lost its leading zeros. As a JSON number, the service restores them. */
const withoutZeros = (code: unknown): unknown =>
  typeof code === 'string' && /^[1-9]\d{0,8}$/.test(code.trim()) ? Number(code) : code;

const perform = (async (z, bundle) => {
  const path = '/auth/verifyotp';
  const { to, maskId, otp } = pickInputs(bundle.inputData, ['to', 'maskId', 'otp']);
  if (to === undefined && maskId === undefined)
    throw new z.errors.Error('Recipient is empty. Map it, or map Verification ID instead.', 'MISSING_PARAMETERS', 400);
  const body = { ...(maskId === undefined ? { to } : { maskId }), otp: withoutZeros(otp) };
  const continues = bundle.inputData.whenWrong === 'continue';
  const {
    success,
    message,
    hint = '',
    lockedForSeconds = 0,
    retryAfterSeconds = lockedForSeconds,
    data,
  } = await call<SessionToken>(z, bundle, {
    path,
    body,
    // Without a Reference, other runs would have the same key, and a code would work for each of them.
    ...(hasReference(bundle) && { idempotencyKey: runKey(bundle, path, body) }),
    accept: ['INVALID_OTP', 'OTP_EXPIRED', ...(continues ? (['OTP_LOCKED'] as const) : [])],
    expects: { 'data.token': 'string', 'data.user': 'object' },
  });
  if (success) return { verified: true, reason: '', retryAfterSeconds: 0, ...data };
  if (!continues) throw haltedError(z, lockedForSeconds > 0 ? `${message}. ${hint}` : `${message}.`);
  return { verified: false, reason: message, retryAfterSeconds };
}) satisfies CreatePerform<InferInputData<typeof inputFields>>;

export default defineCreate({
  key: 'verify_otp',
  noun: 'Verification',
  display: displayOf('verify'),
  operation: {
    perform,
    inputFields,
    outputFields: [
      { key: 'verified', label: 'Verified', type: 'boolean' },
      { key: 'reason', label: 'Reason', type: 'string' },
      { key: 'retryAfterSeconds', label: 'Locked For (Seconds)', type: 'integer' },
      { key: 'tokenType', label: 'Session Token Type', type: 'string' },
      { key: 'token', label: 'Session Token', type: 'password' },
      { key: 'expiresIn', label: 'Session Lifetime (Seconds)', type: 'integer' },
      { key: 'user__email', label: 'User Email', type: 'string' },
      { key: 'user__phone', label: 'User Phone', type: 'string' },
      { key: 'user__userId', label: 'User ID', type: 'string' },
      { key: 'user__userApplicationId', label: 'User Number in the Application', type: 'integer' },
    ],
    sample: {
      verified: true,
      reason: '',
      retryAfterSeconds: 0,
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
