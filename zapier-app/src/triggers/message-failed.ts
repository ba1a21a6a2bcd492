import { eventTrigger } from '../events.js';
import { messageFields, messageFilters, messageSample } from '../message-event.js';

export default eventTrigger({
  key: 'message_failed',
  event: 'message.failed',
  noun: 'Message',
  inputFields: messageFilters,
  outputFields: messageFields,
  sample: { ...messageSample, state: 'failed', message: 'the recipient has opted out' },
});
