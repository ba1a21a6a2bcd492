import { eventTrigger } from '../events.js';
import { messageFields, messageSample } from '../message-event.js';

export default eventTrigger({
  key: 'message_delivered',
  event: 'message.delivered',
  noun: 'Message',
  label: 'Message Delivered',
  description: 'Triggers when a provider accepts a code or a notification.',
  outputFields: messageFields,
  sample: { ...messageSample, state: 'sent', message: 'sent' },
});
