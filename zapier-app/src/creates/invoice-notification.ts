import { defineCreate } from 'zapier-platform-core';
import { displayOf } from '../fields.js';
import { notificationFields, notificationOutput, notificationSample, sendNotification } from '../notification.js';

export default defineCreate({
  key: 'invoice_notification',
  noun: 'Invoice Notification',
  display: displayOf('notifyInvoice'),
  operation: {
    perform: sendNotification('invoice'),
    inputFields: notificationFields('invoice'),
    outputFields: notificationOutput,
    sample: notificationSample,
  },
});
