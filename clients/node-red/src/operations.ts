/** Turns the fields of a node into calls of the Node client, and failures into texts for people. */
import { createHmac } from 'node:crypto';
import { PassbellError } from '../../node/src/errors.js';
import { ADVICE, FIELDS, OPERATIONS } from './generated/connectors.js';
import { TEMPLATES, VARIABLES } from './generated/templates.js';

export type OperationName = keyof typeof OPERATIONS;
type Field = keyof typeof FIELDS;

/** Node-RED's words for the placeholders in the shared advice. */
const WORDS: Readonly<Record<string, string>> = {
  connection: 'the Passbell server of this node',
  flow: 'flow',
  app: 'Node-RED',
  retry: 'To try again, send a new message into this node: the same message is sent only once in 24 hours.',
  token: 'Use the token from a successful Verify OTP.',
};

/** The fields of a node, after their expressions were evaluated. */
export type Inputs = Readonly<Record<string, unknown>>;

export interface Failure {
  readonly code: string;
  /** Describes the failure. */
  readonly error: string;
  /** Advice on how to correct it. */
  readonly message: string;
  readonly field?: string;
  readonly retryAfterSeconds?: number;
  readonly attemptsLeft?: number;
}

/** Failures that are caused by the entered code, and not by the flow. */
export const NOT_VERIFIED: readonly string[] = ['INVALID_OTP', 'OTP_EXPIRED', 'OTP_LOCKED'];

export const operationOf = (
  name: OperationName,
): { method: string; required: readonly Field[]; optional: readonly Field[] } => OPERATIONS[name];

const parameterOf = (name: Field): string => (FIELDS[name] as { parameter?: string }).parameter ?? name;

/** Fields that only the node uses. */
const OWN_FIELDS: readonly string[] = ['waitMinutes', 'redirectUrl'];

/** Returns the request of an operation, without empty fields. Whole numbers may be texts. */
export function requestOf(name: OperationName, inputs: Inputs): Record<string, unknown> {
  const { required, optional } = operationOf(name);
  const names = [...required, ...optional].filter((field) => !OWN_FIELDS.includes(field));
  const entries = names.map((field) => [parameterOf(field), inputs[field]] as const);
  const filled = entries.filter(([, value]) => value !== undefined && value !== null && value !== '');
  const request = Object.fromEntries(filled.map(([key, value]) => [key, asParameter(key, value)]));
  // Both identify the code to check. The Verification ID is more precise.
  if (name === 'verify' && request.maskId !== undefined) delete request.to;
  return request;
}

function asParameter(key: string, value: unknown): unknown {
  if (['otpLength', 'expiry'].includes(key) && typeof value === 'string' && /^\d{1,9}$/.test(value.trim()))
    return Number(value);
  if (value instanceof Date) return value.toISOString();
  // A recipient or an ID may be a number in a spreadsheet. A code stays a number, so that the service restores its zeros.
  return typeof value === 'number' && !['otp', 'otpLength', 'expiry'].includes(key) ? String(value) : value;
}

/** The names of a template's variables, required ones first; those of all templates if the template is unknown. */
export function variableNames(template: unknown): string[] {
  const known = Object.entries(TEMPLATES).filter(([name]) => name === template);
  const found = (known.length > 0 ? known : Object.entries(TEMPLATES)).map(([, entry]) => entry);
  return [...new Set(found.flatMap(({ required, oneOf, optional }) => [...required, ...oneOf, ...optional]))];
}

/**
 * The Idempotency-Key of a call. It is the same whenever a node gets the same message with the same content, so that a flow
 * that repeats a message after a failure sends nothing twice. The App Secret keys the hash, because the content of a call
 * could be guessed.
 */
export const keyOf = (secret: string, nodeId: string, messageId: unknown, request: object): string =>
  createHmac('sha256', secret)
    .update(JSON.stringify([nodeId, messageId ?? '', request]))
    .digest('hex');

/** Labels of fields by their name in the API. */
function labelsFor(name: OperationName): Record<string, string> {
  const { required, optional } = operationOf(name);
  const labels = [...required, ...optional].map((field) => [parameterOf(field), FIELDS[field].label]);
  const variables = Object.entries(VARIABLES).map(([variable, { label }]) => [variable, label]);
  return Object.fromEntries([...variables, ...labels, ['clientId', 'App Key'], ['clientSecret', 'App Secret']]);
}

/** Replaces API parameter names in a message with the labels of the node's fields. */
function withLabels(code: string, text: string, labels: Record<string, string>): string {
  const names = code === 'MISSING_TEMPLATE_VARIABLES' ? /\b\w+/g : /^\w+(?= must )|(?<= than )\w+$|\b[a-z]+[A-Z]\w*/g;
  return text.replace(names, (found) => labels[found.replace('variables.', '')] ?? found);
}

/** Errors for which the server's hint depends on the request, and is more precise than the shared advice. */
const SERVER_HINTS = ['INVALID_RECIPIENT', 'NUMBER_NOT_ALLOWED', 'UNKNOWN_TEMPLATE', 'FRAUD_SUSPECTED'];

/** Describes a failure with the labels of the node, and with advice. */
export function failureOf(name: OperationName, error: unknown): Failure {
  if (!(error instanceof PassbellError))
    return { code: 'INVALID_INPUT', error: (error as Error).message, message: 'Correct the fields of this node.' };
  const { code, message, hint, field, retryAfterSeconds, attemptsLeft } = error;
  const labels = labelsFor(name);
  const label = field === undefined ? undefined : labels[field];
  const text = (ADVICE as Record<string, string>)[code]?.replace(/\{(\w+)\}/g, (_all, word) => WORDS[word] ?? '');
  const advice = SERVER_HINTS.includes(code) ? hint : (text ?? hint);
  return {
    code,
    error: withLabels(code, message, labels),
    message: code === 'MISSING_PARAMETERS' && label ? `${label} is empty.` : (advice ?? ''),
    ...(label !== undefined && { field: label }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    ...(attemptsLeft !== undefined && { attemptsLeft }),
  };
}
