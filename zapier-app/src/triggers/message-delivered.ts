import { eventTrigger } from '../events.js';
import { messageFields, messageFilters, messageSample } from '../message-event.js';

export default eventTrigger({
  key: 'message_delivered',
  event: 'message.delivered',
  noun: 'Message',
  inputFields: messageFilters,
  outputFields: messageFields,
  sample: { ...messageSample, state: 'delivered', message: 'delivered' },
});
