import { defineCreate, defineInputFields, type CreatePerform, type InferInputData } from 'zapier-platform-core';
import { call } from '../service.js';
import { session, sessionBody } from '../session.js';

const inputFields = defineInputFields([session]);

const perform = (async (z, bundle) => {
  await call(z, bundle, { path: '/auth/revokesession', body: sessionBody(bundle.inputData) });
  return { revoked: true };
}) satisfies CreatePerform<InferInputData<typeof inputFields>>;

export default defineCreate({
  key: 'revoke_session',
  noun: 'Session',
  display: {
    label: 'Revoke Session',
    description: 'Ends a session at once, so that its token is refused from now on.',
  },
  operation: {
    perform,
    inputFields,
    outputFields: [{ key: 'revoked', label: 'Revoked', type: 'boolean' }],
    sample: { revoked: true },
  },
});
