/** The JSON schema of the file of `passbell apply`, made from the request bodies of the management API. */
import { LIMIT_NAMES } from '../src/modules/applications/application-limits.js';
import { FRAUD_SETTINGS } from '../src/modules/fraud/fraud-settings.js';
import { membersOf, resolved, type Json, type ObjectSchema } from './contracts.js';

interface Operation {
  operationId: string;
  parameters: { name: string; in: string; schema: { pattern?: string; enum?: string[] } }[];
  requestBody: { content: { 'application/json': { schema: ObjectSchema } } };
}

const object = (properties: Json, required: readonly string[] = []): Json => ({
  type: 'object',
  additionalProperties: false,
  ...(required.length > 0 ? { required } : {}),
  properties,
});

const map = (pattern: string, values: unknown, description: string): Json => ({
  type: 'object',
  description,
  additionalProperties: false,
  patternProperties: { [pattern]: values },
});

const namesOf = (names: readonly string[], schema: object): Json =>
  object(Object.fromEntries(names.map((name) => [name, schema])));

/** Removes the hints for the command. */
const plain = (schema: unknown): Json =>
  JSON.parse(JSON.stringify(schema, (name, value) => (name.startsWith('x-') ? undefined : value))) as Json;

/** Removes default values: a field that is left out stays as it is. */
const partial = (schema: unknown): Json =>
  JSON.parse(JSON.stringify(schema, (name, value) => (name === 'default' ? undefined : value))) as Json;

export function applySchema(manage: Json): Json {
  const paths = resolved(manage.paths, manage) as Record<string, Record<string, Operation>>;
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const operation = (name: string) => operations.find(({ operationId }) => operationId === name)!;
  const bodyOf = (name: string) => {
    const { properties, required } = membersOf(operation(name).requestBody.content['application/json'].schema);
    return { properties: plain(properties), required };
  };
  const entry = (name: string): Json => object(bodyOf(name).properties, bodyOf(name).required);
  /** Returns the pattern of the part of an operation's path that follows the application. */
  const keyOf = (name: string): string => {
    const steps = operation(name).parameters.filter((each) => each.in === 'path' && each.name !== 'application');
    const patterns = steps.map(
      ({ schema }) => schema.pattern?.replace(/^\^|\$$/g, '') ?? `(${schema.enum!.join('|')})`,
    );
    return `^${patterns.join('/')}$`;
  };
  const { WidgetDesign } = (manage.components as { schemas: Record<string, ObjectSchema> }).schemas;
  const design = object(partial(resolved(WidgetDesign!.properties, manage)));
  const { properties, required } = bodyOf('putApplication');
  const { description } = properties.design as Json;
  const application = object(
    {
      ...properties,
      design: { ...design, description },
      limits: { ...namesOf(LIMIT_NAMES, { type: 'integer' }), description: (properties.limits as Json).description },
      webhooks: map(keyOf('putWebhook'), entry('putWebhook'), 'Webhooks by ID.'),
      templates: map(keyOf('putTemplate'), entry('putTemplate'), 'Custom texts by template/channel/language.'),
      fraud: object({
        settings: {
          ...namesOf(FRAUD_SETTINGS, { type: ['integer', 'null'] }),
          description: 'Settings of the fraud guard; null for the default.',
        },
        allowedPrefixes: {
          type: 'array',
          items: { type: 'string', pattern: String.raw`^\+[1-9]\d{1,13}$` },
          description: 'Number prefixes that the fraud guard never pauses, such as +491512345.',
        },
      }),
    },
    required,
  );
  const price = bodyOf('putPrices').properties.prices as Json;
  const prices = { ...price, additionalProperties: { type: ['string', 'number'] } };
  const provider = bodyOf('putProvider');
  const value = { type: ['string', 'number', 'boolean'] };
  const settings = { ...(provider.properties.settings as Json), additionalProperties: value };
  const { pattern } = (operation('putApplication').parameters[0] as Operation['parameters'][0]).schema;
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Configuration for passbell apply',
    description: '`${NAME}` in a text is replaced with the value of an environment variable.',
    ...object({
      providers: map(
        keyOf('putProvider'),
        object({ ...provider.properties, settings }, provider.required),
        'Providers by ID.',
      ),
      routes: map(keyOf('putRoute'), entry('putRoute'), 'Routes by channel/country, such as SMS/DE or SMS/*.'),
      prices: map(keyOf('putPrices'), prices, 'Prices by channel.'),
      applications: map(pattern!, application, 'Applications by ID.'),
    }),
  };
}
