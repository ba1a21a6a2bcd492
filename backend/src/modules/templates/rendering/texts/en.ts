import type { Language } from '../language.js';

export const en: Language = {
  code: 'en',
  direction: 'ltr',
  voice: 'en-US',
  colon: ':',
  greeting: 'Hello {customerName}!',
  caller: 'This is a message from {application}.',
  attached: 'The document is attached as a PDF.',
  labels: {
    customerName: 'Customer',
    orderId: 'Order',
    orderTotal: 'Total',
    amount: 'Amount',
    status: 'Status',
    cancelReason: 'Reason',
    failureReason: 'Reason',
    paymentMethod: 'Payment method',
    retryPaymentLink: 'Pay now',
    trackingNo: 'Tracking number',
    estimatedDelivery: 'Expected delivery',
    deliveryAgentName: 'Your courier',
    refundedAmount: 'Refund',
    refundMethod: 'Refunded to',
    refundId: 'Refund number',
    expectedCreditDate: 'Expected by',
    orderDetailsLink: 'View the order',
    transactionId: 'Transaction',
    trackingLink: 'Track the parcel',
    feedbackLink: 'Rate the order',
    supportLink: 'Get help',
    retryUrl: 'Try again',
    updateMessage: 'Update',
    orderDate: 'Ordered on',
    invoiceNumber: 'Invoice',
    invoiceUrl: 'View the invoice',
  },
  otp: {
    message: '{code} is your {application} code.',
    validity: { one: 'It is valid for {minutes} minute.', other: 'It is valid for {minutes} minutes.' },
    warning: 'Never share it, not even with us.',
    subject: '{code} is your {application} code',
    email: 'Your {application} code is:',
    speech: 'Hello. Your {application} code is:',
    keyPrompt: 'Hello. {application} has a code for you. To hear it, press any key.',
    ignore: 'If you did not request this code, you can ignore this email.',
  },
  templates: {
    order_placed: {
      subject: 'We have received your order {orderId}',
      sentences: ['Thank you! We have received your order {orderId}.'],
    },
    order_confirmed: {
      subject: 'Your order {orderId} is confirmed',
      sentences: ['Your order {orderId} is confirmed.'],
    },
    order_processing: {
      subject: 'We are preparing your order {orderId}',
      sentences: ['We are preparing your order {orderId}.'],
    },
    order_shipped: {
      subject: 'Your order {orderId} is on its way',
      sentences: ['Your order {orderId} is on its way.'],
    },
    order_out_for_delivery: {
      subject: 'Your order {orderId} will arrive soon',
      sentences: ['Your order {orderId} is out for delivery.'],
    },
    order_delivered: {
      subject: 'Your order {orderId} has arrived',
      sentences: ['Your order {orderId} has been delivered. Enjoy!'],
    },
    order_delayed: {
      subject: 'Your order {orderId} is delayed',
      sentences: ['We are sorry: your order {orderId} is delayed.', '{updateMessage}'],
    },
    delivery_failed: {
      subject: 'We could not deliver your order {orderId}',
      sentences: ['We could not deliver your order {orderId}.'],
    },
    order_cancelled: {
      subject: 'Your order {orderId} was canceled',
      sentences: ['Your order {orderId} was canceled.'],
    },
    order_returned: {
      subject: 'We have received your return of order {orderId}',
      sentences: ['We have received your return of order {orderId}.'],
    },
    payment_success: {
      subject: 'We have received your payment for order {orderId}',
      sentences: ['Thank you! We have received your payment for order {orderId}.'],
    },
    payment_pending: {
      subject: 'Payment for your order {orderId} is still due',
      sentences: ['Payment for your order {orderId} is still due.'],
    },
    payment_failed: {
      subject: 'The payment for your order {orderId} failed',
      sentences: ['The payment for your order {orderId} failed.'],
    },
    refund_initiated: {
      subject: 'Your refund for order {orderId} is on its way',
      sentences: ['We have started your refund of {refundedAmount} for order {orderId}.'],
    },
    refund_completed: {
      subject: 'Your refund for order {orderId} is complete',
      sentences: ['Your refund of {refundedAmount} for order {orderId} is complete.'],
    },
    refund_failed: {
      subject: 'The refund for your order {orderId} failed',
      sentences: ['The refund for your order {orderId} failed. We are looking into it.'],
    },
    feedback_request: {
      subject: 'How was your order {orderId}?',
      sentences: ['How was your order {orderId}? We would love to hear from you.'],
    },
    order_update: {
      subject: 'An update on your order {orderId}',
      sentences: ['We have an update on your order {orderId}.', '{updateMessage}'],
    },
    invoice_generated: {
      subject: 'Your invoice {invoiceNumber}',
      sentences: ['Your invoice {invoiceNumber} for {amount} is ready.'],
    },
    invoice_reminder: {
      subject: 'Your invoice {invoiceNumber} is due',
      sentences: ['A friendly reminder: your invoice {invoiceNumber} for {amount} is due.'],
    },
    invoice_overdue: {
      subject: 'Your invoice {invoiceNumber} is overdue',
      sentences: ['Your invoice {invoiceNumber} for {amount} is overdue. Please pay it as soon as you can.'],
    },
    invoice_paid: {
      subject: 'Your invoice {invoiceNumber} is paid',
      sentences: ['Thank you! We have received the payment for your invoice {invoiceNumber}.'],
    },
    invoice_cancelled: {
      subject: 'Your invoice {invoiceNumber} was canceled',
      sentences: ['Your invoice {invoiceNumber} was canceled. No payment is needed.'],
    },
  },
};
