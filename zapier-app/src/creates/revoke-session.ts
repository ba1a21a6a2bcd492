import { defineCreate, defineInputFields, type CreatePerform, type InferInputData } from 'zapier-platform-core';
import { displayOf, pickInputs, session } from '../fields.js';
import { call } from '../service.js';

const inputFields = defineInputFields([session]);

const perform = (async (z, bundle) => {
  await call(z, bundle, { path: '/auth/revokesession', body: pickInputs(bundle.inputData, ['session']), expects: {} });
  return { revoked: true };
}) satisfies CreatePerform<InferInputData<typeof inputFields>>;

export default defineCreate({
  key: 'revoke_session',
  noun: 'Session',
  display: displayOf('revoke'),
  operation: {
    perform,
    inputFields,
    outputFields: [{ key: 'revoked', label: 'Revoked', type: 'boolean' }],
    sample: { revoked: true },
  },
});
