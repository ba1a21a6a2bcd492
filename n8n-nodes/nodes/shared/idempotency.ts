import { createHash } from 'node:crypto';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

/**
 * Names one send, so that the server sends it once: the same for every attempt at an item of a node in an execution.
 *
 * "Retry On Fail" is the same execution. "Retry" in the list of executions is another one on the first one's data, which
 * brings along what the node noted there. An agent's tool gets a new run for each attempt and has one item: it is named by
 * what it was asked to send.
 */
export function idempotencyKey(context: IExecuteFunctions, itemIndex: number, body: IDataObject): string {
  const notes = context.getContext('node');
  notes.firstExecution ??= context.getExecutionId();
  const { id, type } = context.getNode();
  const place = type.endsWith('Tool')
    ? JSON.stringify(body)
    : `${context.getWorkflowDataProxy(itemIndex).$runIndex}/${itemIndex}`;
  return createHash('sha256')
    .update([context.getInstanceId(), context.getWorkflow().id, notes.firstExecution, id, place].join('\n'))
    .digest('hex');
}

/** A key that a person gave, as a header can carry it; empty when there is none. */
export const ownKey = (given: unknown): string => encodeURIComponent(String(given ?? '').trim());
