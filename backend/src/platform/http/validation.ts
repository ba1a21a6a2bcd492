/** Checks a request against its schema in the contract: tolerant in spelling, exact in meaning. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Request } from 'express';
import { requestSchema, type ParameterSchema, type RequestSchema } from '../contract/contract.js';
import { ApiError } from '../contract/errors.js';
import { isWebLink } from './web-link.js';

// That the contract's schemas are right is for a test to say, and not for every start, which it would make much longer.
const ajv = new Ajv2020({ strict: false, validateSchema: false, formats: { uri: isWebLink } });

/** Reads the parameters of one operation from a query string or a JSON body. */
export type Validator<T> = (source: unknown) => T;

/** GET requests carry their parameters in the query string, the others in the body; no body is one without any. */
export function parametersOf(request: Request): unknown {
  return request.method === 'GET' ? request.query : (request.body ?? {});
}

/** What is expected of a value whose schema has no words of its own for it. */
function expectation({ type, format, maxLength }: ParameterSchema): string {
  if (type === 'object') return 'must be an object';
  const what = format === 'uri' ? 'a link that starts with http:// or https://' : 'a string';
  return `must be ${what}${maxLength === undefined ? '' : ` of at most ${maxLength} characters`}`;
}

function invalid(name: string, schema: ParameterSchema): ApiError {
  const { code, message } = schema['x-invalid'] ?? { code: 'INVALID_PARAMETER' };
  return new ApiError(code, { values: { text: message ?? `${name} ${expectation(schema)}` } });
}

/** The value of a parameter; the exact name wins over one of another case. */
function find(source: Record<string, unknown>, name: string): unknown {
  if (Object.hasOwn(source, name)) return source[name];
  const other = Object.keys(source).find((key) => key.toLowerCase() === name.toLowerCase());
  return other === undefined ? undefined : source[other];
}

/** A scalar in the type that the contract asks for. Anything else is refused by name, never bent into one. */
function scalar(value: unknown, name: string, schema: ParameterSchema): unknown {
  const types: readonly string[] = [schema.type].flat();
  if (typeof value === 'number' && Number.isFinite(value)) {
    if (types.includes('integer')) return value;
    if (types.includes('number')) return String(value);
    // A phone number without its quotes; anything else is not bent into one.
    if (!Number.isSafeInteger(value) || value < 0) throw invalid(name, schema);
    return String(value);
  }
  if (typeof value === 'boolean' && types.includes('boolean')) return String(value);
  // A list of recipients or channels is refused with their own error, which does not name the field.
  const namesField = (schema['x-invalid']?.code ?? 'INVALID_PARAMETER') === 'INVALID_PARAMETER';
  if (typeof value !== 'string' && (namesField || Array.isArray(value))) throw invalid(name, schema);
  if (typeof value !== 'string')
    throw new ApiError('INVALID_PARAMETER', { values: { text: `${name} must be a ${types[0]}` } });
  const strip = schema['x-strip'];
  const text = (strip ? value.replace(new RegExp(strip, 'gu'), '') : value).trim();
  if (types.includes('string')) return text;
  return /^\d{1,9}$/.test(text) ? Number(text) : text;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

type Reader = (source: Record<string, unknown>) => Record<string, unknown>;

/** Reads the parameters of a schema, and those of the objects in it; `path` is put before the names in errors. */
function createReader(schema: RequestSchema, only?: readonly string[], path = ''): Reader {
  const entries = Object.entries(schema.properties)
    .filter(([name]) => only?.includes(name) ?? true)
    .map(([name, property]) => ({ name, property, read: createValueReader(`${path}${name}`, property) }));

  return (source) => {
    const result: Record<string, unknown> = {};
    for (const { name, property, read } of entries) {
      const given = find(source, name);
      const value = given === undefined ? undefined : read(given);
      if (value !== undefined && value !== '') result[name] = value;
      else if (schema.required?.includes(name)) throw new ApiError(property['x-missing']?.code ?? 'MISSING_PARAMETERS');
      else if (property.default !== undefined) result[name] = property.default;
    }
    return result;
  };
}

/** Reads one value; a blank one is answered as it is, since it stands for an absent one. */
function createValueReader(name: string, property: ParameterSchema): (given: unknown) => unknown {
  if (property.properties) {
    const read = createReader({ properties: property.properties }, undefined, `${name}.`);
    return (given) => {
      if (!isObject(given)) throw invalid(name, property);
      return read(given);
    };
  }
  const check = ajv.compile(property);
  if (property.type === 'array')
    return (given) => {
      if (!check(given)) throw invalid(name, property);
      return given;
    };
  return (given) => {
    const value = scalar(given, name, property);
    if (value !== '' && !check(value)) throw invalid(name, property);
    return value;
  };
}

/**
 * Validator of a request schema of the contract, or of some of its parameters; the first problem is thrown with the
 * contract's own code and text.
 */
export function createValidator<T>(schemaName: string, only?: readonly string[]): Validator<T> {
  const read = createReader(requestSchema(schemaName), only);
  return (source) => {
    if (!isObject(source))
      throw new ApiError('INVALID_PARAMETER', { values: { text: 'the body must be a JSON object' } });
    return read(source) as T;
  };
}
