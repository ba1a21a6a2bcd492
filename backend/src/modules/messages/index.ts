/** Creates the messages module, which stores, delivers and looks up messages. */
import { createBackgroundWork } from '../../platform/background.js';
import { SECOND } from '../../platform/clock.js';
import { resealColumn } from '../../platform/db/reseal.js';
import type { Metrics } from '../../platform/metrics.js';
import type { Limiter } from '../../platform/rate-limit/limiter.js';
import type { Application } from '../applications/application.js';
import type { Shared } from '../audit/audit-service.js';
import type { Routing } from '../providers/routing.js';
import type { Suppressions } from '../suppressions/index.js';
import type { UsageRecorder } from '../usage/index.js';
import type { Outbox } from '../webhooks/outbox.js';
import { createAnotherWay } from './another-way.js';
import { createApplyEvents } from './apply-events.js';
import { createBacklogs } from './backlog.js';
import type { CountCodes, Reserve } from './code-outcomes.js';
import { createDelivery } from './delivery.js';
import { createReceiveInbound } from './inbound.js';
import { createLookupStore } from './lookup-store.js';
import { createMessageCosts } from './message-costs.js';
import { createMessageLookup } from './message-lookup.js';
import type { SendLimits } from './message-limits.js';
import { attachmentContext, payloadContext } from './message.js';
import { createMessagesService } from './messages-service.js';
import { createMessagesStore } from './messages-store.js';
import { createOutcomes } from './outcomes.js';
import { createPriceOf } from './price.js';
import { createRecordRefusal } from './record-refusal.js';
import { createRecordRecipients } from './recipient-reports.js';
import { createProviderCall, type ContentOf, type UnsubscribeHeaders } from './provider-call.js';
import { createRefundBudgets } from './refund-budgets.js';
import { createSweeper } from './sweeper.js';

interface Dependencies
  extends
    SendLimits,
    Pick<Shared, 'audit' | 'bus' | 'clock' | 'db' | 'inTransaction' | 'keyring' | 'log' | 'queue' | 'write'> {
  readonly limiter: Pick<Limiter, 'take' | 'takeWith' | 'refundToday'>;
  readonly suppressions: Suppressions;
  readonly metrics: Metrics;
  readonly reserve: Reserve;
  readonly countCodes: CountCodes;
  readonly applicationOf: (id: number) => Promise<Application | undefined>;
  readonly routing: Routing;
  readonly contentOf: ContentOf;
  readonly unsubscribeHeaders: UnsubscribeHeaders;
  readonly usage: UsageRecorder;
  readonly outbox: Outbox;
  /** How long a send waits for its first outcome, in milliseconds. */
  readonly waitMs: number;
  readonly providerTimeoutMs: number;
}

export function createMessages(dependencies: Dependencies) {
  const { db, write, inTransaction, queue, bus, keyring, clock, routing, usage, outbox } = dependencies;
  const store = createMessagesStore(db, write);
  const outcomes = createOutcomes(clock, bus);
  const backlogs = createBacklogs(store, clock);
  // Connecting to the provider and waiting for its reply can each take the whole timeout.
  const deadlineMs = 2 * dependencies.providerTimeoutMs + SECOND;
  const providerCall = createProviderCall({ ...dependencies, findAttachment: store.findAttachment, deadlineMs });
  const { firstProvider } = providerCall;
  const { reloadForNew, recordOutcome } = routing;
  const route = { reloadForNew, firstProvider, anotherWay: providerCall.anotherWay, recordOutcome };
  const applyEvents = createApplyEvents(
    store,
    inTransaction,
    usage,
    outbox,
    clock,
    route,
    dependencies.countCodes,
    createRecordRecipients(dependencies.suppressions.record),
  );
  const variablesOf = (id: string, payload: string): Readonly<Record<string, string>> =>
    JSON.parse(keyring.open(payloadContext(id), payload));
  const priceOf = createPriceOf(routing);
  const costs = createMessageCosts(priceOf, dependencies.contentOf, variablesOf);
  const refundBudgets = createRefundBudgets({ ...dependencies, costs });
  const parts = { ...dependencies, store, applyEvents, outcomes, backlogs, priceOf, costs, variablesOf, refundBudgets };
  const anotherWay = createAnotherWay(dependencies.applicationOf, dependencies, inTransaction);
  const background = createBackgroundWork(dependencies.log);
  const recordRefusal = createRecordRefusal(store, dependencies.limiter, background, clock);
  const delivery = createDelivery({ ...parts, providerCall, anotherWay, deadlineMs });
  return {
    service: createMessagesService({ ...parts, delivery, providerCall, recordRefusal }),
    lookup: createMessageLookup(createLookupStore(db), keyring, clock, routing.currency),
    receiveInbound: createReceiveInbound({ ...parts, optOuts: dependencies.suppressions.optOuts }),
    deliver: delivery.deliver,
    sweep: createSweeper(store, queue, backlogs, clock),
    /** Reseals the content and attachments of messages, which may be scheduled for weeks. Returns the number of resealed messages. */
    async reseal(): Promise<number> {
      const contextOf = ({ id }: { readonly id?: unknown }) => attachmentContext(id as string);
      await resealColumn(db, keyring, { table: 'message_attachments', column: 'sealed', contextOf, batch: 1 });
      return resealColumn(db, keyring, {
        table: 'messages',
        column: 'payload',
        contextOf: ({ id }) => payloadContext(id as string),
      });
    },
    /** Ends the leases of crashed processes. Call this only if no other process is running. */
    releaseAll: () => store.releaseAll(clock.now()),
    /** Waits until all refused messages are stored. */
    stop: background.stop,
    maintenance: [() => store.cleanUp(clock.now())],
  };
}
