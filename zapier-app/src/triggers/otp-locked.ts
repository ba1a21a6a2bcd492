import { codeFields, codeSample } from '../code-event.js';
import { eventTrigger } from '../events.js';
import { channelFilter } from '../message-event.js';

export default eventTrigger({
  key: 'otp_locked',
  event: 'otp.locked',
  noun: 'Code',
  inputFields: [channelFilter],
  outputFields: [...codeFields, { key: 'lockedUntilTime', label: 'Locked Until', type: 'datetime' }],
  sample: { ...codeSample, lockedUntilTime: 1772704890 },
});
