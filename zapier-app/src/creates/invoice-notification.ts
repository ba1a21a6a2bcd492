import { defineCreate } from 'zapier-platform-core';
import { notificationFields, notificationOutput, notificationSample, sendNotification } from '../notification.js';

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
    outputFields: notificationOutput,
    sample: notificationSample,
  },
});
