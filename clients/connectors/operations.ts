/**
 * Shared by the Node-RED nodes and the Activepieces piece: turns the fields of a step into calls of the Node client, results into
 * outputs, and failures into texts for people.
 */
import { createHmac } from 'node:crypto';
import type { Passbell } from '../node/src/client.js';
import { PassbellError } from '../node/src/errors.js';
import { ADVICE, FIELDS, OPERATIONS } from './generated/connectors.js';
import { TEMPLATES, VARIABLES } from './generated/templates.js';

export type OperationName = keyof typeof OPERATIONS;
type Field = keyof typeof FIELDS;

/** The terms of a host, which replace the placeholders in the shared advice. */
export interface Words {
  readonly connection: string;
  readonly flow: string;
  readonly app: string;
  readonly retry: string;
  /** Appended if a message may have been sent. */
  readonly unknown: string;
  readonly token: string;
  readonly step: string;
}

/** The fields of a step, after their expressions were evaluated. */
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

export const operationOf = (
  name: OperationName,
): { method: string; required: readonly Field[]; optional: readonly Field[] } => OPERATIONS[name];

const parameterOf = (name: Field): string => (FIELDS[name] as { parameter?: string }).parameter ?? name;

/** Fields that are not parameters of the API. */
const OWN_FIELDS: readonly string[] = ['waitMinutes', 'redirectUrl', 'idempotencyKey'];

const isFilled = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/**
 * Returns the request of an operation, without empty fields. Whole numbers may be texts. `variables`: the values for the
 * template, without those of a template that was selected before.
 */
export function requestOf(name: OperationName, inputs: Inputs, variables?: Inputs): Record<string, unknown> {
  const { required, optional } = operationOf(name);
  const names = [...required, ...optional].filter((field) => !OWN_FIELDS.includes(field) && isFilled(inputs[field]));
  const request = Object.fromEntries(
    names.map((field) => [parameterOf(field), asParameter(parameterOf(field), inputs[field])]),
  );
  if (variables) {
    const used = variableNames(inputs.templateType).filter((variable) => isFilled(variables[variable]));
    request.variables = Object.fromEntries(used.map((variable) => [variable, String(variables[variable])]));
  }
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
 * The Idempotency-Key of a call. It is the same whenever a step gets the same message with the same content, so that a flow
 * that repeats a message after a failure sends nothing twice. The App Secret keys the hash, because the content of a call
 * could be guessed.
 */
export const keyOf = (secret: string, stepId: string, messageId: unknown, request: object): string =>
  createHmac('sha256', secret)
    .update(JSON.stringify([stepId, messageId ?? '', request]))
    .digest('hex');

/** The key of a call: the one in the field Idempotency Key, encoded for a header, or {@link keyOf}. */
export function keyFor(inputs: Inputs, secret: string, stepId: string, messageId: unknown, request: object): string {
  const own = String(inputs.idempotencyKey ?? '').trim();
  return own ? encodeURIComponent(own) : keyOf(secret, stepId, messageId, request);
}

/** The methods of the client that an operation can name. */
type Method = (request: never, options: { idempotencyKey: string }) => Promise<Record<string, unknown>>;

/** Calls the operation's method of the Node client, which retries it with the same Idempotency-Key. */
export function callOperation(client: Passbell, name: OperationName, request: object, idempotencyKey: string) {
  const method = client[operationOf(name).method as keyof Passbell] as unknown as Method;
  return method.call(client, request as never, { idempotencyKey });
}

const isoTime = (seconds: unknown): string => new Date(Number(seconds) * 1000).toISOString();

/** Returns the result of an operation without the fields that only API clients need. */
export function outputOf(name: OperationName, reply: Record<string, unknown>): Record<string, unknown> {
  const { maskId, messageId, to, authType, expireTime, sendTime, charge, currency, message } = reply;
  const { token, tokenType, expiresIn, user } = reply;
  if (name === 'verify') return { verified: true, token, tokenType, expiresIn, user };
  const times = { ...(sendTime !== undefined && { sendAt: isoTime(sendTime) }) };
  const code = name === 'send' ? { maskId, expiresAt: isoTime(expireTime) } : {};
  return { messageId, ...code, to, channel: String(authType).toUpperCase(), charge, currency, message, ...times };
}

/** Returns the result of a verification that failed because of the code; undefined for other failures. */
export function notVerified({ code: reason, error: message, retryAfterSeconds, attemptsLeft }: Failure) {
  if (!['INVALID_OTP', 'OTP_EXPIRED', 'OTP_LOCKED'].includes(reason)) return undefined;
  return { verified: false, reason, message, retryAfterSeconds, attemptsLeft };
}

/** Labels of fields by their name in the API. */
function labelsFor(name: OperationName | undefined): Record<string, string> {
  const { required, optional } = name ? operationOf(name) : { required: [], optional: [] };
  const labels = [...required, ...optional].map((field) => [parameterOf(field), FIELDS[field].label]);
  const variables = Object.entries(VARIABLES).map(([variable, { label }]) => [variable, label]);
  return Object.fromEntries([...variables, ...labels, ['clientId', 'App Key'], ['clientSecret', 'App Secret']]);
}

/** Replaces API parameter names in a message with the labels of the step's fields. */
function withLabels(code: string, text: string, labels: Record<string, string>): string {
  const names = code === 'MISSING_TEMPLATE_VARIABLES' ? /\b\w+/g : /^\w+(?= must )|(?<= than )\w+$|\b[a-z]+[A-Z]\w*/g;
  return text.replace(names, (found) => labels[found.replace('variables.', '')] ?? found);
}

/** Errors for which the server's hint depends on the request, and is more precise than the shared advice. */
const SERVER_HINTS = ['INVALID_RECIPIENT', 'NUMBER_NOT_ALLOWED', 'UNKNOWN_TEMPLATE', 'FRAUD_SUSPECTED'];

/**
 * Describes a failure with the labels of the step, and with advice in the words of the host. `name`: the operation, if the call is
 * not about the connection or a webhook.
 */
export function describeFailure(words: Words, name: OperationName | undefined, error: unknown): Failure {
  if (!(error instanceof PassbellError))
    return { code: 'INVALID_INPUT', error: (error as Error).message, message: `Correct the fields of ${words.step}.` };
  const { code, message, hint, field, retryAfterSeconds, attemptsLeft } = error;
  const labels = labelsFor(name);
  const label = field === undefined ? undefined : labels[field];
  const sends = name !== undefined && operationOf(name).method.startsWith('send');
  const wordOf = (placeholder: string) =>
    placeholder === 'unknown' && !sends ? '' : (words[placeholder as keyof Words] ?? '');
  const text = (ADVICE as Record<string, string>)[code]
    ?.replace(/\{(\w+)\}/g, (_all, word: string) => wordOf(word))
    .trim();
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
