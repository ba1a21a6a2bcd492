import { eventTrigger } from '../events.js';
import { channelFilter } from '../message-event.js';

export default eventTrigger({
  key: 'otp_verified',
  event: 'otp.verified',
  noun: 'Verification',
  label: 'OTP Verified',
  description: 'Triggers when a person enters the correct code.',
  inputFields: [channelFilter],
  outputFields: [
    { key: 'maskId', label: 'Verification ID', type: 'string' },
    { key: 'userId', label: 'User ID', type: 'string' },
    { key: 'channel', label: 'Channel', type: 'string' },
    { key: 'identityType', label: 'Identity Type', type: 'string' },
    { key: 'to', label: 'Masked Recipient', type: 'string' },
    { key: 'reference', label: 'Reference', type: 'string' },
    { key: 'verifiedTime', label: 'Verified At', type: 'datetime' },
  ],
  sample: {
    maskId: '0f8fad5bd9cb469fa16570867728950e',
    userId: 'USR-0123456789abcdefghijklmnopqrstuv',
    channel: 'sms',
    identityType: 'phone',
    to: '+1*******123',
    reference: 'A-1001',
    verifiedTime: 1772704830,
  },
});
