/**
 * The OpenAPI documents, which are used to validate requests: of the API, generated from openapi.yaml and served at
 * `/openapi.json`, and of the management API, generated from manage.yaml and served at `/manage.json`.
 */
import { readFileSync } from 'node:fs';
import { BACKEND_FOLDER } from '../folders.js';
import type { ErrorCode } from './errors.js';

export interface ParameterSchema {
  readonly type: string | readonly string[];
  readonly default?: unknown;
  /** Pattern of characters to ignore in the value, such as spaces in a phone number. */
  readonly 'x-strip'?: string;
  /** Names that callers often use by mistake, for suggestions. */
  readonly 'x-synonyms'?: readonly string[];
  readonly 'x-redact'?: boolean;
  readonly format?: string;
  readonly maxLength?: number;
  readonly 'x-missing'?: { readonly code: ErrorCode };
  /** The error for an invalid value; by default `INVALID_PARAMETER` with the parameter name. */
  readonly 'x-invalid'?: { readonly code: ErrorCode; readonly message?: string };
  readonly properties?: Readonly<Record<string, ParameterSchema>>;
}

export interface RequestSchema {
  readonly required?: readonly string[];
  readonly properties: Readonly<Record<string, ParameterSchema>>;
}

export interface Contract {
  readonly openapi: string;
  readonly info: { readonly description: string; readonly version: string };
  readonly paths: Readonly<Record<string, object>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

/** An error in `x-errors` of the contract. The hint is in Markdown; `example` has values for the placeholders in the texts. */
export interface DescribedError {
  readonly message: string;
  readonly hint: string;
  readonly throttled?: boolean;
  readonly status?: number;
  readonly example?: Readonly<Record<string, string>>;
}

const read = (name: string) => JSON.parse(readFileSync(new URL(`openapi/${name}`, BACKEND_FOLDER), 'utf8')) as Contract;

export const contract = read('openapi.json');
export const manageContract = read('manage.json');

export const { 'x-errors': errorTopics } = contract.components.schemas.ErrorCode as {
  readonly 'x-errors': Readonly<Record<string, Readonly<Record<ErrorCode, DescribedError>>>>;
};

/**
 * Copies a part of the contract and resolves every `$ref`. Keywords beside a `$ref`, such as `description`, override those of
 * its target. The schemas are not recursive.
 */
export function resolveRefs(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(resolveRefs);
  if (node === null || typeof node !== 'object') return node;
  const { $ref, ...keywords } = node as { $ref?: string };
  const own = Object.fromEntries(Object.entries(keywords).map(([key, child]) => [key, resolveRefs(child)]));
  if ($ref === undefined) return own;
  const steps = $ref.replace(/^#\//, '').split('/');
  const target = steps.reduce<unknown>((part, step) => (part as Record<string, unknown>)[step], contract);
  return { ...(resolveRefs(target) as object), ...own };
}

export function requestSchema(name: string): RequestSchema {
  const schema = contract.components.schemas[name];
  if (!schema) throw new Error(`the contract has no schema ${name}`);
  return resolveRefs(schema) as RequestSchema;
}
