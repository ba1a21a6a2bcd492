/** The hook for any other system, which posts JSON with a secret or a signature. */
import { constantTimeEqual, hmac, sha256 } from '../../platform/crypto.js';
import { textOf, timeOf, type HookRequest, type JsonObject, type Shop } from './shop.js';

/** The event of requests without a valid name. */
const DEFAULT_EVENT = 'event';
const EVENT_NAME = /^[\w.:/-]{1,64}$/;

const nameOf = ({ event }: JsonObject): string => (EVENT_NAME.test(textOf(event)) ? textOf(event) : DEFAULT_EVENT);

const idOf = ({ header }: HookRequest): string => header('idempotency-key') || header('webhook-id');

/** Checks both, so that the response time does not reveal which one the request contains. */
function isSigned({ header, body }: HookRequest, secret: string): boolean {
  const hasSecret = constantTimeEqual(header('authorization'), `Bearer ${secret}`);
  const hasSignature = constantTimeEqual(header('x-hub-signature-256'), `sha256=${hmac(secret, body)}`);
  return hasSecret || hasSignature;
}

export const jsonHook: Shop = {
  label: 'Another system (JSON)',
  events: undefined,
  createsSecret: false,
  email: '{{ to }}',
  fields: {
    to: '{{ to }}',
    ...{ customerName: '{{ customerName }}', orderId: '{{ orderId }}', invoiceNumber: '{{ invoiceNumber }}' },
    ...{ amount: '{{ amount }}', status: '{{ status }}', updateMessage: '{{ updateMessage }}' },
  },
  isSigned,
  isPing: () => false,
  deliveryIdOf: idOf,
  deliveryOf(request, body) {
    const name = nameOf(body);
    // Without an id, the same content is the same event.
    const orderId = idOf(request) || textOf(body.id) || sha256(request.body);
    return { topic: name, orderId, reference: textOf(body.id), events: [{ name, happenedAt: timeOf(body.time) }] };
  },
};
