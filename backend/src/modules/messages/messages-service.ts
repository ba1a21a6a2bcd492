/** Accepts messages: stored durably first, then handed to the queue. */
import type { Knex } from 'knex';
import type { ChannelName } from '../../providers/provider.js';
import type { Clock } from '../../platform/clock.js';
import { random, type Keyring } from '../../platform/crypto.js';
import type { Write } from '../../platform/db/transaction.js';
import { ApiError } from '../../platform/contract/errors.js';
import { MAX_QUEUED, OVERLOADED_RETRY_SECONDS } from '../../platform/limits.js';
import type { Backlog } from '../../platform/metrics.js';
import type { Queue } from '../../platform/queue/queue.js';
import type { components } from '../../platform/contract/generated/api.js';
import type { Announcements } from '../webhooks/announcements.js';
import { endState, type Delay, type Message, type MessageDraft, type Outcome, type ShownState } from './message.js';
import { messageView } from './message-view.js';
import type { MessagesStore } from './messages-store.js';
import type { Outcomes } from './outcomes.js';
import type { GivenReport, ReportsStore } from './reports-store.js';
import type { Usage, UsageFilter, UsageStore } from '../usage/usage-store.js';

export type MessagesService = ReturnType<typeof createMessagesService>;

export interface MessagesDependencies {
  readonly store: MessagesStore;
  readonly reports: ReportsStore;
  readonly usage: UsageStore;
  readonly queue: Queue;
  readonly outcomes: Outcomes;
  readonly announcements: Pick<Announcements, 'toldOfMessages' | 'ofMessage'>;
  readonly keyring: Keyring;
  readonly clock: Clock;
  /** How long {@link MessagesService.accept} waits for the first outcome, in milliseconds. */
  readonly waitMs: number;
  /** Of what costs nothing. */
  readonly currency: string;
}

/** Sealed variables open only for the message that they were sealed for. */
export const sealContext = (id: string): string => `message:${id}`;

export const newMessageId = (): string => random.hex(16);

export function createMessagesService(dependencies: MessagesDependencies) {
  const { store, reports, usage, queue, outcomes, announcements, keyring, clock, waitMs, currency } = dependencies;
  let overloaded = false;

  async function backlog(): Promise<Backlog> {
    const { messages, oldestAt } = await store.backlog(MAX_QUEUED + 1);
    return { messages, oldestMs: oldestAt === undefined ? 0 : Math.max(0, clock.now() - oldestAt) };
  }

  return {
    backlog,

    /** Looks how long the queue is; to be called now and then by a process that accepts messages. */
    async watch(): Promise<void> {
      overloaded = (await backlog()).messages > MAX_QUEUED;
    },

    /** A message that would wait behind too many others is refused, before it costs anything. */
    refuseWhenOverloaded(): void {
      if (overloaded) throw new ApiError('OVERLOADED', { retryAfterSeconds: OVERLOADED_RETRY_SECONDS });
    },

    /**
     * Stores the message together with `alongside`, enqueues it and waits for its first outcome.
     * Undefined, or a delay: no outcome yet, the message is queued and stays so until it is delivered, failed or expired.
     */
    async accept(
      { variables, ...draft }: MessageDraft,
      alongside: readonly Write[],
    ): Promise<Outcome | Delay | undefined> {
      const payload = keyring.seal(sealContext(draft.id), JSON.stringify(variables));
      await store.insert({ ...draft, payload }, clock.now(), alongside);
      const outcome = waitMs > 0 ? outcomes.wait(draft.id, waitMs) : Promise.resolve(undefined);
      // The message is safe: a job that is lost here is found by the sweeper.
      const replyTo = waitMs > 0 ? outcomes.name : undefined;
      await queue.enqueue({ id: draft.id, channel: draft.plan[0]!, replyTo }).catch(() => undefined);
      return outcome;
    },

    /** The channels that have carried messages, by id. */
    carriersOf: (trx: Knex, ids: readonly string[]): Promise<Map<string, ChannelName>> => store.carriersOf(trx, ids),

    find: (id: string): Promise<Message | undefined> => store.find(id),

    /** A message of this application, as it may be told; throws when it has none with this id. */
    async view(applicationId: number, id: string): Promise<components['schemas']['Message']> {
      const message = await store.find(id);
      if (message?.id !== id || message.applicationId !== applicationId) throw new ApiError('MESSAGE_NOT_FOUND');
      return messageView(message, currency);
    },

    /** Takes down what a provider tells of a message; false when it is no news. */
    async report(given: Omit<GivenReport, 'now' | 'ofNews'>): Promise<boolean> {
      const found = await store.find(given.id);
      // Most of what is told is that a message is where it is known to be: not worth a transaction.
      if (!found || (given.told === 'sent' && found.state === 'sent')) return false;
      const subscribers = await announcements.toldOfMessages(found.applicationId);
      const now = clock.now();
      const ofNews: GivenReport['ofNews'] = (message, ended, endedAt) =>
        announcements.ofMessage(message, ended, { endedAt, now }, subscribers);
      return reports.record({ ...given, now, ofNews });
    },

    /** How many messages were sent, and what they cost. */
    usage: (filter: UsageFilter): Promise<Usage[]> => usage.read(filter),

    /** How a message went so far, for a request that comes again; undefined while it is open. */
    async outcomeOf(id: string): Promise<Outcome | undefined> {
      const message = await store.find(id);
      if (!message || message.state === 'queued' || message.state === 'sending') return undefined;
      return { state: message.state, tried: message.tried };
    },

    /** Messages of an application that ended of late, the last first. */
    async recent(applicationId: number, states: readonly ShownState[], limit: number) {
      const messages = await store.recent(applicationId, states, limit);
      return messages.map((message) => {
        const ended = endState(message.state as Outcome['state'], message.report);
        const finishedAt = message.finishedAt ?? 0;
        const endedAt = ended === 'undelivered' ? Math.max(finishedAt, message.reportedAt ?? 0) : finishedAt;
        return { message, ended, endedAt };
      });
    },

    cleanUp: (): Promise<void> => store.cleanUp(clock.now()),

    list: (filter: { state?: ShownState; limit: number }): Promise<Message[]> => store.list(filter),

    /** Sends a dead letter again; false when it is none, or when its content is gone or expired. */
    retry: (id: string): Promise<boolean> => store.revive(id, clock.now()),
  };
}
