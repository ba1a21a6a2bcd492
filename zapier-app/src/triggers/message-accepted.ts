import { eventTrigger } from '../events.js';
import { messageFields, messageFilters, messageSample } from '../message-event.js';

export default eventTrigger({
  key: 'message_accepted',
  event: 'message.accepted',
  noun: 'Message',
  inputFields: messageFilters,
  outputFields: messageFields,
  sample: { ...messageSample, state: 'sent', message: 'sent' },
});
