/** Handles received events: sends the messages of their automations, each of them once. */
import { HOUR, LEASE_MARGIN_SECONDS, MINUTE, SECOND, DAY, type Clock } from '../../platform/clock.js';
import { ApiError } from '../../platform/contract/errors.js';
import { sha256, type Keyring } from '../../platform/crypto.js';
import { describeError, type Log } from '../../platform/log.js';
import { assertActive } from '../applications/application.js';
import type { ApplicationsService } from '../applications/applications-service.js';
import { createTurns } from '../webhooks/turns.js';
import {
  bodyContext,
  HANDLED_DAYS,
  type Automation,
  type EventResult,
  type Hook,
  type ReceivedEvent,
  type ShopEvent,
} from './automation.js';
import { createSendMessage, RetryLater, type SendMessageDependencies } from './send-message.js';
import type { DueHook, EventsStore } from './events-store.js';
import type { HooksStore, HookOfApplication } from './hooks-store.js';
import type { JsonObject } from './shop.js';
import { eventTypeOf } from './shops.js';

/** How long Passbell tries to handle an event. Older events are outdated. */
const EVENT_HOURS = 24;
/** Number of events that a turn handles. */
const EVENTS_PER_TURN = 8;
/** Longer than handling an event takes, including the waits for the first outcomes of its messages. */
const LEASE_SECONDS = 120;
const MIN_RETRY_SECONDS = 5;
/** Shops report times in seconds, by their own clocks. */
const CLOCK_TOLERANCE = MINUTE;

export interface ProcessorDependencies extends SendMessageDependencies {
  readonly hooks: HooksStore;
  readonly events: EventsStore;
  readonly applications: Pick<ApplicationsService, 'find'>;
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly log: Log;
}

const handlingId = (hook: Hook, orderId: string, { name, part = '' }: Pick<ShopEvent, 'name' | 'part'>): string =>
  sha256(JSON.stringify([hook.id, orderId, name, part]));

const skipped = (event: string, text: string): EventResult => ({
  event,
  automationId: null,
  outcome: 'skipped',
  text,
});

/** Returns why an event is too old to send anything; undefined if it is recent. */
function outdatedBecause({ delivery, receivedAt }: ReceivedEvent, event: ShopEvent, hook: Hook): string | undefined {
  const { orderedAt } = delivery;
  if (event.happenedAt !== undefined && event.happenedAt < receivedAt - EVENT_HOURS * HOUR)
    return `This happened more than ${EVENT_HOURS} hours ago.`;
  if (orderedAt === undefined) return undefined;
  if (orderedAt < receivedAt - HANDLED_DAYS * DAY) return `The order is older than ${HANDLED_DAYS} days.`;
  if (event.happenedAt === undefined && orderedAt < hook.createdAt - CLOCK_TOLERANCE)
    return 'The order is older than this hook, and the shop does not report when this happened.';
  return undefined;
}

/** Groups events by order. Each group is handled in the order in which the shop changed its order. */
function byOrder(events: readonly ReceivedEvent[]): ReceivedEvent[][] {
  const groups = new Map<string, ReceivedEvent[]>();
  for (const event of events) {
    const { orderId } = event.delivery;
    groups.set(orderId, [...(groups.get(orderId) ?? []), event]);
  }
  const timeOf = ({ delivery, receivedAt }: ReceivedEvent) => delivery.changedAt ?? receivedAt;
  return [...groups.values()].map((group) => group.sort((a, b) => timeOf(a) - timeOf(b) || a.id - b.id));
}

