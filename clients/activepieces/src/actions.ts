/** The actions of the piece: one for each operation. */
import { randomUUID } from 'node:crypto';
import { createAction } from '@activepieces/pieces-framework';
import { OPERATIONS } from '../../connectors/generated/connectors.js';
import {
  keyOf,
  notVerified,
  operationOf,
  outputOf,
  requestOf,
  variableNames,
  type OperationName,
} from '../../connectors/operations.js';
import type { Passbell } from '../../node/src/index.js';
import { auth, clientFor, type Credentials, failureOf, readableError } from './connection.js';
import { fieldsOf } from './fields.js';

type Values = Readonly<Record<string, unknown>>;
/** The methods of the client that an operation can name. */
type Method = (request: never, options: { idempotencyKey: string }) => Promise<Record<string, unknown>>;

const isFilled = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/** Returns the variables of a template as texts, without empty ones and those of a template that was selected before. */
function textsOf(template: unknown, variables: Values): Record<string, string> {
  const names = variableNames(template).filter((name) => isFilled(variables[name]));
  return Object.fromEntries(names.map((name) => [name, String(variables[name])]));
}

async function callOperation(
  name: OperationName,
  credentials: Credentials,
  values: Values,
  stepId: string,
  run: string,
) {
  const { variables, idempotencyKey: own, ...inputs } = values;
  const request = {
    ...requestOf(name, inputs),
    ...(variables !== undefined && { variables: textsOf(inputs.templateType, Object(variables)) }),
  };
  const idempotencyKey = isFilled(own)
    ? encodeURIComponent(String(own).trim())
    : keyOf(credentials.appSecret, stepId, run, request);
  const client = clientFor(credentials);
  const method = client[operationOf(name).method as keyof Passbell] as unknown as Method;
  try {
    return outputOf(name, await method.call(client, request as never, { idempotencyKey }));
  } catch (error) {
    const output = name === 'verify' ? notVerified(failureOf(name, error)) : undefined;
    if (output) return output;
    throw readableError(name, error);
  }
}

function actionFor(name: OperationName) {
  const { label, help } = OPERATIONS[name];
  return createAction({
    auth,
    name: label.toLowerCase().replaceAll(' ', '_'),
    displayName: label,
    description: help,
    props: fieldsOf(name),
    // A retry has the same run, step and content, so it sends nothing twice.
    run: ({ auth: { props }, propsValue, run, step }) => callOperation(name, props, propsValue, step.name, run.id),
    // A person who tests the step in the editor expects a message each time.
    test: ({ auth: { props }, propsValue, step }) => callOperation(name, props, propsValue, step.name, randomUUID()),
  });
}

export const actions = (['send', 'verify', 'notifyOrder', 'notifyInvoice'] as const).map(actionFor);
