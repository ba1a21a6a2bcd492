/** Passes the outcome of a message to the waiting request. Best effort: if it is lost, the request replies "queued". */
import type { Bus } from '../../platform/bus.js';
import type { Clock } from '../../platform/clock.js';
import { random } from '../../platform/crypto.js';
import type { Outcome } from './message.js';

export type Outcomes = ReturnType<typeof createOutcomes>;

export function createOutcomes(clock: Clock, bus: Bus) {
  /** Identifies this process in jobs, so that other processes can report the outcome. */
  const address = random.hex(8);
  const waiting = new Map<string, (outcome: Outcome) => void>();
  const topicOf = (name: string) => `outcome:${name}`;
  bus.subscribe(topicOf(address), (text) => {
    const { id, ...outcome } = JSON.parse(text) as Outcome & { id: string };
    waiting.get(id)?.(outcome);
  });

  /** Waits for the final outcome; after `ms`, returns the latest `queued` one or undefined. Call it before enqueuing. */
  function wait(id: string, ms: number): Promise<Outcome | undefined> {
    return new Promise((resolve) => {
      let latest: Outcome | undefined;
      const finish = (outcome: Outcome | undefined) => {
        cancel();
        waiting.delete(id);
        resolve(outcome);
      };
      const cancel = clock.after(ms, () => finish(latest));
      waiting.set(id, (outcome) => {
        if (outcome.state === 'queued') latest = outcome;
        else finish(outcome);
      });
    });
  }

  /** `replyTo`: the address of the waiting process; undefined if no request is waiting. */
  function announce(id: string, outcome: Outcome, replyTo: string | undefined): void {
    if (replyTo === address) waiting.get(id)?.(outcome);
    else if (replyTo !== undefined) bus.publish(topicOf(replyTo), JSON.stringify({ id, ...outcome }));
  }

  return { address, wait, announce };
}
