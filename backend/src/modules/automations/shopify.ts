/** Webhooks of Shopify's admin, with the order as in its REST API. */
import { constantTimeEqual, hmacBase64 } from '../../platform/crypto.js';
import type { ShopEvent } from './automation.js';
import { newestId, objectsIn, textOf, timeOf, type JsonObject, type ShopType } from './shop-type.js';

/** The events of topics that report one event each. */
const EVENTS_BY_TOPIC: Readonly<Record<string, string>> = {
  'orders/create': 'created',
  'orders/paid': 'paid',
  'orders/fulfilled': 'fulfilled',
  'orders/cancelled': 'cancelled',
};
const ORDER_UPDATE = 'orders/updated';

/** The topic `refunds/create` contains no customer, so refunds are found in updates of the order. */
function refundOf(order: JsonObject): ShopEvent[] {
  const refunds = objectsIn(order.refunds);
  if (refunds.length === 0) return [];
  const id = newestId(refunds);
  const newest = refunds.find((refund) => textOf(refund.id) === id);
  return [{ name: 'refunded', part: id, happenedAt: timeOf(newest?.created_at) }];
}

function ignoredBecause(topic: string, isTest: boolean): { ignoredBecause?: string } {
  if (isTest) return { ignoredBecause: 'This is a test notification from Shopify. You can use it as a sample.' };
  if (topic === 'refunds/create')
    return { ignoredBecause: 'The event “Refund create” contains no customer. Choose “Order update” for refunds.' };
  if (Object.hasOwn(EVENTS_BY_TOPIC, topic) || topic === ORDER_UPDATE) return {};
  return { ignoredBecause: 'Passbell does not use this event.' };
}

const TOTAL = '{{ total_price }} {{ currency }}';
const PARCEL = '{% assign parcel = fulfillments | last %}';
const REFUND = '{% assign refund = refunds | last %}';

export const shopify: ShopType = {
  label: 'Shopify',
  events: {
    // First, and so preselected: placing orders costs an attacker nothing.
    paid: { label: 'Order paid', template: 'payment_success' },
    created: { label: 'Order created', template: 'order_placed' },
    fulfilled: { label: 'Order fulfilled', template: 'order_shipped' },
    cancelled: { label: 'Order canceled', template: 'order_cancelled' },
    refunded: { label: 'Order refunded', template: 'refund_completed' },
  },
  createsSecret: true,
  email: '{{ email | default: customer.email }}',
  fields: {
    to: '{{ phone | default: shipping_address.phone | default: billing_address.phone | default: customer.phone }}',
    country: '{{ shipping_address.country_code | default: billing_address.country_code }}',
    language: '{{ customer_locale }}',
    customerName: '{{ customer.first_name | default: shipping_address.first_name }}',
    orderId: '{{ name }}',
    invoiceNumber: '{{ name }}',
    orderTotal: TOTAL,
    amount: TOTAL,
    orderDate: '{{ created_at | split: "T" | first }}',
    paymentMethod: '{{ payment_gateway_names[0] | replace: "_", " " | capitalize }}',
    trackingNo: `${PARCEL}{{ parcel.tracking_number }}`,
    trackingLink: `${PARCEL}{{ parcel.tracking_url }}`,
    orderDetailsLink: '{{ order_status_url }}',
    invoiceUrl: '{{ order_status_url }}',
    cancelReason: '{{ cancel_reason }}',
    refundId: `${REFUND}{{ refund.id }}`,
    refundedAmount: `${REFUND}{% if refund %}{{ refund.transactions[0].amount }} {{ currency }}{% endif %}`,
  },
  isSigned: ({ header, body }, secret) => constantTimeEqual(header('x-shopify-hmac-sha256'), hmacBase64(secret, body)),
  isPing: () => false,
  deliveryIdOf: ({ header }) => header('x-shopify-webhook-id'),
  siteOf: ({ header }) => `https://${header('x-shopify-shop-domain')}`,
  deliveryOf({ header }, order) {
    const topic = header('x-shopify-topic');
    const name = Object.hasOwn(EVENTS_BY_TOPIC, topic) ? EVENTS_BY_TOPIC[topic] : undefined;
    const reason = ignoredBecause(topic, header('x-shopify-test') === 'true');
    const happenedAt = timeOf(header('x-shopify-triggered-at')) ?? timeOf(order.updated_at);
    const events = name === undefined ? [] : [{ name, happenedAt }];
    return {
      topic,
      orderId: textOf(order.id),
      reference: textOf(order.name) || textOf(order.id),
      orderedAt: timeOf(order.created_at),
      changedAt: timeOf(order.updated_at),
      events: topic === ORDER_UPDATE ? refundOf(order) : events,
      ...reason,
    };
  },
};
