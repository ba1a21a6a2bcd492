import { defineCreate } from 'zapier-platform-core';
import { notificationFields, notificationOutput, notificationSample, sendNotification } from '../notification.js';

export default defineCreate({
  key: 'order_notification',
  noun: 'Order Notification',
  display: {
    label: 'Send Order Notification',
    description: 'Sends a message about an order, such as a shipping notice.',
  },
  operation: {
    perform: sendNotification('order'),
    inputFields: notificationFields('order'),
    outputFields: notificationOutput,
    sample: notificationSample,
  },
});
