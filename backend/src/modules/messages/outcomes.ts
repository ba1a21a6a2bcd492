/** Tells a waiting request how its message went. Nothing depends on it: a request that is not told says "queued". */
import type { Clock } from '../../clock.js';
import type { Outcome } from './message.js';

export interface Outcomes {
  /** The outcome of a message, or undefined after `ms` milliseconds. Call it before the message is enqueued. */
  wait(id: string, ms: number): Promise<Outcome | undefined>;
  announce(id: string, outcome: Outcome): void;
}

export function createOutcomes(clock: Clock): Outcomes {
  const waiting = new Map<string, (outcome: Outcome | undefined) => void>();
  return {
    wait(id, ms) {
      return new Promise((resolve) => {
        const done = (outcome: Outcome | undefined) => {
          cancel();
          waiting.delete(id);
          resolve(outcome);
        };
        const cancel = clock.after(ms, () => done(undefined));
        waiting.set(id, done);
      });
    },
    announce: (id, outcome) => waiting.get(id)?.(outcome),
  };
}
