import { defineCreate } from 'zapier-platform-core';
import { displayOf } from '../fields.js';
import { notificationFields, notificationOutput, notificationSample, sendNotification } from '../notification.js';

export default defineCreate({
  key: 'order_notification',
  noun: 'Order Notification',
  display: displayOf('notifyOrder'),
  operation: {
    perform: sendNotification('order'),
    inputFields: notificationFields('order'),
    outputFields: notificationOutput,
    sample: notificationSample,
  },
});
