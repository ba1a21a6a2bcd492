import { codeFields, codeSample } from '../code-event.js';
import { eventTrigger } from '../events.js';
import { channelFilter } from '../message-event.js';

export default eventTrigger({
  key: 'otp_canceled',
  event: 'otp.canceled',
  noun: 'Code',
  inputFields: [channelFilter],
  outputFields: codeFields,
  sample: codeSample,
});
