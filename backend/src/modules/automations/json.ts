/** Any other system, which posts JSON with a secret or a signature. */
import { constantTimeEqual, hmac, sha256 } from '../../platform/crypto.js';
import { hasStandardSignature } from '../../platform/standard-webhooks.js';
import { textOf, timeOf, type ShopRequest, type JsonObject, type ShopType } from './shop-type.js';

/** The event of requests without a valid name. */
const DEFAULT_EVENT = 'event';
const EVENT_NAME = /^[\w.:/-]{1,64}$/;

const nameOf = ({ event }: JsonObject): string => (EVENT_NAME.test(textOf(event)) ? textOf(event) : DEFAULT_EVENT);

const STANDARD_SIGNATURE = 'webhook-signature';
const BODY_SIGNATURE = 'x-hub-signature-256';

/** A secret for Standard Webhooks: base64 of at least 16 bytes. Any other text would be decoded to a weak key. */
const STANDARD_SECRET = /^(?:whsec_)?([A-Za-z0-9+/]{22,}={0,2})$/;

function hasStandardSecret(request: ShopRequest, secret: string, now: number): boolean {
  const [, key] = STANDARD_SECRET.exec(secret) ?? [];
  return key !== undefined && hasStandardSignature(request, Buffer.from(key, 'base64'), now);
}

/** The id in the headers. Somebody who has recorded a signed request must not be able to send it with another id. */
function idOf({ header }: ShopRequest): string {
  if (header(STANDARD_SIGNATURE) !== '') return header('webhook-id');
  // This signature covers only the body.
  if (header(BODY_SIGNATURE) !== '') return '';
  return header('idempotency-key') || header('webhook-id');
}

/** Uses the same precedence as {@link idOf}. */
function isSigned(request: ShopRequest, secret: string, now: number): boolean {
  const { header, body } = request;
  if (header(STANDARD_SIGNATURE) !== '') return hasStandardSecret(request, secret, now);
  if (header(BODY_SIGNATURE) !== '') return constantTimeEqual(header(BODY_SIGNATURE), `sha256=${hmac(secret, body)}`);
  return constantTimeEqual(header('authorization'), `Bearer ${secret}`);
}

export const json: ShopType = {
  label: 'Another system',
  events: undefined,
  createsSecret: false,
  email: '{{ to }}',
  fields: {
    to: '{{ to }}',
    customerName: '{{ customerName }}',
    orderId: '{{ orderId }}',
    invoiceNumber: '{{ invoiceNumber }}',
    amount: '{{ amount }}',
    status: '{{ status }}',
    updateMessage: '{{ updateMessage }}',
  },
  isSigned,
  isPing: () => false,
  deliveryIdOf: idOf,
  siteOf: () => '',
  deliveryOf(request, body) {
    const name = nameOf(body);
    // Without an id, the same content is the same event.
    const orderId = idOf(request) || textOf(body.id) || sha256(request.body);
    return { topic: name, orderId, reference: textOf(body.id), events: [{ name, happenedAt: timeOf(body.time) }] };
  },
};
