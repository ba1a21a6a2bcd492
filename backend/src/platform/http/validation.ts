import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Request } from 'express';
import { requestSchema, type ParameterSchema, type RequestSchema } from '../contract/contract.js';
import { ApiError, shorten } from '../contract/errors.js';
import { isObject } from '../json.js';
import { isIpAddress } from './source-address.js';
import { isWebLink } from './web-link.js';

// `validateSchema` is off because it would slow down every start. A test validates the schemas instead.
const ajv = new Ajv2020({ strict: false, validateSchema: false, formats: { uri: isWebLink, ip: isIpAddress } });

export type Validator<T> = (source: unknown) => T;

export function parametersOf(request: Request): unknown {
  return request.method === 'GET' ? request.query : (request.body ?? {});
}

function expectation({ type, format, maxLength }: ParameterSchema): string {
  if (type === 'object') return 'must be an object';
  const what = format === 'uri' ? 'a link that starts with http:// or https://' : 'a string';
  return `must be ${what}${maxLength === undefined ? '' : ` of at most ${maxLength} characters`}`;
}

function invalidParameter(name: string, schema: ParameterSchema, value: unknown): ApiError {
  const { code, message } = schema['x-invalid'] ?? { code: 'INVALID_PARAMETER' };
  const values = { text: message ?? `${name} ${expectation(schema)}` };
  return new ApiError(code, { values, field: name, received: describeReceived(value, schema) });
}

/**
 * Describes an invalid value for the reply: the start of a text or number, or else its type. Omits confidential texts.
 */
function describeReceived(value: unknown, schema: ParameterSchema): string | undefined {
  if (Array.isArray(value)) return 'an array';
  if (isObject(value)) return 'an object';
  return schema['x-redact'] ? undefined : shorten(String(value));
}

/** Looks up a parameter by name. Ignores case if there is no exact match. */
function findParameter(source: Record<string, unknown>, name: string): unknown {
  if (Object.hasOwn(source, name)) return source[name];
  const other = Object.keys(source).find((key) => key.toLowerCase() === name.toLowerCase());
  return other === undefined ? undefined : source[other];
}

/** Converts a scalar to the type in the contract. Throws for values that are not scalars or cannot be converted. */
function parseScalar(value: unknown, name: string, schema: ParameterSchema): unknown {
  const types: readonly string[] = [schema.type].flat();
  if (typeof value === 'number' && Number.isFinite(value)) {
    if (types.includes('integer')) return value;
    if (types.includes('number')) return String(value);
    // A number is accepted for a string parameter only if it is a non-negative integer, such as a phone number without
    // quotes.
    if (!Number.isSafeInteger(value) || value < 0) throw invalidParameter(name, schema, value);
    return String(value);
  }
  if (typeof value === 'boolean' && types.includes('boolean')) return String(value);
  // Rejects an array with the parameter's specific error, such as INVALID_RECIPIENT. Rejects other types with
  // INVALID_PARAMETER and the parameter name.
  const namesField = (schema['x-invalid']?.code ?? 'INVALID_PARAMETER') === 'INVALID_PARAMETER';
  if (typeof value !== 'string' && (namesField || Array.isArray(value))) throw invalidParameter(name, schema, value);
  if (typeof value !== 'string')
    throw new ApiError('INVALID_PARAMETER', {
      values: { text: `${name} must be a ${types[0]}` },
      field: name,
      received: describeReceived(value, schema),
    });
  const strip = schema['x-strip'];
  const text = (strip ? value.replace(new RegExp(strip, 'gu'), '') : value).trim();
  if (types.includes('string')) return text;
  return /^\d{1,9}$/.test(text) ? Number(text) : text;
}

/** Creates a function that validates an object, including nested objects. `path` prefixes parameter names in errors. */
function createReader(schema: RequestSchema, only?: readonly string[], path = '') {
  const entries = Object.entries(schema.properties)
    .filter(([name]) => only?.includes(name) ?? true)
    .map(([name, property]) => ({ name, property, read: createValueReader(`${path}${name}`, property) }));

  return (source: Record<string, unknown>) => {
    const result: Record<string, unknown> = {};
    for (const { name, property, read } of entries) {
      const raw = findParameter(source, name);
      const value = raw === undefined ? undefined : read(raw);
      if (value !== undefined && value !== '') result[name] = value;
      else if (schema.required?.includes(name))
        throw new ApiError(property['x-missing']?.code ?? 'MISSING_PARAMETERS', { field: `${path}${name}` });
      else if (property.default !== undefined) result[name] = property.default;
    }
    return result;
  };
}

/** Creates a function that validates one value. The function returns "" for a blank value, which counts as missing. */
function createValueReader(name: string, property: ParameterSchema): (raw: unknown) => unknown {
  if (property.properties) {
    const read = createReader({ properties: property.properties }, undefined, `${name}.`);
    return (raw) => {
      if (!isObject(raw)) throw invalidParameter(name, property, raw);
      return read(raw);
    };
  }
  let compiled: ReturnType<typeof ajv.compile> | undefined;
  // Schemas are compiled on first use: compiling all of them would make startup noticeably slower.
  const check = (value: unknown) => (compiled ??= ajv.compile(property))(value);
  if (property.type === 'array')
    return (raw) => {
      if (!check(raw)) throw invalidParameter(name, property, raw);
      return raw;
    };
  return (raw) => {
    const value = parseScalar(raw, name, property);
    if (value !== '' && !check(value)) throw invalidParameter(name, property, raw);
    return value;
  };
}

/**
 * Creates a function that validates a parsed query string or body against a request schema, or only against the
 * parameters in `only`. The function throws the first error.
 */
export function createValidator<T>(schemaName: string, only?: readonly string[]): Validator<T> {
  const read = createReader(requestSchema(schemaName), only);
  return (source) => {
    if (!isObject(source))
      throw new ApiError('INVALID_PARAMETER', { values: { text: 'the body must be a JSON object' } });
    return read(source) as T;
  };
}

/**
 * Validates a request that contains a code. A code of the wrong type is rejected with `INVALID_PARAMETER`, but it also
 * counts as a wrong guess: `countGuess` verifies a wrong code. Errors from `countGuess` take precedence, except for
 * `INVALID_OTP`.
 */
export async function readWithCode<T>(
  read: Validator<T>,
  source: unknown,
  countGuess: () => Promise<unknown>,
): Promise<T> {
  try {
    return read(source);
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'INVALID_PARAMETER')) throw error;
    await countGuess().catch((guessError: ApiError) => {
      if (guessError.code !== 'INVALID_OTP') throw guessError;
    });
    throw error;
  }
}

const { pattern, maxLength } = requestSchema('IdempotencyKey') as unknown as { pattern: string; maxLength: number };
const IDEMPOTENCY_KEY = new RegExp(pattern);

export function idempotencyKeyOf(request: Request): string | undefined {
  const key = request.get('Idempotency-Key');
  if (key !== undefined && (!IDEMPOTENCY_KEY.test(key) || key.length > maxLength))
    throw new ApiError('INVALID_IDEMPOTENCY_KEY');
  return key;
}
