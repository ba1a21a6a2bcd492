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

/** Returns all objects of a document, with their paths. */
function findObjects(node: unknown, path = '#'): [path: string, object: Record<string, unknown>][] {
  if (node === null || typeof node !== 'object') return [];
  const inside = Object.entries(node).flatMap(([name, child]) => findObjects(child, `${path}/${name}`));
  return Array.isArray(node) ? inside : [[path, node as Record<string, unknown>], ...inside];
}

interface ReplySchema {
  readonly $ref?: string;
  readonly oneOf?: readonly ReplySchema[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, { readonly type?: string; readonly const?: unknown }>>;
}

describe.each([
  ['openapi.json', contract],
  ['manage.json', manageContract],
])('%s suits code generators:', (_name, document) => {
  const objects = findObjects(document);
  const operations = objects.filter(
    ([, { operationId }]) => operationId !== undefined && operationId !== 'receiveEvent',
  );
  const resolve = (schema: ReplySchema): ReplySchema => {
    const name = schema.$ref?.split('/').at(-1) as keyof typeof document.components.schemas | undefined;
    return name === undefined ? schema : (document.components.schemas[name] as ReplySchema);
  };

  it('each $ref points to a component', () => {
    const refs = objects.flatMap(([, { $ref }]) => (typeof $ref === 'string' ? [$ref] : []));
    const found = new Set(objects.map(([path]) => path));
    expect(refs.filter((ref) => !/^#\/components\/\w+\/\w+$/.test(ref) || !found.has(ref))).toEqual([]);
  });

  it('each constant and enum has a type', () => {
    const untyped = objects.filter(([, each]) => ('const' in each || Array.isArray(each.enum)) && !('type' in each));
    expect(untyped.map(([path]) => path)).toEqual([]);
  });

  it('each operation describes its failures', () => {
    const undescribed = operations.filter(([, { responses }]) => {
      const { 400: failure, default: other } = responses as Record<string, { $ref?: string } | undefined>;
      return failure?.$ref !== '#/components/responses/Failure' || other?.$ref !== failure.$ref;
    });
    expect(undescribed.map(([path]) => path)).toEqual([]);
    expect(operations.length).toBeGreaterThan(20);
  });

  it('the possible replies of an operation differ in the constant `success`', () => {
    const replies = operations.map(([path, { responses }]) => {
      const reply = (responses as Record<string, { $ref?: string; content?: object }>)['200']!;
      const [, described] = objects.find(([each]) => each === (reply.$ref ?? `${path}/responses/200`))!;
      const { schema } = (described as { content: Record<string, { schema: ReplySchema }> }).content[
        'application/json'
      ]!;
      return { path, schemas: (schema.oneOf ?? [schema]).map(resolve) };
    });
    const ambiguous = replies.filter(({ schemas }) => {
      const values = schemas.map(
        ({ required, properties }) => required?.includes('success') && properties?.success?.const,
      );
      return new Set(values).size < schemas.length || values.some((value) => typeof value !== 'boolean');
    });
    expect(ambiguous).toEqual([]);
  });

  it('replies are open to new fields and error codes', () => {
    const shut = objects.filter(
      ([path, each]) => each.additionalProperties === false && !/requestBod|Request/.test(path),
    );
    expect(shut.map(([path]) => path)).toEqual([]);
    const { ErrorCode } = document.components.schemas as unknown as { ErrorCode: { anyOf: object[] } };
    expect(ErrorCode.anyOf).toContainEqual({ type: 'string' });
  });
});

it.each(['VerifyOtpRequest', 'ReportVerifiedRequest'])('%s requires maskId or to', (name) => {
  const validate = contractAjv.getSchema(`contract#/components/schemas/${name}`)!;
  const requests = [{}, { maskId: 'a' }, { to: 'a' }, { maskId: 'a', to: 'a' }];
  expect(requests.map((request) => validate({ otp: '123456', ...request }))).toEqual([false, true, true, true]);
});
