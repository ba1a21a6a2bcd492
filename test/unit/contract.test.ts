/** The contract's schemas are valid. Other tests use them without validating them. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { contract } from '../../backend/src/platform/contract/contract.js';

const ajv = new Ajv2020({ strict: false });

/** All schemas of the document, with their paths. */
function schemasIn(node: unknown, path = ''): [path: string, schema: object][] {
  if (node === null || typeof node !== 'object') return [];
  return Object.entries(node).flatMap(([name, child]) => {
    const here = `${path}/${name}`;
    const isSchema = name === 'schema' || path === '/components/schemas';
    return isSchema ? [[here, child as object] as [string, object]] : schemasIn(child, here);
  });
}

it.each(schemasIn(contract))('%s is a valid schema', (_path, schema) => {
  expect([ajv.validateSchema(schema), ajv.errorsText()]).toEqual([true, 'No errors']);
});
