import { defineCreate, defineInputFields, type CreatePerform, type InferInputData } from 'zapier-platform-core';
import { displayOf, textsOf } from '../fields.js';
import { messageFields, messageOutput, messageSample, type Message } from '../searches/find-message.js';
import { call } from '../service.js';

const inputFields = defineInputFields([{ key: 'messageId', ...textsOf('messageId'), type: 'string', required: true }]);

const perform = (async (z, bundle) => {
  const { data } = await call<Message>(z, bundle, {
    method: 'DELETE',
    path: `/messages/${encodeURIComponent(String(bundle.inputData.messageId ?? '').trim())}`,
    expects: { 'data.messageId': 'string', 'data.state': 'string' },
  });
  return messageOutput(data);
}) satisfies CreatePerform<InferInputData<typeof inputFields>>;

export default defineCreate({
  key: 'cancel_message',
  noun: 'Message',
  display: displayOf('cancel'),
  operation: {
    perform,
    inputFields,
    outputFields: messageFields,
    sample: messageOutput({ ...messageSample, state: 'canceled', sendTime: 1772791200 }),
  },
});
