/** Handles a received event: sends the messages of its automations, each of them once. */
import type { Base } from '../../platform/base.js';
import { DAY, HOUR, MINUTE, SECOND } from '../../platform/clock.js';
import { ApiError } from '../../platform/contract/errors.js';
import { sha256 } from '../../platform/crypto.js';
import { describeError } from '../../platform/log.js';
import { assertActive } from '../applications/application.js';
import type { ApplicationsService } from '../applications/applications-service.js';
import type { Automation, EventResult, ShopConnection, ReceivedEvent, ShopEvent } from './automation.js';
import { bodyContext, HANDLED_DAYS } from './automation.js';
import type { EventsStore } from './events-store.js';
import type { HandledStore } from './handled-store.js';
import type { ShopOfApplication } from './shops-store.js';
import { refusalText } from './refusals.js';
import { createSendMessage, RetryLater, type SendMessageDependencies } from './send-message.js';
import type { JsonObject } from './shop-type.js';

/** How long Passbell tries to handle an event. Older events are outdated. */
const EVENT_HOURS = 24;
const MIN_RETRY_SECONDS = 5;
/** Longest pause after an unexpected error. The pauses increase by a minute each time. */
const MAX_PAUSE_MINUTES = 30;
/** Shops report times in seconds, by their own clocks. */
const CLOCK_TOLERANCE = MINUTE;
const TOO_LATE = `The event could not be processed within ${EVENT_HOURS} hours.`;
const INTERNAL_ERROR = 'An internal error occurred. Ask the operator of this server to check its log.';

export interface EventHandlerDependencies extends SendMessageDependencies, Pick<Base, 'clock' | 'keyring' | 'log'> {
  readonly events: EventsStore;
  readonly handled: HandledStore;
  readonly applications: Pick<ApplicationsService, 'find'>;
}

interface Work {
  readonly shop: ShopOfApplication;
  readonly automations: readonly Automation[];
  readonly event: ReceivedEvent;
  readonly body: JsonObject;
}

/** After this time, nothing is sent: Passbell no longer remembers the Idempotency-Keys of the event's messages. */
const deadlineOf = ({ receivedAt }: ReceivedEvent): number => receivedAt + EVENT_HOURS * HOUR;

const handlingId = (
  shop: ShopConnection,
  orderId: string,
  { name, part = '' }: Pick<ShopEvent, 'name' | 'part'>,
): string => sha256(JSON.stringify([shop.id, orderId, name, part]));

const skipped = (event: string, text: string): EventResult => ({
  event,
  automationId: null,
  outcome: 'skipped',
  text,
});

const failed = (text: string): EventResult => ({ event: '', automationId: null, outcome: 'failed', text });

/** Returns why an event is too old to send anything; undefined if it is recent. */
function outdatedBecause(
  { delivery, receivedAt }: ReceivedEvent,
  event: ShopEvent,
  shop: ShopConnection,
): string | undefined {
  const { orderedAt } = delivery;
  if (event.happenedAt !== undefined && event.happenedAt < receivedAt - EVENT_HOURS * HOUR)
    return `The event happened more than ${EVENT_HOURS} hours ago.`;
  if (orderedAt === undefined) return undefined;
  if (orderedAt < receivedAt - HANDLED_DAYS * DAY) return `The order is older than ${HANDLED_DAYS} days.`;
  if (event.happenedAt === undefined && orderedAt < shop.createdAt - CLOCK_TOLERANCE)
    return 'The order is older than this connection, and the shop does not report when the event happened.';
  return undefined;
}

