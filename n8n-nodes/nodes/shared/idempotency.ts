import { createHash } from 'node:crypto';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

/**
 * The Idempotency-Key of a send or a verification: the same for every attempt at an item of a node in an execution.
 *
 * "Retry On Fail" keeps the execution. "Retry" in the list of executions starts a new one with the stored data of the first
 * one, which includes the node's context. An agent tool gets a new run for each attempt and has one item, so its key depends
 * on the content.
 */
export function idempotencyKey(context: IExecuteFunctions, itemIndex: number, body: IDataObject): string {
  const nodeContext = context.getContext('node');
  nodeContext.firstExecution ??= context.getExecutionId();
  const { id, type } = context.getNode();
  const position = type.endsWith('Tool')
    ? JSON.stringify(body)
    : `${context.getWorkflowDataProxy(itemIndex).$runIndex}/${itemIndex}`;
  return createHash('sha256')
    .update([context.getInstanceId(), context.getWorkflow().id, nodeContext.firstExecution, id, position].join('\n'))
    .digest('hex');
}

/** The custom key of the node's options, encoded for a header; empty if there is none. */
export const customKey = (value: unknown): string => encodeURIComponent(String(value ?? '').trim());
