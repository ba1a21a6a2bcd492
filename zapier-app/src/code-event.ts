/** Output fields and sample of the code events. */
import type { OutputFields } from 'zapier-platform-core';

export const codeFields: OutputFields = [
  { key: 'maskId', label: 'Verification ID', type: 'string' },
  { key: 'channel', label: 'Channel', type: 'string' },
  { key: 'identityType', label: 'Identity Type', type: 'string' },
  { key: 'to', label: 'Masked Recipient', type: 'string' },
  { key: 'reference', label: 'Reference', type: 'string' },
];

export const codeSample = {
  maskId: '0f8fad5bd9cb469fa16570867728950e',
  channel: 'sms',
  identityType: 'phone',
  to: '+1*******123',
  reference: 'A-1001',
};