export function createProcessor(dependencies: ProcessorDependencies) {
  const { hooks, events, applications, keyring, clock, log } = dependencies;
  const sendMessage = createSendMessage(dependencies);
  const turns = createTurns(serve);
  /** Ids of the hooks that are being served or are waiting for their turn. */
  const active = new Set<number>();
  let stopped = false;

  async function wasCancelledLater(hook: Hook, { delivery }: ReceivedEvent, { name }: ShopEvent): Promise<boolean> {
    if (delivery.changedAt === undefined || name === 'cancelled' || name === 'refunded') return false;
    return events.wasHandledAfter(handlingId(hook, delivery.orderId, { name: 'cancelled' }), delivery.changedAt);
  }

  interface Work {
    readonly hook: HookOfApplication;
    readonly automations: readonly Automation[];
    readonly event: ReceivedEvent;
    readonly body: JsonObject;
  }

  /** Sends the messages for one event of an order. Throws {@link RetryLater}. */
  async function handleShopEvent({ hook, automations, event, body }: Work, shopEvent: ShopEvent) {
    const { name } = shopEvent;
    const outdated = outdatedBecause(event, shopEvent, hook);
    if (outdated !== undefined) return [skipped(name, outdated)];
    const id = handlingId(hook, event.delivery.orderId, shopEvent);
    if (!(await events.claimHandling({ id, event, now: clock.now() })))
      return [skipped(name, 'An earlier delivery has reported this already.')];
    if (await wasCancelledLater(hook, event, shopEvent))
      return [skipped(name, 'The order was cancelled in the meantime.')];
    const chosen = automations.filter((automation) => automation.event === name);
    if (chosen.length === 0) return [skipped(name, 'No automation uses this event.')];
    const enabled = chosen.filter((automation) => automation.enabled);
    if (enabled.length === 0) return [skipped(name, 'The automation is switched off.')];
    const application = await applications.find(hook.appKey);
    assertActive(application);
    const results: EventResult[] = [];
    for (const automation of enabled) {
      const key = `automation-${id}-${automation.id}`;
      results.push(await sendMessage(application, automation, body, key));
    }
    // Another delivery may contain a correct phone number.
    if (results.every(({ messageId, outcome }) => outcome !== 'sent' && messageId === undefined))
      await events.releaseHandling(id, event.id);
    return results;
  }

  async function resultsOf(work: Work): Promise<{ results: EventResult[]; retryAfterSeconds?: number }> {
    const { delivery } = work.event;
    const results: EventResult[] = [];
    for (const shopEvent of delivery.events) {
      const { label } = eventTypeOf(work.hook.kind, shopEvent.name);
      try {
        results.push(...(await handleShopEvent(work, shopEvent)));
      } catch (error) {
        if (error instanceof ApiError) results.push(skipped(shopEvent.name, error.sentences));
        else if (!(error instanceof RetryLater)) throw error;
        else {
          const text = `${label}: ${error.message}`;
          results.push({ event: shopEvent.name, automationId: null, outcome: 'waiting', text });
          return { results, retryAfterSeconds: error.seconds };
        }
      }
    }
    return { results };
  }

  async function handle(hook: HookOfApplication, automations: readonly Automation[], event: ReceivedEvent) {
    const { delivery, bodySealed } = event;
    if (delivery.ignoredBecause !== undefined) return events.finish(event, [skipped('', delivery.ignoredBecause)]);
    if (delivery.events.length === 0)
      return events.finish(event, [skipped('', 'This change of the order is not an event.')]);
    if (bodySealed === null) return events.finish(event, [skipped('', 'The content was deleted.')]);
    const body = JSON.parse(keyring.open(bodyContext(hook), bodySealed)) as JsonObject;
    const { results, retryAfterSeconds } = await resultsOf({ hook, automations, event, body });
    if (retryAfterSeconds === undefined) return events.finish(event, results);
    const dueAt = clock.now() + Math.max(retryAfterSeconds, MIN_RETRY_SECONDS) * SECOND;
    if (dueAt < event.receivedAt + EVENT_HOURS * HOUR) return events.postpone(event.id, results, dueAt);
    const last = results.map((result) =>
      result.outcome === 'waiting' ? { ...result, outcome: 'failed' as const } : result,
    );
    return events.finish(event, last);
  }

  /** Handles an event. After an unexpected error, the event stays claimed, and is handled again later. */
  async function handleSafely(hook: HookOfApplication, automations: readonly Automation[], event: ReceivedEvent) {
    try {
      await handle(hook, automations, event);
    } catch (error) {
      log.error({ hookId: hook.hookId, err: describeError(error) }, 'handling an incoming event failed');
      if (clock.now() < event.receivedAt + EVENT_HOURS * HOUR)
        return events.postpone(event.id, event.results, clock.now() + Math.min(event.attempts, 30) * MINUTE);
      await events.finish(event, [
        {
          event: '',
          automationId: null,
          outcome: 'failed',
          text: 'An internal error occurred. The server log has details.',
        },
      ]);
    }
  }

  /** Handles a few due events. Returns whether more events may be due. */
  async function serve(id: number): Promise<boolean> {
    const hook = stopped ? undefined : await hooks.findById(id);
    if (!hook) return false;
    const now = clock.now();
    const leaseUntil = now + (LEASE_SECONDS + LEASE_MARGIN_SECONDS) * SECOND;
    const claimed = await events.claim(id, { now, leaseUntil, limit: EVENTS_PER_TURN });
    if (claimed.length === 0) return false;
    const automations = await hooks.automations(id);
    await Promise.all(
      byOrder(claimed).map(async (group) => {
        for (const event of group)
          if (stopped) await events.postpone(event.id, event.results, now);
          else await handleSafely(hook, automations, event);
      }),
    );
    return true;
  }

  async function serveAll(hook: DueHook): Promise<void> {
    active.add(hook.id);
    try {
      while (await turns.run(hook));
    } catch (error) {
      log.error({ err: describeError(error) }, 'handling incoming events failed');
    } finally {
      active.delete(hook.id);
    }
  }

  async function poll(): Promise<void> {
    const due = await events.hooksWithDueEvents(clock.now());
    for (const hook of due) if (!active.has(hook.id)) void serveAll(hook);
  }

  /** Waits for the events in progress. Claimed events are handled again after their leases expire. */
  async function stop(): Promise<void> {
    stopped = true;
    await turns.onIdle();
  }

  return { poll, stop };
}
