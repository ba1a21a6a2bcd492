import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { InvalidInput } from '../shared/failure';
import { idempotencyKey, customKey } from '../shared/idempotency';
import type { Operation } from '../shared/operation';
import type { Outcome, Request } from '../shared/transport';
import { callWithRetries } from '../shared/wait';
import { messageOperations } from './resources/message';
import { notificationOperations } from './resources/notification';
import { otpOperations } from './resources/otp';
import { sessionOperations } from './resources/session';

const OPERATIONS: Record<string, Record<string, Operation>> = {
  message: messageOperations,
  notification: notificationOperations,
  otp: otpOperations,
  session: sessionOperations,
};

/** The call to make for an item, from its fields. */
interface ItemCall {
  operation: Operation;
  request: Request;
  longestWait: unknown;
  simple: boolean;
  /** Whether to output the session token of a verified code. */
  includeToken: boolean;
}

function prepareCall(context: IExecuteFunctions, itemIndex: number): ItemCall {
  const resource = context.getNodeParameter('resource', itemIndex);
  const operation = OPERATIONS[resource]?.[context.getNodeParameter('operation', itemIndex)];
  if (!operation) throw new InvalidInput('This node has no such operation');
  const isTool = context.getNode().type.endsWith('Tool');
  const { idempotencyKey: custom, longestWait = 0, ...options } = context.getNodeParameter('options', itemIndex, {});
  const includeToken = (options.includeToken ?? !isTool) as boolean;
  const request = operation.request(context, itemIndex);
  const simple = context.getNodeParameter('simple', itemIndex, true) as boolean;
  const call = { operation, request, longestWait, simple, includeToken };
  if (!operation.needsKey) return call;
  const key = customKey(custom) || idempotencyKey(context, itemIndex, request.body);
  return { ...call, request: { ...request, headers: { 'Idempotency-Key': key } } };
}

/** Runs the selected operation for an item. The body of a success is the output of the node. */
export async function runItem(context: IExecuteFunctions, itemIndex: number): Promise<Outcome> {
  let call: ItemCall;
  try {
    call = prepareCall(context, itemIndex);
  } catch (error) {
    // An invalid expression or invalid JSON. Nothing was sent yet.
    const { message } = error as Error;
    return { ok: false, failure: new InvalidInput(message).failure };
  }
  const { operation, request, longestWait, simple, includeToken } = call;
  const outcome = await callWithRetries(context, request, longestWait);
  if (outcome.ok && !includeToken) delete (outcome.body.data as IDataObject | undefined)?.token;
  return outcome.ok && simple ? { ok: true, body: operation.simplify(outcome.body) } : outcome;
}
