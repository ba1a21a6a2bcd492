import { defineCreate, defineInputFields, type CreatePerform, type InferInputData } from 'zapier-platform-core';
import { displayOf, pickInputs, session } from '../fields.js';
import { isoTime, withTypes } from '../send-result.js';
import { call } from '../service.js';

interface Identity {
  readonly userId: string;
  readonly identities: {
    readonly identityType: string;
    readonly identityValue: string;
    readonly channel: string;
    readonly verified: boolean;
    readonly verifiedAt: string;
  };
}

const inputFields = defineInputFields([session]);

const output = ({ userId, identities }: Identity) => ({
  verifiedAt: isoTime(identities.verifiedAt),
  userId,
  identities: withTypes(identities),
});

const perform = (async (z, bundle) => {
  const body = pickInputs(bundle.inputData, ['session']);
  const expects = { 'data.userId': 'string', 'data.identities': 'object' } as const;
  const { data } = await call<Identity>(z, bundle, { path: '/auth/verifytoken', body, expects });
  return output(data);
}) satisfies CreatePerform<InferInputData<typeof inputFields>>;

export default defineCreate({
  key: 'verify_token',
  noun: 'Session',
  display: displayOf('verifyToken'),
  operation: {
    perform,
    inputFields,
    outputFields: [
      { key: 'userId', label: 'User ID', type: 'string' },
      { key: 'verifiedAt', label: 'Verified At', type: 'datetime' },
      { key: 'identities__identityType', label: 'Identity Type', type: 'string' },
      { key: 'identities__identityValue', label: 'Masked Identity', type: 'string' },
      { key: 'identities__channel', label: 'Channel', type: 'string' },
      { key: 'identities__verified', label: 'Verified', type: 'boolean' },
    ],
    sample: output({
      userId: 'USR-0123456789abcdefghijklmnopqrstuv',
      identities: {
        identityType: 'phone',
        identityValue: '+1*******123',
        channel: 'sms',
        verified: true,
        verifiedAt: '1772704830',
      },
    }),
  },
});
