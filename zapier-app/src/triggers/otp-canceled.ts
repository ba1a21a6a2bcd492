import { codeFields, codeSample } from '../code-event.js';
import { eventTrigger } from '../events.js';
import { channelFilter } from '../message-event.js';

export default eventTrigger({
  key: 'otp_canceled',
  event: 'otp.canceled',
  noun: 'Code',
  label: 'OTP Canceled',
  description: 'Triggers when a code is canceled with the API.',
  inputFields: [channelFilter],
  outputFields: codeFields,
  sample: codeSample,
});
