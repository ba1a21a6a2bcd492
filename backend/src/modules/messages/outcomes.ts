/** Passes message outcomes to waiting requests. If an outcome is lost, the request reads it from the database. */
import type { Bus } from '../../platform/bus.js';
import type { Clock } from '../../platform/clock.js';
import { random } from '../../platform/crypto.js';
import { withoutReplies } from './message-history.js';
import type { Outcome } from './message.js';

export type Outcomes = ReturnType<typeof createOutcomes>;

/**
 * An outcome on its way to another process. Version 0.1, which runs beside this version during an upgrade, calls the
 * attempts `tried`.
 */
type SentOutcome = Outcome & { readonly id: string; readonly tried?: Outcome['attempts'] };

export function createOutcomes(clock: Clock, bus: Bus) {
  /** Random id of this process. Jobs contain it, so that other processes can send the outcome back. */
  const processId = random.hex(8);
  const waiting = new Map<string, (outcome: Outcome) => void>();
  const topicOf = (id: string) => `outcome:${id}`;
  bus.subscribe(topicOf(processId), (text) => {
    const { id, state, tried, attempts = tried ?? [] }: SentOutcome = JSON.parse(text);
    waiting.get(id)?.({ state, attempts });
  });

  /**
   * Waits up to `ms` milliseconds for a final outcome. If none arrives, returns the last `queued` outcome or undefined.
   * Call this before the message is stored.
   */
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

  /** `replyTo`: the id of the waiting process; undefined if no request is waiting. */
  function announce(id: string, outcome: Outcome, replyTo: string | undefined): void {
    if (replyTo === processId) return waiting.get(id)?.(outcome);
    // Redis need not see the providers' replies, which the waiting request does not use.
    const attempts = withoutReplies(outcome.attempts);
    const sent: SentOutcome = { id, ...outcome, attempts, tried: attempts };
    if (replyTo !== undefined) bus.publish(topicOf(replyTo), JSON.stringify(sent));
  }

  return { processId, wait, announce };
}
