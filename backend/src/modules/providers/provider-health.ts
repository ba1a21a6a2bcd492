/** Provider failures, as reported by the circuit breakers of all processes. */
import type { Bus } from '../../platform/bus.js';
import { HOUR, type Clock } from '../../platform/clock.js';
import type { ChannelName } from '../../platform/contract/channels.js';
import type { Failure } from '../../providers/circuit-breaker.js';

const HEALTH_TOPIC = 'provider-health';
/** A failure is ignored after this time without a new report: the process that reported it may have stopped. */
const FORGET_AFTER_MS = HOUR;

interface Report {
  readonly id: string;
  readonly channel: ChannelName;
  readonly failure?: Failure | undefined;
}

export type ProviderHealth = ReturnType<typeof createProviderHealth>;

export function createProviderHealth(bus: Bus, clock: Clock) {
  const failures = new Map<string, Failure & { readonly reportedAt: number }>();
  const keyOf = (id: string, channel: ChannelName): string => `${id} ${channel}`;

  bus.subscribe(HEALTH_TOPIC, (text) => {
    const { id, channel, failure } = JSON.parse(text) as Report;
    if (failure) failures.set(keyOf(id, channel), { ...failure, reportedAt: clock.now() });
    else failures.delete(keyOf(id, channel));
  });

  return {
    report: (report: Report): void => bus.publish(HEALTH_TOPIC, JSON.stringify(report)),

    /** Returns a provider's failure on a channel; undefined if no failure was reported. */
    failureOf(id: string, channel: ChannelName): Failure | undefined {
      const found = failures.get(keyOf(id, channel));
      return found && clock.now() - found.reportedAt < FORGET_AFTER_MS ? found : undefined;
    },

    /** Removes a provider's failures after its settings have changed. */
    forget(id: string): void {
      for (const key of failures.keys()) if (key.startsWith(`${id} `)) failures.delete(key);
    },
  };
}
