import { defineCreate } from 'zapier-platform-core';
import { notificationFields, sendNotification } from '../notification.js';
import { sendOutputFields, sendSample } from '../send-result.js';

export default defineCreate({
  key: 'invoice_notification',
  noun: 'Invoice Notification',
  display: {
    label: 'Send Invoice Notification',
    description: 'Sends a message about an invoice, such as a reminder.',
  },
  operation: {
    perform: sendNotification('invoice'),
    inputFields: notificationFields('invoice'),
    outputFields: sendOutputFields,
    sample: sendSample,
  },
});
