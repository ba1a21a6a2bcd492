/** Validates the schemas of the contract, which other tests use without validation. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { contract, manageContract } from '../../backend/src/platform/contract/contract.js';

const ajv = new Ajv2020({ strict: false });

/** Returns all schemas of the document, with their paths. */
function findSchemas(node: unknown, path = ''): [path: string, schema: object][] {
  if (node === null || typeof node !== 'object') return [];
  return Object.entries(node).flatMap(([name, child]) => {
    const here = `${path}/${name}`;
    const isSchema = name === 'schema' || path === '/components/schemas';
    return isSchema ? [[here, child as object] as [string, object]] : findSchemas(child, here);
  });
}

it.each([...findSchemas(contract), ...findSchemas(manageContract)])('%s is a valid schema', (_path, schema) => {
  expect([ajv.validateSchema(schema), ajv.errorsText()]).toEqual([true, 'No errors']);
});

const contractAjv = new Ajv2020({ strict: false, validateSchema: false, validateFormats: false });
contractAjv.addSchema(contract, 'contract');

/** The request bodies, whose examples the API reference shows. */
const requestBodies = Object.entries(contract.paths as Record<string, Record<string, { requestBody?: unknown }>>)
  .flatMap(([path, operations]) => Object.values(operations).map(({ requestBody }) => ({ path, requestBody })))
  .filter(({ requestBody }) => requestBody !== undefined);

it.each(requestBodies)('the request body of $path has a valid example', ({ requestBody }) => {
  const { $ref } = (requestBody as { content: { 'application/json': { schema: { $ref: string } } } }).content[
    'application/json'
  ].schema;
  const name = $ref.split('/').at(-1)! as keyof typeof contract.components.schemas;
  const { examples = [] } = contract.components.schemas[name] as { examples?: unknown[] };
  expect(examples).toHaveLength(1);
  const validate = contractAjv.getSchema(`contract#/components/schemas/${name}`)!;
  expect([validate(examples[0]), validate.errors]).toEqual([true, null]);
});

/** The schemas of the replies and the event, whose examples the API reference shows. */
const replies = Object.entries(contract.components.schemas as Record<string, { examples?: unknown[] }>).filter(
  ([name]) => /Reply$|^(Failure|WebhookEvent)$/.test(name),
);

it.each(replies)('%s has a valid example', (name, { examples = [] }) => {
  expect(examples).toHaveLength(1);
  const validate = contractAjv.getSchema(`contract#/components/schemas/${name}`)!;
  expect([validate(examples[0]), validate.errors]).toEqual([true, null]);
});