export function createEventHandler(dependencies: EventHandlerDependencies) {
  const { events, handled, applications, keyring, clock, log } = dependencies;
  const sendMessage = createSendMessage(dependencies);

  async function wasCanceledLater(
    shop: ShopConnection,
    { delivery }: ReceivedEvent,
    { name }: ShopEvent,
  ): Promise<boolean> {
    if (delivery.changedAt === undefined || name === 'cancelled' || name === 'refunded') return false;
    return handled.wasClaimedAfter(handlingId(shop, delivery.orderId, { name: 'cancelled' }), delivery.changedAt);
  }

  /** Sends the messages for one event of an order. Throws {@link RetryLater}. */
  async function handleShopEvent({ shop, automations, event, body }: Work, shopEvent: ShopEvent) {
    const { name } = shopEvent;
    const outdated = outdatedBecause(event, shopEvent, shop);
    if (outdated !== undefined) return [skipped(name, outdated)];
    const id = handlingId(shop, event.delivery.orderId, shopEvent);
    if (!(await handled.claim({ id, event, now: clock.now() })))
      return [skipped(name, 'An earlier delivery already reported this event.')];
    if (await wasCanceledLater(shop, event, shopEvent))
      return [skipped(name, 'The order was canceled in the meantime.')];
    const chosen = automations.filter((automation) => automation.event === name);
    if (chosen.length === 0) return [skipped(name, 'No automation uses this event.')];
    const enabled = chosen.filter((automation) => automation.enabled);
    if (enabled.length === 0) return [skipped(name, 'The automation is turned off.')];
    const application = await applications.find(shop.appKey);
    assertActive(application);
    const results: EventResult[] = [];
    for (const automation of enabled) {
      const key = `automation-${id}-${automation.id}`;
      results.push(await sendMessage(application, automation, body, key));
    }
    // Another delivery may contain a correct phone number.
    if (results.every(({ messageId, outcome }) => outcome !== 'sent' && messageId === undefined))
      await handled.release(id, event.id);
    return results;
  }

  async function resultsOf(work: Work): Promise<{ results: EventResult[]; retryAfterSeconds?: number }> {
    const { delivery } = work.event;
    const results: EventResult[] = [];
    for (const shopEvent of delivery.events) {
      try {
        results.push(...(await handleShopEvent(work, shopEvent)));
      } catch (error) {
        if (error instanceof ApiError) results.push(skipped(shopEvent.name, refusalText(error)));
        else if (!(error instanceof RetryLater)) throw error;
        else {
          results.push({ event: shopEvent.name, automationId: null, outcome: 'waiting', text: error.message });
          return { results, retryAfterSeconds: error.seconds };
        }
      }
    }
    return { results };
  }

  async function handle(shop: ShopOfApplication, automations: readonly Automation[], event: ReceivedEvent) {
    const { delivery, bodySealed } = event;
    if (delivery.ignoredBecause !== undefined) return events.finish(event, [skipped('', delivery.ignoredBecause)]);
    if (delivery.events.length === 0)
      return events.finish(event, [skipped('', 'This change to the order does not match any event.')]);
    if (bodySealed === null) return events.finish(event, [skipped('', 'The content was deleted.')]);
    if (clock.now() >= deadlineOf(event)) {
      const earlier = event.results.filter(({ outcome }) => outcome !== 'waiting');
      return events.finish(event, [...earlier, failed(TOO_LATE)]);
    }
    const body = JSON.parse(keyring.open(bodyContext(shop), bodySealed)) as JsonObject;
    const { results, retryAfterSeconds } = await resultsOf({ shop, automations, event, body });
    if (retryAfterSeconds === undefined) return events.finish(event, results);
    const dueAt = clock.now() + Math.max(retryAfterSeconds, MIN_RETRY_SECONDS) * SECOND;
    if (dueAt < deadlineOf(event)) return events.postpone(event.id, results, dueAt);
    const last = results.map((result) =>
      result.outcome === 'waiting' ? { ...result, outcome: 'failed' as const } : result,
    );
    return events.finish(event, last);
  }

  /** Handles an event. After an unexpected error, the event is handled again later. */
  return async function handleEvent(shop: ShopOfApplication, automations: readonly Automation[], event: ReceivedEvent) {
    try {
      await handle(shop, automations, event);
    } catch (error) {
      log.error({ hookId: shop.publicId, err: describeError(error) }, 'handling an incoming event failed');
      if (clock.now() < deadlineOf(event))
        return events.postpone(
          event.id,
          event.results,
          clock.now() + Math.min(event.attempts, MAX_PAUSE_MINUTES) * MINUTE,
        );
      await events.finish(event, [failed(INTERNAL_ERROR)]);
    }
  };
}
