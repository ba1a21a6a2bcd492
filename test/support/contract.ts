/** Validates every API reply that a test receives against the contract. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { contract } from '../../backend/src/platform/contract/contract.js';
import { ERRORS } from '../../backend/src/platform/contract/generated/errors.js';

// The schemas are not validated here, because test/unit/contract.test.ts does that.
const ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: true });

/** Adds `additionalProperties: false` to all objects: replies are open in the contract, but must not have unknown fields here. */
function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed);
  if (node === null || typeof node !== 'object') return node;
  const copy = Object.fromEntries(Object.entries(node).map(([name, child]) => [name, closed(child)]));
  return copy.type === 'object' && 'properties' in copy ? { additionalProperties: false, ...copy } : copy;
}

const schemas = { ...contract.components.schemas, ErrorCode: { enum: Object.keys(ERRORS) } };
ajv.addSchema(closed({ ...contract, components: { ...contract.components, schemas } }) as object, 'contract');

const validators = new Map<string, ValidateFunction>();

function pointer(...parts: string[]): string {
  return parts.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/');
}

/**
 * Returns the validator for an operation's reply, or for the Failure schema if the contract does not define the
 * operation.
 */
function validatorOf(method: string, path: string): ValidateFunction {
  const paths = (
    contract as unknown as { paths: Record<string, Record<string, { responses: Record<string, unknown> }>> }
  ).paths;
  const described = Object.keys(paths).find((each) => new RegExp(`^${each.replace(/\{\w+\}/g, '[^/]+')}$`).test(path));
  const key = `${method} ${described ?? path}`;
  const response = paths[described ?? '']?.[method]?.responses['200'] as { $ref?: string } | undefined;
  const base = response?.$ref
    ? `contract${response.$ref}`
    : `contract#/${pointer('paths', described ?? '', method, 'responses', '200')}`;
  const ref = response
    ? `${base}/${pointer('content', 'application/json', 'schema')}`
    : 'contract#/components/schemas/Failure';
  const validator = validators.get(key) ?? ajv.compile({ $ref: ref });
  validators.set(key, validator);
  return validator;
}

/** Checks the status, headers and schema of a reply, and returns its body. */
export async function checkReply(method: string, path: string, response: Response): Promise<unknown> {
  const body = (await response.json()) as { retryAfterSeconds?: number };
  const problems: string[] = [];
  if (response.status !== 200) problems.push(`status ${response.status}`);
  if (response.headers.get('cache-control') !== 'no-store') problems.push('may be cached');
  const retryAfter = body.retryAfterSeconds === undefined ? null : String(body.retryAfterSeconds);
  if (response.headers.get('retry-after') !== retryAfter) problems.push('Retry-After differs from the body');
  const validate = validatorOf(method, path);
  if (!validate(body)) problems.push(ajv.errorsText(validate.errors));
  if (problems.length > 0) throw new Error(`${method} ${path}: ${problems.join('; ')} in ${JSON.stringify(body)}`);
  return body;
}
