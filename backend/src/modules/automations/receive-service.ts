/** Receives requests of shops. They are stored before the reply, and handled later. */
import type { Base } from '../../platform/base.js';
import { MINUTE, SECOND } from '../../platform/clock.js';
import { ApiError } from '../../platform/contract/errors.js';
import { sha256 } from '../../platform/crypto.js';
import { parseJsonObject } from '../../platform/json.js';
import type { Limiter } from '../../platform/rate-limit/limiter.js';
import { parseUrl } from '../../platform/url.js';
import { assertActive } from '../applications/application.js';
import type { ApplicationsService } from '../applications/applications-service.js';
import { bodyContext, secretContext, type Delivery, type ShopConnection } from './automation.js';
import type { EventsStore } from './events-store.js';
import type { ShopOfApplication, ShopsStore } from './shops-store.js';
import type { ShopRequest, ShopType } from './shop-type.js';
import { SHOP_TYPES } from './shop-types.js';

/** Maximum number of requests per shop and minute: more than a busy shop sends, but bounds what is stored. */
const REQUESTS_PER_MINUTE = 600;
/** Maximum number of events per shop that wait to be handled. */
const WAITING_EVENTS = 2000;
/** Maximum length of an id or a topic. Senders choose them, and MySQL limits the length of the columns. */
const TEXT_LENGTH = 100;

export interface ReceiveDependencies extends Pick<Base, 'clock' | 'keyring'> {
  readonly shops: ShopsStore;
  readonly events: EventsStore;
  readonly applications: Pick<ApplicationsService, 'find'>;
  readonly limiter: Pick<Limiter, 'take'>;
}

export type Received = 'stored' | 'repeated' | 'checked';

const NO_SECRET = "No secret has been entered yet. Enter the secret on the shop's page in the dashboard.";
const WRONG_SIGNATURE =
  "The signature is missing or wrong. Enter the same secret in the shop and on the shop's page in the dashboard.";
const NO_JSON = 'The body is not a JSON object. Choose the format JSON.';

/** `https://shop.example/store/` → `shop.example/store`; "" for a text that is not a URL. */
function siteName(url: string): string {
  const parsed = parseUrl(url);
  return `${parsed?.host ?? ''}${parsed?.pathname ?? ''}`.replace(/\/$/, '').slice(0, TEXT_LENGTH);
}

/** Shortens the texts of a delivery. A long order id is replaced by its hash, which identifies the order as well. */
function shortened({ topic, orderId, reference, ...rest }: Delivery): Delivery {
  return {
    ...rest,
    topic: topic.slice(0, TEXT_LENGTH),
    orderId: orderId.length > TEXT_LENGTH ? sha256(orderId) : orderId,
    reference: reference.slice(0, TEXT_LENGTH),
  };
}

export function createReceive({ shops, events, applications, keyring, limiter, clock }: ReceiveDependencies) {
  /** Returns the reason why a request is rejected; undefined for a request with a valid signature. */
  function problemOf(shop: ShopConnection, type: ShopType, request: ShopRequest): string | undefined {
    if (shop.secretSealed === null) return NO_SECRET;
    const secret = keyring.open(secretContext(shop), shop.secretSealed);
    return type.isSigned(request, secret, clock.now()) ? undefined : WRONG_SIGNATURE;
  }

  async function reject(
    shop: ShopConnection,
    because: string,
    code: 'INVALID_CREDENTIALS' | 'MALFORMED_JSON',
  ): Promise<never> {
    await shops.countRejected(shop.id, because, clock.now());
    throw new ApiError(code, { message: 'the request was rejected', hint: because });
  }

  /** Events for an inactive application are stored, and the log shows why nothing was sent. */
  async function rejectDeleted({ appKey }: ShopOfApplication): Promise<void> {
    const application = await applications.find(appKey);
    if (!application || application.deleteAt !== null) assertActive(application);
  }

  async function limit({ id }: ShopConnection): Promise<void> {
    const windows = [{ limit: REQUESTS_PER_MINUTE, seconds: MINUTE / SECOND }];
    await limiter.take([{ key: `incoming-hook:${id}`, code: 'TOO_MANY_CALLS', windows }]);
    if ((await events.waiting(id)) >= WAITING_EVENTS)
      throw new ApiError('TOO_MANY_CALLS', { retryAfterSeconds: MINUTE / SECOND });
  }

  /**
   * Stores an event. Throws an {@link ApiError} if there is no such shop or it did not sign the request, or if its
   * application was deleted. Calls `countFailure` for a wrong signature. It throws if the caller has failed too often.
   */
  return async function receive(
    publicId: string,
    request: ShopRequest,
    countFailure: () => Promise<void>,
  ): Promise<Received> {
    const shop = await shops.find(publicId);
    if (!shop) throw new ApiError('NOT_FOUND');
    const type = SHOP_TYPES[shop.kind];
    if (type.isPing(request)) return 'checked';
    const problem = problemOf(shop, type, request);
    if (problem !== undefined) {
      await countFailure();
      return reject(shop, problem, 'INVALID_CREDENTIALS');
    }
    await rejectDeleted(shop);
    await limit(shop);
    const body = parseJsonObject(request.body.toString('utf8'));
    if (!body) return reject(shop, NO_JSON, 'MALFORMED_JSON');
    const delivery = shortened(type.deliveryOf(request, body));
    const { id, applicationId } = shop;
    const site = siteName(type.siteOf(request));
    if (site !== '' && site !== shop.site) await shops.setSite(id, site);
    // WooCommerce uses the same id for all deliveries of a webhook within a second, so the body is hashed as well.
    const deliveryKey = sha256(JSON.stringify([delivery.topic, type.deliveryIdOf(request), sha256(request.body)]));
    const { ignoredBecause, events: shopEvents } = delivery;
    const isUnused = ignoredBecause !== undefined && shopEvents.length === 0;
    const text = request.body.toString('utf8');
    const bodySealed = isUnused ? null : keyring.seal(bodyContext(shop), text);
    const event = { shopId: id, applicationId, delivery, bodySealed, receivedAt: clock.now() };
    const skipped = { event: '', automationId: null, outcome: 'skipped', text: ignoredBecause ?? '' } as const;
    const done = isUnused ? { results: [skipped], isDone: true } : {};
    return (await events.insert(event, deliveryKey, done)) ? 'stored' : 'repeated';
  };
}
