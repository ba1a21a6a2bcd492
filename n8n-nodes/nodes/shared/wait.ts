import { type IExecuteFunctions, sleep } from 'n8n-workflow';
import { callPassbell, type Outcome, type Request } from './transport';

/** The maximum of the field, which an expression can exceed. */
const LONGEST_WAIT_SECONDS = 600;

/**
 * How long an item waits for the limit per second, which every list of more than about 20 items reaches, even if the option
 * Max Wait is not set.
 */
const BURST_WAIT_SECONDS = 5;

/** Seconds that an item may wait; 0 for a non-numeric value. */
function allowedSeconds(longestWait: unknown): number {
  const seconds = Number(longestWait);
  return Number.isFinite(seconds) ? Math.min(seconds, LONGEST_WAIT_SECONDS) : 0;
}

/**
 * Calls the server, and retries throttled requests after their retryAfterSeconds, for at most `longestWait` seconds. Waits
 * for a burst limit even without `longestWait`.
 */
export async function callWithRetries(
  context: IExecuteFunctions,
  request: Request,
  longestWait: unknown,
): Promise<Outcome> {
  for (let waitedSeconds = 0; ;) {
    const outcome = await callPassbell(context, request);
    if (outcome.ok || outcome.failure.retryAfterSeconds === undefined) return outcome;
    // At least one second, so that a retryAfterSeconds of 0 does not loop forever.
    const seconds = Math.max(1, outcome.failure.retryAfterSeconds);
    const allowed = Math.max(
      allowedSeconds(longestWait),
      outcome.failure.code === 'BURST_LIMIT' ? BURST_WAIT_SECONDS : 0,
    );
    if (waitedSeconds + seconds > allowed) return outcome;
    // In steps of a second, so that the execution can be stopped.
    for (let waited = 0; waited < seconds; waited++) {
      if (context.getExecutionCancelSignal()?.aborted) return outcome;
      await sleep(1000);
    }
    waitedSeconds += seconds;
  }
}
