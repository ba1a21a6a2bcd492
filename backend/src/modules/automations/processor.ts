/** Passes due events to the handler, a few at a time for each shop. */
import { LEASE_MARGIN_SECONDS, SECOND } from '../../platform/clock.js';
import { describeError } from '../../platform/log.js';
import { createTurns } from '../webhooks/turns.js';
import type { ReceivedEvent } from './automation.js';
import { createEventHandler, type EventHandlerDependencies } from './event-handler.js';
import type { ShopsStore } from './shops-store.js';

const EVENTS_PER_TURN = 8;
/** Longer than handling an event takes, including the waits for the first outcomes of its messages. */
const LEASE_SECONDS = 120;

export interface ProcessorDependencies extends EventHandlerDependencies {
  readonly shops: ShopsStore;
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
  const { shops, events, clock, log } = dependencies;
  const handleEvent = createEventHandler(dependencies);
  const turns = createTurns(serve, (error) =>
    log.error({ err: describeError(error) }, 'handling incoming events failed'),
  );
  let stopped = false;

  /** Handles a few due events. Returns whether more events may be due. */
  async function serve(id: number): Promise<boolean> {
    const shop = stopped ? undefined : await shops.findById(id);
    if (!shop) return false;
    const now = clock.now();
    const leaseUntil = now + (LEASE_SECONDS + LEASE_MARGIN_SECONDS) * SECOND;
    const claimed = await events.claim(id, { now, leaseUntil, limit: EVENTS_PER_TURN });
    if (claimed.length === 0) return false;
    const automations = await shops.automations(id);
    await Promise.all(
      byOrder(claimed).map(async (group) => {
        for (const event of group)
          if (stopped) await events.postpone(event.id, event.results, now);
          else await handleEvent(shop, automations, event);
      }),
    );
    return true;
  }

  async function poll(): Promise<void> {
    for (const shop of await events.shopsWithDueEvents(clock.now())) void turns.serveAll(shop);
  }

  /** Waits for the events in progress. Claimed events are handled again after their leases expire. */
  async function stop(): Promise<void> {
    stopped = true;
    await turns.onIdle();
  }

  return { poll, stop };
}
