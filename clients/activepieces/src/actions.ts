/** The actions of the piece: one for each operation. */
import { randomUUID } from 'node:crypto';
import { createAction } from '@activepieces/pieces-framework';
import { OPERATIONS } from '../../connectors/generated/connectors.js';
import {
  callOperation,
  keyFor,
  notVerified,
  outputOf,
  requestOf,
  type Inputs,
  type OperationName,
} from '../../connectors/operations.js';
import { auth, clientFor, type Credentials, failureOf, readableError } from './connection.js';
import { fieldsOf } from './fields.js';

async function runStep(name: OperationName, credentials: Credentials, inputs: Inputs, stepId: string, run: string) {
  const request = requestOf(name, inputs, inputs.variables as Inputs | undefined);
  const key = keyFor(inputs, credentials.appSecret, stepId, run, request);
  try {
    return outputOf(name, await callOperation(clientFor(credentials), name, request, key));
  } catch (error) {
    const output = name === 'verify' ? notVerified(failureOf(name, error)) : undefined;
    if (output) return output;
    throw readableError(name, error);
  }
}

function actionFor(name: OperationName) {
  const { label, help, method } = OPERATIONS[name];
  return createAction({
    auth,
    name: method.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    displayName: label,
    description: help,
    props: fieldsOf(name),
    // A retry has the same run, step and content, so it sends nothing twice.
    run: ({ auth: { props }, propsValue, run, step }) => runStep(name, props, propsValue, step.name, run.id),
    // A person who tests the step in the editor expects a message each time.
    test: ({ auth: { props }, propsValue, step }) => runStep(name, props, propsValue, step.name, randomUUID()),
  });
}

export const actions = (['send', 'verify', 'notifyOrder', 'notifyInvoice'] as const).map(actionFor);
