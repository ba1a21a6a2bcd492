import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { InvalidInput } from '../shared/failure';
import { idempotencyKey, ownKey } from '../shared/idempotency';
import type { Operation } from '../shared/operation';
import type { Outcome } from '../shared/transport';
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

interface Options extends IDataObject {
  longestWait?: number;
  idempotencyKey?: string;
}

/** Runs the chosen operation for an item; of a success the body is what leaves the node. */
export async function runItem(context: IExecuteFunctions, itemIndex: number): Promise<Outcome> {
  const resource = context.getNodeParameter('resource', itemIndex);
  const operation = OPERATIONS[resource]?.[context.getNodeParameter('operation', itemIndex)];
  if (!operation) return { ok: false, failure: new InvalidInput('This node has no such operation').failure };

  const options = context.getNodeParameter('options', itemIndex, {}) as Options;
  let request;
  try {
    request = operation.request(context, itemIndex);
  } catch (error) {
    // An expression that does not resolve, or JSON that is none.
    const { message } = error as Error;
    return { ok: false, failure: new InvalidInput(message).failure };
  }
  if (operation.sends) {
    const key = options.idempotencyKey
      ? ownKey(String(options.idempotencyKey))
      : idempotencyKey(context, itemIndex, request.body);
    request = { ...request, headers: { 'Idempotency-Key': key } };
  }
  const outcome = await callPatiently(context, request, options.longestWait ?? 0);
  const simple = context.getNodeParameter('simple', itemIndex, true);
  return outcome.ok && simple ? { ok: true, body: operation.simplify(outcome.body) } : outcome;
}
