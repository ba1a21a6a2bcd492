import { eventTrigger } from '../events.js';
import { messageFields, messageFilters, messageSample } from '../message-event.js';

export default eventTrigger({
  key: 'message_failed',
  event: 'message.failed',
  noun: 'Message',
  label: 'Message Failed',
  description: 'Triggers when a code or a notification could not be delivered.',
  inputFields: messageFilters,
  outputFields: messageFields,
  sample: { ...messageSample, state: 'failed', message: 'the recipient has opted out' },
});
