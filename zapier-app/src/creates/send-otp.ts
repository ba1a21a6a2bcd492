import { defineCreate, defineInputFields, type CreatePerform, type InferInputData } from 'zapier-platform-core';
import { channel, displayOf, pickInputs, language, reference, storedReference, textsOf, to } from '../fields.js';
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
  { key: 'otpLength', ...textsOf('otpLength'), type: 'integer', required: false },
  { key: 'expiry', ...textsOf('expiry'), type: 'integer', required: false },
  { key: 'otp', ...textsOf('ownCode'), type: 'string', required: false },
  language,
  { key: 'clientIp', ...textsOf('clientIp'), type: 'string', required: false },
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
  display: displayOf('send'),
  operation: { perform, inputFields, outputFields: sendOutputFields, sample: sendSample },
});
