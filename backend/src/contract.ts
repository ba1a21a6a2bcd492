/** The contract at run time: the schemas that requests are checked against, and the document that is served. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { ErrorCode } from './errors.js';

/** One request parameter as the contract describes it. */
export interface ParameterSchema {
  readonly type: string | readonly string[];
  readonly default?: unknown;
  /** Characters that people type into the value and that do not count. */
  readonly 'x-strip'?: string;
  readonly 'x-missing'?: { readonly code: ErrorCode };
  readonly 'x-invalid': { readonly code: ErrorCode; readonly message?: string };
}

export interface RequestSchema {
  readonly required?: readonly string[];
  readonly properties: Readonly<Record<string, ParameterSchema>>;
}

interface OpenApi {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, object>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

export const contract = parse(readFileSync(new URL('../openapi/openapi.yaml', import.meta.url), 'utf8')) as OpenApi;

/** The part of the contract that `{ $ref: '#/…' }` points to; anything else as it is. */
function resolved<T>(node: T | { readonly $ref: string }): T {
  if (!(node instanceof Object && '$ref' in node)) return node as T;
  const parts = node.$ref.split('/').slice(1);
  return parts.reduce((part, name) => (part as Record<string, unknown>)[name], contract as unknown) as T;
}

/** The schema of a request body by its name in the contract; parameters that several requests share are filled in. */
export function requestSchema(name: string): RequestSchema {
  const schema = contract.components.schemas[name] as RequestSchema | undefined;
  if (!schema) throw new Error(`the contract has no schema ${name}`);
  if (!schema.properties) return schema;
  const entries = Object.entries(schema.properties).map(([parameter, node]) => [parameter, resolved(node)]);
  return { ...schema, properties: Object.fromEntries(entries) as RequestSchema['properties'] };
}
