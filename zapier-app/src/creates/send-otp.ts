import { defineCreate, defineInputFields, type CreatePerform, type InferInputData } from 'zapier-platform-core';
import { channel, pickInputs, language, reference, storedReference, to } from '../fields.js';
import { FIELDS } from '../generated/connectors.js';
import { hasReference } from '../run-key.js';
import { send, sendOutputFields, sendSample } from '../send-result.js';

const inputFields = defineInputFields([
  to,
  {
    ...reference,
    required: true,
    helpText:
      'Prevents duplicates: map the ID of the record that triggered the Zap. The same request with the same Reference sends only one code in 24 hours, even if you replay the run. A new Reference sends a new code.',
  },
  channel,
  {
    key: 'otpLength',
    label: FIELDS.otpLength.label,
    type: 'integer',
    required: false,
    placeholder: '6',
    helpText: FIELDS.otpLength.help,
  },
  {
    key: 'expiry',
    label: FIELDS.expiry.label,
    type: 'integer',
    required: false,
    placeholder: '5',
    helpText: FIELDS.expiry.help,
  },
  {
    key: 'otp',
    label: FIELDS.ownCode.label,
    type: 'string',
    required: false,
    helpText: FIELDS.ownCode.help,
  },
  language,
  {
    key: 'clientIp',
    label: FIELDS.clientIp.label,
    type: 'string',
    required: false,
    placeholder: '198.51.100.7',
    helpText: FIELDS.clientIp.help,
  },
]);

const perform = (async (z, bundle) => {
  // Without a Reference, a second code to the same recipient within a day would be treated as a retry.
  if (!hasReference(bundle))
    throw new z.errors.Error(
      'Reference is empty. Map the ID of the record that triggered the Zap.',
      'MISSING_REFERENCE',
      400,
    );
  const path = '/auth/sendotp';
  const fields = pickInputs(bundle.inputData, ['to', 'channel', 'otpLength', 'expiry', 'otp', 'language', 'clientIp']);
  return send(z, bundle, path, { ...fields, ...storedReference(bundle.inputData) });
}) satisfies CreatePerform<InferInputData<typeof inputFields>>;

export default defineCreate({
  key: 'send_otp',
  noun: 'Code',
  display: {
    label: 'Send OTP',
    description: 'Sends a verification code by SMS, WhatsApp, voice call or email.',
  },
  operation: { perform, inputFields, outputFields: sendOutputFields, sample: sendSample },
});
