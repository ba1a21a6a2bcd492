/** Webhooks of WooCommerce: `order.created` and `order.updated`, with the order as in its REST API. */
import { constantTimeEqual, hmacBase64 } from '../../platform/crypto.js';
import type { ShopEvent } from './automation.js';
import { newestId, objectsIn, textOf, timeOf, type JsonObject, type ShopType } from './shop-type.js';

const UNUSED_STATUSES = ['checkout-draft', 'auto-draft', 'draft', 'trash', 'failed'];

/** Whether the shop's staff created the order, and the customer has to pay with the link in `payment_url`. */
const isInvoice = ({ status, created_via: via, needs_payment: needsPayment }: JsonObject): boolean =>
  status === 'pending' && needsPayment !== false && via !== 'checkout' && via !== 'store-api';

/**
 * Derives the events from the state of the order, because WooCommerce has no topics for payments, shipments and
 * refunds. WooCommerce does not report the times of cancellations and refunds.
 */
function eventsOf(topic: string, order: JsonObject): ShopEvent[] {
  const { status } = order;
  const refunds = objectsIn(order.refunds);
  if (UNUSED_STATUSES.includes(textOf(status))) return [];
  const refunded: ShopEvent[] =
    refunds.length > 0 || status === 'refunded' ? [{ name: 'refunded', part: newestId(refunds) }] : [];
  if (status === 'cancelled') return [{ name: 'cancelled' }, ...refunded];
  if (status === 'refunded') return refunded;
  const created = timeOf(order.date_created_gmt);
  const paid = timeOf(order.date_paid_gmt);
  return [
    ...(topic === 'order.created' ? [{ name: 'created', happenedAt: created }] : []),
    ...(isInvoice(order) ? [{ name: 'invoice', happenedAt: created }] : []),
    ...(paid === undefined ? [] : [{ name: 'paid', happenedAt: paid }]),
    ...(status === 'completed' ? [{ name: 'fulfilled', happenedAt: timeOf(order.date_completed_gmt) }] : []),
    ...refunded,
  ];
}

const TOTAL = '{{ total }} {{ currency }}';

export const woocommerce: ShopType = {
  label: 'WooCommerce',
  events: {
    // First, and so preselected: placing orders costs an attacker nothing.
    paid: { label: 'Order paid', template: 'payment_success' },
    created: { label: 'Order created', template: 'order_placed' },
    fulfilled: { label: 'Order completed', template: 'order_shipped' },
    cancelled: { label: 'Order canceled', template: 'order_cancelled' },
    refunded: { label: 'Order refunded', template: 'refund_completed' },
    invoice: { label: 'Unpaid order created', template: 'invoice_generated' },
  },
  createsSecret: false,
  email: '{{ billing.email }}',
  fields: {
    to: '{{ billing.phone | default: shipping.phone }}',
    country: '{{ billing.country }}',
    customerName: '{{ billing.first_name }}',
    orderId: '{{ number }}',
    invoiceNumber: '{{ number }}',
    orderTotal: TOTAL,
    amount: TOTAL,
    status: '{{ status }}',
    orderDate: '{{ date_created | split: "T" | first }}',
    paymentMethod: '{{ payment_method_title }}',
    transactionId: '{{ transaction_id }}',
    retryPaymentLink: '{{ payment_url }}',
    invoiceUrl: '{{ payment_url }}',
    refundId: '{{ refunds[0].id }}',
    refundedAmount: '{% if refunds[0] %}{{ refunds[0].total | remove: "-" }} {{ currency }}{% endif %}',
  },
  isSigned: ({ header, body }, secret) => constantTimeEqual(header('x-wc-webhook-signature'), hmacBase64(secret, body)),
  /** WooCommerce sends this request when a person saves the webhook, and expects status 200. */
  isPing: ({ body }) => /^webhook_id=\d+$/.test(body.toString('latin1')),
  deliveryIdOf: ({ header }) => header('x-wc-webhook-delivery-id'),
  siteOf: ({ header }) => header('x-wc-webhook-source'),
  deliveryOf({ header }, order) {
    const topic = header('x-wc-webhook-topic');
    const isUsed = topic === 'order.created' || topic === 'order.updated';
    return {
      topic,
      orderId: textOf(order.id),
      reference: textOf(order.number) || textOf(order.id),
      orderedAt: timeOf(order.date_created_gmt),
      changedAt: timeOf(order.date_modified_gmt),
      events: isUsed ? eventsOf(topic, order) : [],
      ...(isUsed ? {} : { ignoredBecause: 'Passbell uses the topics “Order created” and “Order updated” only.' }),
    };
  },
};
