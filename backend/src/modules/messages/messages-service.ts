/** Accepts messages: stored durably first, then handed to the queue. */
import type { Knex } from 'knex';
import type { ChannelName } from '../../channels/channel.js';
import type { Clock } from '../../clock.js';
import { random, type Keyring } from '../../crypto.js';
import type { Write } from '../../db/transaction.js';
import { ApiError } from '../../errors.js';
import { MAX_QUEUED, OVERLOADED_RETRY_SECONDS } from '../../limits.js';
import type { Backlog } from '../../metrics.js';
import type { Queue } from '../../queue/queue.js';
import type { Delay, Message, MessageDraft, MessageState, Outcome } from './message.js';
import type { MessagesStore } from './messages-store.js';
import type { Outcomes } from './outcomes.js';

export type MessagesService = ReturnType<typeof createMessagesService>;

export interface MessagesDependencies {
  readonly store: MessagesStore;
  readonly queue: Queue;
  readonly outcomes: Outcomes;
  readonly keyring: Keyring;
  readonly clock: Clock;
  /** How long {@link MessagesService.accept} waits for the first outcome, in milliseconds. */
  readonly waitMs: number;
}

/** Sealed variables open only for the message that they were sealed for. */
export const sealContext = (id: string): string => `message:${id}`;

export const newMessageId = (): string => random.hex(16);

export function createMessagesService(dependencies: MessagesDependencies) {
  const { store, queue, outcomes, keyring, clock, waitMs } = dependencies;
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

    /** How a message went so far, for a request that comes again; undefined while it is open. */
    async outcomeOf(id: string): Promise<Outcome | undefined> {
      const message = await store.find(id);
      if (!message || message.state === 'queued' || message.state === 'sending') return undefined;
      return { state: message.state, tried: message.tried };
    },

    /** Messages of an application that ended of late, the last first. */
    async recent(applicationId: number, states: readonly Outcome['state'][], limit: number) {
      const messages = await store.recent(applicationId, states, limit);
      return messages.map(({ state, tried, finishedAt, ...message }) => ({
        ...message,
        outcome: { state, tried } as Outcome,
        finishedAt: finishedAt ?? 0,
      }));
    },

    cleanUp: (): Promise<void> => store.cleanUp(clock.now()),

    list: (filter: { state?: MessageState; limit: number }): Promise<Message[]> => store.list(filter),

    /** Sends a dead letter again; false when it is none, or when its content is gone or expired. */
    retry: (id: string): Promise<boolean> => store.revive(id, clock.now()),
  };
}
