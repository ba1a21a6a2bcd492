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
  readonly format?: string;
  readonly maxLength?: number;
  readonly 'x-missing'?: { readonly code: ErrorCode };
  /** Without it the value is refused by its name. */
  readonly 'x-invalid'?: { readonly code: ErrorCode; readonly message?: string };
  /** Of an object: what it is made of. */
  readonly properties?: Readonly<Record<string, ParameterSchema>>;
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

export const contract = parse(
  readFileSync(new URL('../../../openapi/openapi.yaml', import.meta.url), 'utf8'),
) as OpenApi;

/** A copy of a part of the contract with what it refers to in place. Schemas of requests do not refer to themselves. */
function resolved(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(resolved);
  if (node === null || typeof node !== 'object') return node;
  const { $ref } = node as { $ref?: string };
  if ($ref === undefined) return Object.fromEntries(Object.entries(node).map(([key, child]) => [key, resolved(child)]));
  const steps = $ref.replace(/^#\//, '').split('/');
  return resolved(steps.reduce<unknown>((part, step) => (part as Record<string, unknown>)[step], contract));
}

/** The schema of a request body by its name in the contract. */
export function requestSchema(name: string): RequestSchema {
  const schema = contract.components.schemas[name];
  if (!schema) throw new Error(`the contract has no schema ${name}`);
  return resolved(schema) as RequestSchema;
}
