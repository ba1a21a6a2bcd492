import { codeFields, codeSample } from '../code-event.js';
import { eventTrigger } from '../events.js';
import { channelFilter } from '../message-event.js';

export default eventTrigger({
  key: 'otp_verified',
  event: 'otp.verified',
  noun: 'Verification',
  inputFields: [channelFilter],
  outputFields: [
    ...codeFields,
    { key: 'userId', label: 'User ID', type: 'string' },
    { key: 'verifiedTime', label: 'Verified At', type: 'datetime' },
  ],
  sample: { ...codeSample, userId: 'USR-0123456789abcdefghijklmnopqrstuv', verifiedTime: 1772704830 },
});
