/** Checks a request against its schema in the contract: tolerant in spelling, exact in meaning. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Request } from 'express';
import { requestSchema, type ParameterSchema } from '../contract.js';
import { ApiError } from '../errors.js';

const ajv = new Ajv2020({ strict: false });

/** Reads the parameters of one operation from a query string or a JSON body. */
export type Validator<T> = (source: unknown) => T;

/** GET requests carry their parameters in the query string, the others in the body; no body is one without any. */
export function parametersOf(request: Request): unknown {
  return request.method === 'GET' ? request.query : (request.body ?? {});
}

function invalid(name: string, schema: ParameterSchema): ApiError {
  const { code, message } = schema['x-invalid'];
  return new ApiError(code, { values: { text: message ?? `${name} is not valid` } });
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
    // A phone number without its quotes; anything else is not bent into one.
    if (!Number.isSafeInteger(value) || value < 0) throw invalid(name, schema);
    return String(value);
  }
  // A list of recipients or channels is refused with their own error, which does not name the field.
  const namesField = schema['x-invalid'].code === 'INVALID_PARAMETER';
  if (typeof value !== 'string' && (namesField || Array.isArray(value))) throw invalid(name, schema);
  if (typeof value !== 'string')
    throw new ApiError('INVALID_PARAMETER', { values: { text: `${name} must be a ${types[0]}` } });
  const strip = schema['x-strip'];
  const text = (strip ? value.replace(new RegExp(strip, 'gu'), '') : value).trim();
  if (types.includes('string')) return text;
  return /^\d{1,9}$/.test(text) ? Number(text) : text;
}

/**
 * Validator of a request schema of the contract, or of some of its parameters; the first problem is thrown with the
 * contract's own code and text.
 */
export function createValidator<T>(schemaName: string, only?: readonly string[]): Validator<T> {
  const schema = requestSchema(schemaName);
  const entries = Object.entries(schema.properties).filter(([name]) => only?.includes(name) ?? true);
  const checks = new Map(entries.map(([name, property]) => [name, ajv.compile(property)]));

  return (source) => {
    if (source === null || typeof source !== 'object' || Array.isArray(source))
      throw new ApiError('INVALID_PARAMETER', { values: { text: 'the body must be a JSON object' } });
    const result: Record<string, unknown> = {};
    for (const [name, property] of entries) {
      const given = find(source as Record<string, unknown>, name);
      const value = given === undefined ? undefined : scalar(given, name, property);
      if (value === undefined || value === '') {
        if (schema.required?.includes(name)) throw new ApiError(property['x-missing']?.code ?? 'MISSING_PARAMETERS');
        if (property.default !== undefined) result[name] = property.default;
        continue;
      }
      if (!checks.get(name)!(value)) throw invalid(name, property);
      result[name] = value;
    }
    return result as T;
  };
}
