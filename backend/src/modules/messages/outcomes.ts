/** Tells a waiting request how its message went. Nothing depends on it: a request that is not told says "queued". */
import type { Clock } from '../../platform/clock.js';
import { random } from '../../platform/crypto.js';
import type { RedisConnections } from '../../platform/redis.js';
import type { Delay, Outcome } from './message.js';

export interface Outcomes {
  /** Name of this process, for jobs whose outcome it waits for. */
  readonly name: string;
  /**
   * The outcome of a message; after `ms` milliseconds the last delay, or undefined when there was none. Call it before the
   * message is enqueued.
   */
  wait(id: string, ms: number): Promise<Outcome | Delay | undefined>;
  /** Tells the process that waits; `replyTo` undefined means that none does. */
  announce(id: string, outcome: Outcome | Delay, replyTo: string | undefined): void;
}

/** Waiting requests and outcomes in one process. */
export function createOutcomes(clock: Clock): Outcomes {
  const waiting = new Map<string, (outcome: Outcome | Delay) => void>();
  return {
    name: random.hex(8),
    wait(id, ms) {
      return new Promise((resolve) => {
        let delay: Delay | undefined;
        const done = (outcome: Outcome | Delay | undefined) => {
          cancel();
          waiting.delete(id);
          resolve(outcome);
        };
        const cancel = clock.after(ms, () => done(delay));
        waiting.set(id, (outcome) => (outcome.state === 'queued' ? void (delay = outcome) : done(outcome)));
      });
    },
    announce: (id, outcome) => waiting.get(id)?.(outcome),
  };
}

/** Waiting requests here, outcomes from any process: each listens on a channel of its own, so none hears of all. */
export function createRedisOutcomes(clock: Clock, redis: RedisConnections): Outcomes {
  const local = createOutcomes(clock);
  const channelOf = (name: string) => `${redis.prefix}:outcome:${name}`;
  const subscriber = redis.connect();
  // Repeated by the connection itself when it comes back.
  subscriber.subscribe(channelOf(local.name)).catch(() => undefined);
  subscriber.on('message', (_channel, text) => {
    const { id, ...outcome } = JSON.parse(text) as (Outcome | Delay) & { id: string };
    local.announce(id, outcome, local.name);
  });
  return {
    ...local,
    announce(id, outcome, replyTo) {
      if (replyTo === undefined) return;
      if (replyTo === local.name) return local.announce(id, outcome, replyTo);
      redis.commands.publish(channelOf(replyTo), JSON.stringify({ id, ...outcome })).catch(() => undefined);
    },
  };
}
