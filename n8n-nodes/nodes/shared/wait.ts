import { type IExecuteFunctions, sleep } from 'n8n-workflow';
import { callPassbell, type Outcome, type Request } from './transport';

/** Asks the server, and when it says to wait, waits as it says: at most `longestWaitSeconds` in all. */
export async function callPatiently(
  context: IExecuteFunctions,
  request: Request,
  longestWaitSeconds: number,
): Promise<Outcome> {
  for (let left = longestWaitSeconds; ;) {
    const outcome = await callPassbell(context, request);
    const seconds = outcome.ok ? undefined : outcome.failure.retryAfterSeconds;
    if (seconds === undefined || seconds > left) return outcome;
    // In steps of a second, so that a person can stop the execution.
    for (let waited = 0; waited < seconds; waited++) {
      if (context.getExecutionCancelSignal()?.aborted) return outcome;
      await sleep(1000);
    }
    left -= seconds;
  }
}
