/** Circuit breaker: while a provider is failing, rejects messages immediately instead of calling the provider. */
import { SECOND, secondsUntil, type Clock } from '../platform/clock.js';
import { ProviderError } from './provider.js';

const FAILURES_BEFORE_PAUSE = 5;
const PAUSE_SECONDS = 10;

/** Start (epoch milliseconds) and reason of a provider's failure. */
export interface Failure {
  readonly since: number;
  readonly reason: string;
}

/**
 * What a call shows about the provider: it accepted the message, it rejected the message after a failure and thus works
 * again, or it is failing.
 */
export type Observed = 'accepted' | 'works' | Failure;

const reasonOf = (error: unknown): string => (error instanceof ProviderError ? error.reason : 'unexpected error');

const providerWorks = (error: unknown): boolean => error instanceof ProviderError && error.concerns !== 'provider';

export type CircuitBreaker = ReturnType<typeof createCircuitBreaker>;

/**
 * Creates a circuit breaker. Opens the circuit after consecutive failures. After the pause, a single trial call runs:
 * if it succeeds, the circuit closes; if it fails, another pause starts. Errors that do not concern the whole provider
 * count as successes. `observe` is called with the failure when the circuit opens, after each failed trial, and after
 * permanent failures, such as invalid credentials.
 */
export function createCircuitBreaker(clock: Clock, observe: (result: Observed) => void = () => undefined) {
  let failureCount = 0;
  let failingSince = 0;
  let openUntil: number | undefined;
  let trialRunning = false;
  let isObservedFailing = false;
  let lastError: unknown;

  /** Whether calls are currently rejected without calling the provider. */
  const isOpen = (): boolean => openUntil !== undefined && (trialRunning || clock.now() < openUntil);

  /**
   * Keeps permanent errors, such as invalid credentials, permanent, so that messages fail at once instead of waiting.
   */
  function rejection(): ProviderError {
    // A new error, because the last one has the reply to another message.
    if (lastError instanceof ProviderError && lastError.kind === 'permanent')
      return new ProviderError(lastError.kind, lastError.reason, undefined, lastError.concerns);
    return new ProviderError('transient', 'the provider keeps failing', secondsUntil(openUntil!, clock.now()));
  }

  /** The error with which calls are currently rejected; undefined if the circuit is closed. */
  const openError = (): ProviderError | undefined => (isOpen() ? rejection() : undefined);

  function recordSuccess(isTrial: boolean, isAccepted: boolean): void {
    failureCount = 0;
    if (isTrial) openUntil = undefined;
    if (isAccepted) observe('accepted');
    else if (isObservedFailing) observe('works');
    isObservedFailing = false;
  }

  function observeFailure(error: unknown): void {
    isObservedFailing = true;
    observe({ since: failingSince, reason: reasonOf(error) });
  }

  function recordFailure(isTrial: boolean, error: unknown): void {
    if (++failureCount === 1) failingSince = clock.now();
    lastError = error;
    // Calls that started before the circuit opened do not extend the pause.
    const opens = isTrial || (openUntil === undefined && failureCount >= FAILURES_BEFORE_PAUSE);
    if (opens) openUntil = clock.now() + PAUSE_SECONDS * SECOND;
    if (opens || (error instanceof ProviderError && error.kind === 'permanent')) observeFailure(error);
  }

  /** Runs `send`. While the circuit is open, throws a {@link ProviderError} instead. */
  async function run<T>(send: () => Promise<T>): Promise<T> {
    if (isOpen()) throw rejection();
    const isTrial = openUntil !== undefined;
    trialRunning ||= isTrial;
    try {
      const result = await send();
      recordSuccess(isTrial, true);
      return result;
    } catch (error) {
      if (providerWorks(error)) recordSuccess(isTrial, false);
      else recordFailure(isTrial, error);
      throw error;
    } finally {
      if (isTrial) trialRunning = false;
    }
  }

  return { run, isOpen, openError };
}
