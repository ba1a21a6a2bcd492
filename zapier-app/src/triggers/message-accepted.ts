import { eventTrigger } from '../events.js';
import { messageFields, messageFilters, messageSample } from '../message-event.js';

export default eventTrigger({
  key: 'message_accepted',
  event: 'message.accepted',
  noun: 'Message',
  label: 'Message Accepted',
  description: 'Triggers when a provider accepts a code or a notification.',
  inputFields: messageFilters,
  outputFields: messageFields,
  sample: { ...messageSample, state: 'sent', message: 'sent' },
});
