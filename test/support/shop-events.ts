/**
 * Signed requests of shops. The shapes follow the order object of WooCommerce's REST API and Shopify's order webhooks;
 * the values are invented.
 */
import { createHmac } from 'node:crypto';

export interface ShopRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const iso = (ms: number): string => new Date(ms).toISOString().slice(0, 19);

const base64 = (secret: string | Buffer, body: string) => createHmac('sha256', secret).update(body).digest('base64');

/** Returns the headers with which a library for Standard Webhooks signs a request. */
export function standardHeaders(secret: string, id: string, now: number, body: string): Record<string, string> {
  const t = String(Math.floor(now / 1000));
  const signature = base64(Buffer.from(secret, 'base64'), `${id}.${t}.${body}`);
  return { 'webhook-id': id, 'webhook-timestamp': t, 'webhook-signature': `v1,${signature}` };
}

let orders = 4700;
/** Returns an order id that no other test in the file has used. */
export const freshOrder = (): number => ++orders;

export function wooOrder(id: number, now: number, change: object = {}): Record<string, unknown> {
  const billing = {
    first_name: 'Ines',
    last_name: 'Roth',
    company: '',
    address_1: 'Lindenweg 4',
    address_2: '',
    city: 'Kassel',
    state: 'HE',
    postcode: '34117',
    country: 'DE',
    email: 'ines@example.org',
    phone: '0151 23456789',
  };
  return {
    id,
    parent_id: 0,
    number: String(id),
    order_key: 'wc_order_Kx9',
    created_via: 'checkout',
    version: '9.4.2',
    status: 'processing',
    currency: 'EUR',
    date_created: iso(now),
    date_created_gmt: iso(now),
    date_modified: iso(now),
    date_modified_gmt: iso(now),
    discount_total: '0.00',
    shipping_total: '4.90',
    total: '54.80',
    total_tax: '8.75',
    prices_include_tax: true,
    customer_id: 26,
    customer_note: '',
    billing,
    shipping: { ...billing, phone: '' },
    payment_method: 'ppcp',
    payment_method_title: 'PayPal',
    transaction_id: '8MC585209K746392H',
    date_paid: null,
    date_paid_gmt: null,
    date_completed: null,
    date_completed_gmt: null,
    cart_hash: '',
    meta_data: [{ id: 13106, key: '_download_permissions_granted', value: 'yes' }],
    line_items: [{ id: 315, name: 'Wool scarf', product_id: 93, quantity: 2, total: '49.90', sku: 'SC-2' }],
    shipping_lines: [{ id: 317, method_title: 'Parcel', total: '4.90' }],
    coupon_lines: [],
    refunds: [],
    payment_url: `https://shop.example/checkout/order-pay/${id}/?pay_for_order=true&key=wc_order_Kx9`,
    is_editable: false,
    needs_payment: false,
    needs_processing: true,
    ...change,
  };
}

let deliveries = 0;
/** Returns a request of WooCommerce, which uses the same delivery id for all deliveries within a second. */
export function wooRequest(secret: string, order: object, topic = 'order.updated'): ShopRequest {
  const body = JSON.stringify(order);
  const [resource = '', event = ''] = topic.split('.');
  const headers = {
    'Content-Type': 'application/json',
    'User-Agent': 'WooCommerce/9.4.2 Hookshot (WordPress/6.7)',
    'X-WC-Webhook-Source': 'https://shop.example/',
    'X-WC-Webhook-Topic': topic,
    'X-WC-Webhook-ID': '7',
    'X-WC-Webhook-Resource': resource,
    'X-WC-Webhook-Event': event,
    'X-WC-Webhook-Delivery-ID': '3dc4b7f1',
    'X-WC-Webhook-Signature': base64(secret, body),
  };
  return { headers, body };
}

export function shopifyOrder(id: number, now: number, change: object = {}): Record<string, unknown> {
  const address = {
    first_name: 'Ines',
    last_name: 'Roth',
    address1: 'Lindenweg 4',
    city: 'Kassel',
    zip: '34117',
    country: 'Germany',
    country_code: 'DE',
    phone: '0151 23456789',
  };
  return {
    id,
    name: `#${id}`,
    order_number: id,
    email: 'ines@example.org',
    phone: null,
    currency: 'EUR',
    test: false,
    created_at: `${iso(now)}Z`,
    updated_at: `${iso(now)}Z`,
    processed_at: `${iso(now)}Z`,
    cancelled_at: null,
    cancel_reason: null,
    closed_at: null,
    financial_status: 'paid',
    fulfillment_status: null,
    total_price: '54.80',
    subtotal_price: '49.90',
    total_tax: '8.75',
    customer_locale: 'de-DE',
    payment_gateway_names: ['shopify_payments'],
    order_status_url: `https://shop.example/orders/${id}/auth`,
    customer: { id: 115310627, first_name: 'Ines', last_name: 'Roth', email: 'ines@example.org', phone: null },
    billing_address: address,
    shipping_address: address,
    fulfillments: [],
    refunds: [],
    line_items: [{ id: 866550311, title: 'Wool scarf', quantity: 2, price: '24.95', sku: 'SC-2' }],
    ...change,
  };
}

export function shopifyRequest(
  secret: string,
  order: object,
  topic: string,
  now: number,
  { webhookId = `delivery-${++deliveries}`, ...more }: Record<string, string> = {},
): ShopRequest {
  const body = JSON.stringify(order);
  const headers = {
    'Content-Type': 'application/json',
    'X-Shopify-Topic': topic,
    'X-Shopify-Webhook-Id': webhookId,
    'X-Shopify-Shop-Domain': 'scarves.myshopify.com',
    'X-Shopify-Triggered-At': `${iso(now)}.123456Z`,
    'X-Shopify-Hmac-Sha256': base64(secret, body),
    ...more,
  };
  return { headers, body };
}
