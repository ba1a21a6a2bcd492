/** The contracts as documents: completes that of the management API, and makes both suitable for code generators. */

export type Json = Record<string, unknown>;

/** Collects the names of the schemas that a part of the contract refers to, directly or through other schemas. */
export function schemasOf(node: unknown, schemas: Json, found = new Set<string>()): Set<string> {
  if (node === null || typeof node !== 'object') return found;
  const name = String((node as Json).$ref ?? '').match(/^#\/components\/schemas\/(\w+)/)?.[1];
  if (name !== undefined && !found.has(name)) schemasOf(schemas[name], schemas, found.add(name));
  for (const child of Object.values(node)) schemasOf(child, schemas, found);
  return found;
}

/** A reply body in JSON. */
export const jsonOf = (schema: unknown) => ({ content: { 'application/json': { schema } } });

/** Returns an operation of the management API with its replies, which the source describes only by their data. */
function withReplies({ 'x-data': data, parameters = [], ...operation }: Json, shared: readonly unknown[]): Json {
  const success = { success: { type: 'boolean', const: true }, message: { type: 'string' }, data };
  const schema = { type: 'object', required: Object.keys(success), properties: success };
  const responses = { '200': { description: 'Done.', ...jsonOf(schema) } };
  return { ...operation, parameters: [...shared, ...(parameters as unknown[])], responses };
}

/** Completes the contract of the management API: adds the replies, and the schemas of the other contract that it uses. */
export function manageContract(source: Json, contract: Json): Json {
  const paths = Object.entries(source.paths as Record<string, Json>).map(([path, { parameters = [], ...methods }]) => {
    const operations = Object.entries(methods).map(([method, operation]) => [
      method,
      withReplies(operation as Json, parameters as unknown[]),
    ]);
    return [path, Object.fromEntries(operations)];
  });
  const components = source.components as Json;
  const shared = (contract.components as Json).schemas as Json;
  const schemas = { ...shared, ...(components.schemas as Json) };
  const used = schemasOf([paths, components], schemas);
  const entries = Object.entries(schemas).filter(([name]) => used.has(name));
  return {
    ...source,
    paths: Object.fromEntries(paths),
    components: { ...components, schemas: Object.fromEntries(entries) },
  };
}

/** Returns the part of a contract that a `$ref` points to. */
export const partAt = ($ref: string, contract: Json): Json =>
  $ref
    .split('/')
    .slice(1)
    .reduce((part, step) => part[step] as Json, contract);

/** Copies a part of the management contract and resolves every `$ref`. */
export function resolved(node: unknown, contract: Json): unknown {
  if (Array.isArray(node)) return node.map((child) => resolved(child, contract));
  if (node === null || typeof node !== 'object') return node;
  const { $ref, ...rest } = node as { $ref?: string };
  if ($ref === undefined)
    return Object.fromEntries(Object.entries(node).map(([name, child]) => [name, resolved(child, contract)]));
  return resolved({ ...partAt($ref, contract), ...rest }, contract);
}

/**
 * Copies a part of a contract for code generators: replaces each `$ref` into a schema with the part that it points to, and adds
 * the missing types of constants and enums.
 */
function portable(node: unknown, contract: Json): unknown {
  if (Array.isArray(node)) return node.map((child) => portable(child, contract));
  if (node === null || typeof node !== 'object') return node;
  const { $ref, ...rest } = node as Json;
  if (typeof $ref === 'string' && $ref.includes('/properties/'))
    return portable({ ...partAt($ref, contract), ...rest }, contract);
  const value = rest.const ?? (Array.isArray(rest.enum) ? (rest.enum[0] as unknown) : undefined);
  const copy = Object.entries(node).map(([name, child]) => [name, portable(child, contract)]);
  return {
    ...(typeof value === 'object' || value === undefined ? {} : { type: typeof value }),
    ...Object.fromEntries(copy),
  };
}

/**
 * Returns a contract as it is served: portable, with the replies to failures that have an HTTP status, and open to error codes
 * that later versions add.
 */
export function published(contract: Json): Json {
  const { paths, components, ...rest } = portable(contract, contract) as Record<string, Record<string, Json>>;
  const { schemas } = components as { schemas: Json };
  const { enum: codes, ...errorCode } = schemas.ErrorCode as Json;
  const ErrorCode = { ...errorCode, anyOf: [{ type: 'string', enum: codes }, { type: 'string' }] };
  const failure = { $ref: '#/components/responses/Failure' };
  for (const operation of Object.values(paths!).flatMap((methods) => Object.values(methods) as Json[]))
    Object.assign(operation.responses as Json, { '400': failure, default: failure });
  return { ...rest, paths, components: { ...components, schemas: { ...schemas, ErrorCode } } };
}

export interface ObjectSchema {
  allOf?: ObjectSchema[];
  required?: string[];
  properties?: Record<string, Json>;
}

/** Returns an object's properties and the names of the required ones, with those of all its parts. */
export function membersOf({
  allOf = [],
  required = [],
  properties = {},
}: ObjectSchema): Required<Omit<ObjectSchema, 'allOf'>> {
  const parts = allOf.map(membersOf);
  return {
    properties: Object.assign({}, ...parts.map((part) => part.properties), properties) as Record<string, Json>,
    required: [...parts.flatMap((part) => part.required), ...required],
  };
}
