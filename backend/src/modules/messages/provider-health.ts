/**
 * Lets a provider that keeps failing rest, so that its messages do not wait for it: each process has a circuit breaker for
 * each channel. After the rest one message tries it, and the others follow when that one got through.
 */
import { CircuitState, circuitBreaker, ConsecutiveBreaker, handleAll, type IBackoff } from 'cockatiel';
import { ChannelError, CHANNELS, type ChannelName } from '../../providers/provider.js';
import { SECOND, secondsUntil, type Clock } from '../../platform/clock.js';
import { PROVIDER_FAILURES_BEFORE_REST, PROVIDER_REST_SECONDS } from '../../platform/limits.js';

/** Sends, or throws a passing {@link ChannelError} at once while the channel's provider rests. */
export type WhileHealthy = <T>(channel: ChannelName, send: () => Promise<T>) => Promise<T>;

/** A provider that refuses a message for good is there and works. */
const refused = (error: unknown): boolean => error instanceof ChannelError && error.kind === 'permanent';

function createGuard(clock: Clock) {
  let restsUntil = 0;
  /** The library goes by the system's clock, and asks for the length of the rest each time: so it ends by ours. */
  const rest = (): IBackoff<unknown> => {
    restsUntil = clock.now() + PROVIDER_REST_SECONDS * SECOND;
    return {
      get duration() {
        return clock.now() < restsUntil ? Infinity : 0;
      },
      next: rest,
    };
  };
  const breaker = new ConsecutiveBreaker(PROVIDER_FAILURES_BEFORE_REST);
  const policy = circuitBreaker(handleAll, { halfOpenAfter: { next: rest }, breaker });

  return async <T>(send: () => Promise<T>): Promise<T> => {
    // The library would have a message wait until the one that tries is back.
    const trying = policy.state === CircuitState.HalfOpen;
    if (trying || (policy.state === CircuitState.Open && clock.now() < restsUntil))
      throw new ChannelError('passing', 'the provider keeps failing', secondsUntil(restsUntil, clock.now()));
    const result = await policy.execute(() =>
      send().then(
        (sent) => ({ sent }),
        (error: unknown) => {
          if (!refused(error)) throw error;
          return { error };
        },
      ),
    );
    if ('error' in result) throw result.error;
    return result.sent;
  };
}

export function createWhileHealthy(clock: Clock): WhileHealthy {
  const guards = new Map(CHANNELS.map((name) => [name, createGuard(clock)]));
  return (channel, send) => guards.get(channel)!(send);
}
