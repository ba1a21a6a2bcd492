import type { IExecuteFunctions } from 'n8n-workflow';
import { InvalidInput } from '../shared/failure';
import { idempotencyKey, ownKey } from '../shared/idempotency';
import type { Operation } from '../shared/operation';
import type { Outcome, Request } from '../shared/transport';
import { callPatiently } from '../shared/wait';
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

/** What the fields of an item come to. */
interface Plan {
  operation: Operation;
  request: Request;
  longestWait: unknown;
  simple: boolean;
}

function plan(context: IExecuteFunctions, itemIndex: number): Plan {
  const resource = context.getNodeParameter('resource', itemIndex);
  const operation = OPERATIONS[resource]?.[context.getNodeParameter('operation', itemIndex)];
  if (!operation) throw new InvalidInput('This node has no such operation');
  const { idempotencyKey: own, longestWait = 0 } = context.getNodeParameter('options', itemIndex, {});
  const request = operation.request(context, itemIndex);
  const simple = context.getNodeParameter('simple', itemIndex, true) as boolean;
  if (!operation.sends) return { operation, request, longestWait, simple };
  const key = ownKey(own) || idempotencyKey(context, itemIndex, request.body);
  return { operation, request: { ...request, headers: { 'Idempotency-Key': key } }, longestWait, simple };
}

/** Runs the chosen operation for an item; of a success the body is what leaves the node. */
export async function runItem(context: IExecuteFunctions, itemIndex: number): Promise<Outcome> {
  let planned: Plan;
  try {
    planned = plan(context, itemIndex);
  } catch (error) {
    // An expression that does not resolve, or JSON that is none; nothing was sent yet.
    const { message } = error as Error;
    return { ok: false, failure: new InvalidInput(message).failure };
  }
  const { operation, request, longestWait, simple } = planned;
  const outcome = await callPatiently(context, request, longestWait);
  return outcome.ok && simple ? { ok: true, body: operation.simplify(outcome.body) } : outcome;
}
