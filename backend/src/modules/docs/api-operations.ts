/** The operations in the contract, with samples of their requests and replies, for the pages of the API reference. */
import { contract, resolveRefs } from '../../platform/contract/contract.js';
import type { FieldSchema } from './field-list.js';
import { fenced, paragraphs } from './reference-parts.js';
import { snippetsOf, type SampleRequest } from './snippets.js';

interface MediaType {
  readonly schema: { readonly oneOf?: readonly FieldSchema[] } & FieldSchema;
  readonly example?: unknown;
}

interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'header' | 'path';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: FieldSchema;
}

interface Content {
  readonly content: { readonly 'application/json': MediaType };
}

export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
  readonly security?: readonly unknown[];
}

export interface Described {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

export interface Tag {
  readonly name: string;
  readonly description?: string;
}

export const { tags, paths, webhooks } = resolveRefs(contract) as {
  readonly tags: readonly Tag[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: { readonly event: { readonly post: Operation } };
};

export const tagPath = ({ name }: Tag): string => `/docs/api/${name.toLowerCase()}`;

/** The API operations. Excludes the GET variants with a query string, which the POST variants mention. */
const OPERATIONS: readonly Described[] = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods)
    .filter(([, { operationId }]) => !operationId.endsWith('ByQuery'))
    .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
);

export const operationsOf = ({ name }: Tag): readonly Described[] =>
  OPERATIONS.filter(({ operation }) => operation.tags.includes(name));

export const operationCalled = (id: string): Described =>
  OPERATIONS.find(({ operation }) => operation.operationId === id)!;

export const acceptsQuery = ({ path, method }: Described): boolean =>
  method === 'POST' && paths[path]?.get?.operationId.endsWith('ByQuery') === true;

/** Returns a parameter's sample value: its first example, or its first allowed value. */
const sampleOf = ({ examples, enum: values }: FieldSchema): string => String(examples?.[0] ?? values?.[0] ?? '');

/** Sample values of path parameters, which have no examples in the contract. */
const PATH_SAMPLES: Readonly<Record<string, string>> = {
  '/auth/otp/{maskId}': '3f2a9c0b51d84e7e96a1c0ffee123456',
  '/messages/{id}': '9b1de0a7c4f24b6d8e2f7a6543210fed',
  '/webhooks/{id}': 'WHK-5d41402abc4b2a76b9719d911017c592',
};

function sampleRequest({ method, path, operation }: Described): SampleRequest {
  const { parameters = [], requestBody, security } = operation;
  const query = parameters.filter(({ in: place, required }) => place === 'query' && required);
  const filled = path.replace(/\{\w+\}/, PATH_SAMPLES[path] ?? '');
  const search = new URLSearchParams(query.map(({ name, schema }) => [name, sampleOf(schema)]));
  return {
    method,
    path: query.length > 0 ? `${filled}?${search}` : filled,
    body: requestBody?.content['application/json'].schema.examples?.[0],
    authenticated: security?.length !== 0,
  };
}

/** Removes a property from an object schema and from the schemas inside it. */
function withoutProperty(schema: FieldSchema, name: string): FieldSchema {
  const { properties, items } = schema;
  const rest = Object.entries(properties ?? {}).filter(([key]) => key !== name);
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(rest.map(([key, inner]) => [key, withoutProperty(inner, name)])),
    }),
    ...(items && { items: withoutProperty(items, name) }),
  };
}

/** Only replies to order notifications contain the caller's device, but all sends share the schema of their results. */
export function replyOf({ operationId, responses }: Operation): {
  readonly schema: FieldSchema;
  readonly example: unknown;
} {
  const { schema, example } = responses['200']!.content['application/json'];
  const success = schema.oneOf?.[0] ?? schema;
  const hasDevice = operationId === 'sendOrderNotification';
  return {
    schema: hasDevice ? success : withoutProperty(success, 'deviceInfo'),
    example: example ?? success.examples?.[0],
  };
}

/** Returns the request of an operation in all languages, in Markdown. */
export function requestOf(described: Described, url: string): string {
  const { method, path } = described;
  const snippets = snippetsOf(url, sampleRequest(described));
  return paragraphs(...snippets.map(({ language, code }) => fenced(`${language} ${method} ${path}`, code)));
}
