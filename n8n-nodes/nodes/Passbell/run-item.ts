import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { type Failure, InvalidInput } from '../shared/failure';
import { idempotencyKey, customKey } from '../shared/idempotency';
import type { Operation } from '../shared/operation';
import type { Request } from '../shared/transport';
import { callWithRetries } from '../shared/wait';
import { messageOperations } from './resources/message';
import { notificationOperations } from './resources/notification';
import { otpOperations } from './resources/otp';
import { sessionOperations } from './resources/session';
import { usageOperations } from './resources/usage';

const OPERATIONS: Record<string, Record<string, Operation>> = {
  message: messageOperations,
  notification: notificationOperations,
  otp: otpOperations,
  session: sessionOperations,
  usage: usageOperations,
};

/** The output items of one call, or its failure. */
export type Result = { ok: true; items: IDataObject[] } | { ok: false; failure: Failure; recipient?: string };

/** The calls to make for an item, from its fields: one for each recipient. */
interface ItemCalls {
  operation: Operation;
  requests: { request: Request; recipient?: string }[];
  longestWait: unknown;
  simple: boolean;
  /** Whether to output the session token of a verified code. */
  includeToken: boolean;
}

function prepareCalls(context: IExecuteFunctions, itemIndex: number): ItemCalls {
  const resource = context.getNodeParameter('resource', itemIndex);
  const operation = OPERATIONS[resource]?.[context.getNodeParameter('operation', itemIndex)];
  if (!operation) throw new InvalidInput('This node has no such operation');
  const isTool = context.getNode().type.endsWith('Tool');
  const { idempotencyKey: custom, longestWait = 0, ...options } = context.getNodeParameter('options', itemIndex, {});
  const includeToken = (options.includeToken ?? !isTool) as boolean;
  const simple = context.getNodeParameter('simple', itemIndex, true) as boolean;
  const recipients = operation.recipients?.(context, itemIndex) ?? [undefined];
  const isList = recipients.length > 1;
  const requests = recipients.map((recipient, index) => {
    const request = operation.request(context, itemIndex, recipient);
    const named = isList && recipient !== undefined ? { recipient } : {};
    if (!operation.needsKey) return { request, ...named };
    const key = customKey(custom) || idempotencyKey(context, itemIndex, request.body);
    const headers = { 'Idempotency-Key': index === 0 ? key : `${key}-${index}` };
    return { request: { ...request, headers }, ...named };
  });
  return { operation, requests, longestWait, simple, includeToken };
}

/** Runs the selected operation for an item. Later calls are made only if the caller continues after a failure. */
export async function* runItem(context: IExecuteFunctions, itemIndex: number): AsyncGenerator<Result> {
  let calls: ItemCalls;
  try {
    calls = prepareCalls(context, itemIndex);
  } catch (error) {
    // An invalid expression or invalid JSON. Nothing was sent yet.
    const { message } = error as Error;
    yield { ok: false, failure: new InvalidInput(message).failure };
    return;
  }
  const { operation, requests, longestWait, simple, includeToken } = calls;
  for (const { request, recipient } of requests) {
    const outcome = await callWithRetries(context, request, longestWait);
    if (!outcome.ok) {
      yield { ...outcome, ...(recipient !== undefined && { recipient }) };
      continue;
    }
    if (!includeToken) delete (outcome.body.data as IDataObject | undefined)?.token;
    yield { ok: true, items: simple ? [operation.simplify(outcome.body)].flat() : [outcome.body] };
  }
}
