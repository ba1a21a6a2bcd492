import { type IExecuteFunctions, sleep } from 'n8n-workflow';
import { callPassbell, type Outcome, type Request } from './transport';

/** As the field has it; an expression can come to anything. */
const LONGEST_WAIT_SECONDS = 600;

/** Seconds that a person allows for an item; what is no number allows none. */
function allowed(longestWait: unknown): number {
  const seconds = Number(longestWait);
  return Number.isFinite(seconds) ? Math.min(seconds, LONGEST_WAIT_SECONDS) : 0;
}

/** Asks the server, and when it says to wait, waits as it says: at most `longestWait` seconds in all. */
export async function callPatiently(
  context: IExecuteFunctions,
  request: Request,
  longestWait: unknown,
): Promise<Outcome> {
  for (let left = allowed(longestWait); ;) {
    const outcome = await callPassbell(context, request);
    if (outcome.ok || outcome.failure.retryAfterSeconds === undefined) return outcome;
    // At least one, or a server that says 0 would be asked without end.
    const seconds = Math.max(1, outcome.failure.retryAfterSeconds);
    if (seconds > left) return outcome;
    // In steps of a second, so that a person can stop the execution.
    for (let waited = 0; waited < seconds; waited++) {
      if (context.getExecutionCancelSignal()?.aborted) return outcome;
      await sleep(1000);
    }
    left -= seconds;
  }
}
