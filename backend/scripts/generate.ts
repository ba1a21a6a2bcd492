/**
 * Generates files from the contract, the description of the no-code hosts, the settings table and the widget: the
 * contracts as JSON, their types, the schema of `passbell apply`, the error and template tables, the fields of the
 * no-code hosts, the redaction list, the widget's texts and colors, `.env.example` and the settings table of the README.
 * With `--check` it writes nothing, and fails when a file is out of date.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';
import { format, resolveConfig } from 'prettier';
import { parse } from 'yaml';
import { SETTINGS, type Setting } from '../src/platform/config/config.js';
import { LANGUAGE_CODES } from '../src/modules/templates/language-codes.js';
import { render } from '../src/modules/templates/rendering/render.js';
import { isNotification, sampleVariables, TEMPLATE_NAMES } from '../src/modules/templates/template.js';
import { LANGUAGES } from '../../widget/src/languages/languages.js';
import { applySchema } from './apply-schema.js';
import type { jsonOf, ObjectSchema } from './contracts.js';
import { manageContract, membersOf, partAt, published, resolved, schemasOf, type Json } from './contracts.js';
import { pythonTypes, type Schema } from './python-types.js';

const root = new URL('../../', import.meta.url);
const contractUrl = new URL('backend/openapi/openapi.yaml', root);
const manageUrl = new URL('backend/openapi/manage.yaml', root);
const connectorsUrl = new URL('backend/openapi/connectors.yaml', root);
const noteFor = (name: string) => `// Generated from backend/openapi/${name} by \`npm run generate\`. Do not edit.\n\n`;
const NOTE = noteFor('openapi.yaml');
/** Errors that clients/node adds to those of the contract. */
const CLIENT_ERRORS = ['CONNECTION_FAILED', 'TIMED_OUT', 'UNEXPECTED_REPLY'];

interface ErrorEntry {
  message: string;
  hint: string;
  throttled?: boolean;
}

/** Returns Markdown as text: without backticks and the targets of links. */
const plain = (markdown: string): string => markdown.replaceAll('`', '').replace(/\[([^[\]]+)\]\([^()]+\)/g, '$1');

function errorsFile(contract: Json): string {
  const schema = (contract as { components: { schemas: Record<string, { enum: string[]; 'x-errors': Json }> } })
    .components.schemas.ErrorCode!;
  const topics = Object.values(schema['x-errors']) as Record<string, ErrorEntry>[];
  const entries = topics
    .flatMap((topic) => Object.entries(topic))
    .map(([code, { message, hint, throttled }]) => [code, { message, hint: plain(hint), throttled }]);
  const table = Object.fromEntries(entries) as Record<string, ErrorEntry>;
  const difference = [
    ...schema.enum.filter((code) => !(code in table)),
    ...Object.keys(table).filter((code) => !schema.enum.includes(code)),
  ];
  if (difference.length > 0) throw new Error(`ErrorCode: enum and x-errors differ in ${difference.join(', ')}`);
  return `${NOTE}export const ERRORS = ${JSON.stringify(table)} as const;\n`;
}

/** Collects the names of all properties with `x-redact`, in lower case. */
function redactedNames(node: unknown, name = '', found = new Set<string>()): Set<string> {
  if (node === null || typeof node !== 'object') return found;
  if ((node as Json)['x-redact'] === true) found.add(name.toLowerCase());
  for (const [key, child] of Object.entries(node)) redactedNames(child, key, found);
  return found;
}

function redactFile(contract: Json): string {
  const names = [...redactedNames(contract)].sort();
  return `${NOTE}/** Names of the contract's fields that are redacted in logs, in lower case. */
export const REDACTED_NAMES: readonly string[] = ${JSON.stringify(names)};\n`;
}

interface VariableSchema {
  $ref?: string;
  title: string;
  description: string;
  format?: string;
  maxLength: number;
  examples: string[];
}

interface TemplateEntry {
  title: string;
  description: string;
  required: string[];
  oneOf?: string[];
  optional: string[];
  aliases: string[];
}

/** Returns the templates of an endpoint. Throws when they differ from the enum, or use a variable that the endpoint lacks. */
function templatesOf(schemas: Json, kind: 'Order' | 'Invoice', variables: string[]): Record<string, TemplateEntry> {
  const schema = schemas[`${kind}Template`] as { enum: string[]; 'x-templates': Record<string, TemplateEntry> };
  const templates = schema['x-templates'];
  if (schema.enum.join() !== Object.keys(templates).join())
    throw new Error(`${kind}Template: enum and x-templates differ`);
  for (const [name, { required, oneOf = [], optional }] of Object.entries(templates)) {
    const unknown = [...required, ...oneOf, ...optional].filter((variable) => !variables.includes(variable));
    if (unknown.length > 0)
      throw new Error(`template ${name} names ${unknown.join(', ')}, which are not variables of this endpoint`);
  }
  return templates;
}

function templatesFile(contract: Json): string {
  const { schemas } = contract.components as { schemas: Json };
  const variablesOf = (kind: string) =>
    (schemas[`${kind}Variables`] as { properties: Record<string, VariableSchema> }).properties;
  const order = variablesOf('Order');
  const invoice = variablesOf('Invoice');
  // The description of the order's variable wins when both kinds have a variable of that name.
  const variables = Object.entries({ ...invoice, ...order }).map(([name, schema]) => {
    const { title, description, format, maxLength, examples } = schema;
    return [name, { label: title, help: description, sample: examples[0], link: format === 'uri', maxLength }];
  });
  const templates = (['Order', 'Invoice'] as const).flatMap((kind) =>
    Object.entries(templatesOf(schemas, kind, Object.keys(variablesOf(kind)))).map(
      ([name, { title, description, required, oneOf = [], optional, aliases }]) => [
        name,
        { kind: kind.toLowerCase(), label: title, help: description, required, oneOf, optional, aliases },
      ],
    ),
  );
  return `${NOTE}/** Variables of the notification templates. A \`link\` is an http or https address; \`maxLength\` is in characters. */
export const VARIABLES = ${JSON.stringify(Object.fromEntries(variables))} as const;

/** Notification templates. Each needs all variables of \`required\` and at least one of \`oneOf\`; \`aliases\` are other names for it. */
export const TEMPLATES = ${JSON.stringify(Object.fromEntries(templates))} as const;
`;
}

interface Connectors {
  choices: Record<string, Record<string, string>>;
  fields: Record<string, { choices?: string }>;
  operations: Record<string, { required: string[]; optional: string[] }>;
  events: Json;
  advice: Json;
}

/** Returns the file that the packages of the no-code hosts share. Throws if it names something that does not exist. */
function connectorsFile({ choices, fields, operations, events, advice }: Connectors, contract: Json): string {
  const { schemas } = contract.components as { schemas: Record<string, { enum: string[] }> };
  const unknown = [
    ...Object.values(operations).flatMap(({ required, optional }) =>
      [...required, ...optional].filter((name) => !(name in fields)),
    ),
    ...Object.values(fields).flatMap((field) => (field.choices && !(field.choices in choices) ? [field.choices] : [])),
    ...Object.keys(advice).filter((code) => ![...schemas.ErrorCode!.enum, ...CLIENT_ERRORS].includes(code)),
    ...Object.keys(events).filter((name) => !schemas.EventName!.enum.includes(name)),
    ...schemas.EventName!.enum.filter((name) => !(name in events)),
  ];
  if (unknown.length > 0) throw new Error(`connectors.yaml: unknown or missing: ${unknown.join(', ')}`);
  return `${noteFor('connectors.yaml')}/** Choices of fields, as a label by value. */
export const CHOICES = ${JSON.stringify(choices)} as const;

/** Fields of steps. \`parameter\` is the name in the API if it differs. */
export const FIELDS = ${JSON.stringify(fields)} as const;

/** Operations with the method of the Node client, and the names of their fields. */
export const OPERATIONS = ${JSON.stringify(operations)} as const;

export const EVENTS = ${JSON.stringify(events)} as const;

/** Advice by error code. Each host replaces the placeholders in braces. */
export const ADVICE = ${JSON.stringify(advice)} as const;
`;
}

/** Returns each notification as an SMS with sample values, for the lists of templates in the clients. */
function previewsIn(language: string): Record<string, string> {
  const entries = TEMPLATE_NAMES.filter(isNotification).map((name) => {
    const variables = { ...sampleVariables(name, language), application: 'My Shop', language };
    const content = render(name, 'SMS', variables);
    return [name, 'text' in content ? content.text : ''];
  });
  return Object.fromEntries(entries);
}

const previewsFile = (previews: object, what: string): string =>
  `// Generated from the built-in texts by \`npm run generate\`. Do not edit.

/** Notifications as an SMS ${what}. An application can have other texts. */
export const PREVIEWS = ${JSON.stringify(previews)} as const;
`;

const previewsInEnglish = (): string => previewsFile(previewsIn('en'), 'in English, with sample values, by template');
const previewsInAllLanguages = (): string =>
  previewsFile(
    Object.fromEntries(LANGUAGE_CODES.map((language) => [language, previewsIn(language)])),
    'with sample values, by language and template',
  );

interface DescribedOperation extends Json {
  parameters: { name: string; in: string; required?: boolean; schema: Json }[];
  requestBody?: ReturnType<typeof jsonOf>;
  responses: Record<string, ReturnType<typeof jsonOf>>;
}

/** Returns an operation of the management API with its parameters from the path, the query and the body in one table. */
function operationEntry(path: string, method: string, operation: DescribedOperation): Json {
  const outside = operation.parameters.map(({ name, in: place, required = false, schema, ...rest }) => [
    name,
    { ...schema, ...rest, place, required },
  ]);
  const schema = (operation.requestBody?.content['application/json'].schema ?? {}) as ObjectSchema & Json;
  const { minProperties, maxProperties, dependentRequired } = schema;
  const body = membersOf(schema);
  const inside = Object.entries(body.properties).map(([name, property]) => [
    name,
    { ...property, place: 'body', required: body.required.includes(name) },
  ]);
  const reply = operation.responses['200']!.content['application/json'].schema as {
    properties: { data: ObjectSchema };
  };
  return {
    name: operation.operationId,
    method: method.toUpperCase(),
    path,
    summary: operation.summary,
    description: operation.description ?? '',
    area: operation['x-area'],
    right: operation['x-right'],
    needsConfirmation: operation['x-confirm'] === true,
    tool: operation['x-tool'],
    page: operation['x-page'],
    parameters: Object.fromEntries([...outside, ...inside]),
    minProperties,
    maxProperties,
    dependentRequired,
    fields: Object.keys(membersOf(reply.properties.data).properties),
  };
}

function operationsFile(contract: Json): string {
  const paths = resolved(contract.paths, contract) as Record<string, Record<string, DescribedOperation>>;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => operationEntry(path, method, operation)),
  );
  return `${noteFor('manage.yaml')}/** The operations of the management API. */
export const OPERATION_TABLE: unknown = ${JSON.stringify(operations)};\n`;
}

/** Returns the schemas that clients need: those of the operations with API credentials, and of events. */
function clientSchemas(contract: Json): Json {
  const { paths, webhooks, components } = contract as Record<string, Record<string, Json>>;
  const schemas = components!.schemas as Json;
  const operations = Object.values(paths!).flatMap((path) => Object.values(path as Json));
  const withCredentials = operations.filter((operation) => (operation as Json).security === undefined);
  const { responses } = components!;
  const used = schemasOf([withCredentials, responses, webhooks, schemas.ErrorCode], schemas);
  for (const name of ['ErrorCode', 'OrderTemplate', 'InvoiceTemplate']) used.add(name);
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => used.has(name)));
}

/** Returns the types of clients/node. */
async function clientTypes(contract: Json): Promise<string> {
  // Leaves out examples and formats, to keep the package small.
  const some = JSON.parse(
    JSON.stringify(clientSchemas(contract), (key, value) =>
      key === 'examples' || key === 'format' ? undefined : value,
    ),
  );
  const small = { openapi: contract.openapi, info: contract.info, paths: {}, components: { schemas: some } };
  // A property with a default value is optional in a request.
  const types = await openapiTS(JSON.stringify(small), { defaultNonNullable: false, excludeDeprecated: true });
  return NOTE + astToString(types).replace(/^.*(Record<string, never>|: never);\n/gm, '');
}

/** Returns the colors that a rule of the widget's style sheet sets, by name. */
function colorsOf(sheet: string, selector: string): Record<string, string> {
  const rule = sheet.slice(sheet.indexOf(`\n${selector} {`));
  const colors = [...rule.slice(0, rule.indexOf('}')).matchAll(/--(\w[\w-]*): (#[0-9a-f]{6});/g)];
  if (colors.length === 0) throw new Error(`the widget's style sheet has no colors for ${selector}`);
  return Object.fromEntries(colors.map(([, name, color]) => [name!.replace('-a', 'A'), color!]));
}

async function widgetFile(): Promise<string> {
  const sheet = await readFile(new URL('widget/src/style.css', root), 'utf8');
  const palettes = { light: colorsOf(sheet, '.card'), dark: colorsOf(sheet, ".card[data-theme='dark']") };
  return `// Generated from widget/src by \`npm run generate\`. Do not edit.

/** Texts of the browser widget by language and name. */
export const WIDGET_TEXTS = ${JSON.stringify(LANGUAGES)} as const;

/** Colors of the widget when an application sets none. */
export const WIDGET_PALETTES = ${JSON.stringify(palettes)} as const;
`;
}

const settings = Object.entries(SETTINGS) as [string, Setting][];

function envExample(): string {
  const lines = settings.map(([name, s]) => {
    const secret = s.secret ? ` To read it from a file, set ${name}_FILE to the path.` : '';
    return `# ${s.meaning}${secret}\n#${name}=${s.default ?? ''}\n`;
  });
  return `# Settings of Passbell, generated from backend/src/platform/config/config.ts. Copy to .env and change what you need.\n\n${lines.join('\n')}`;
}

async function readme(): Promise<string> {
  const text = await readFile(new URL('README.md', root), 'utf8').catch(() => '');
  const rows = settings.map(([name, s]) => `| \`${name}\` | ${s.default ? `\`${s.default}\`` : ''} | ${s.meaning} |`);
  const table = ['| setting | default | meaning |', '|---|---|---|', ...rows].join('\n');
  return text.replace(
    /(<!-- settings -->)[\s\S]*?(<!-- \/settings -->)/,
    (_all, start, end) => `${start}\n\n${table}\n\n${end}`,
  );
}

async function main(): Promise<void> {
  const contract = parse(await readFile(contractUrl, 'utf8')) as Json;
  const manage = manageContract(parse(await readFile(manageUrl, 'utf8')) as Json, contract);
  const errors = errorsFile(contract);
  const templates = templatesFile(contract);
  const connectors = connectorsFile(parse(await readFile(connectorsUrl, 'utf8')) as Connectors, contract);
  const files: Record<string, string> = {
    'backend/openapi/openapi.json': JSON.stringify(published(contract)),
    'backend/src/platform/contract/generated/api.ts': NOTE + astToString(await openapiTS(contractUrl)),
    'backend/openapi/manage.json': JSON.stringify(published(manage)),
    'backend/openapi/apply.schema.json': JSON.stringify(applySchema(manage)),
    'backend/src/platform/contract/generated/manage.ts':
      noteFor('manage.yaml') + astToString(await openapiTS(JSON.stringify(manage), { defaultNonNullable: false })),
    'backend/src/platform/contract/generated/operations.ts': operationsFile(manage),
    'backend/src/platform/contract/generated/errors.ts': errors,
    'backend/src/platform/contract/generated/redact.ts': redactFile({ contract, manage }),
    'backend/src/platform/contract/generated/templates.ts': templates,
    'backend/src/platform/contract/generated/widget.ts': await widgetFile(),
    // The clients are published on their own, so each has a copy.
    'zapier-app/src/generated/previews.ts': previewsInAllLanguages(),
    'zapier-app/src/generated/errors.ts': errors,
    'zapier-app/src/generated/templates.ts': templates,
    'zapier-app/src/generated/connectors.ts': connectors,
    'n8n-nodes/nodes/shared/generated/previews.ts': previewsInEnglish(),
    'n8n-nodes/nodes/shared/generated/errors.ts': errors,
    'n8n-nodes/nodes/shared/generated/templates.ts': templates,
    'n8n-nodes/nodes/shared/generated/connectors.ts': connectors,
    'clients/connectors/generated/previews.ts': previewsInEnglish(),
    'clients/connectors/generated/templates.ts': templates,
    'clients/connectors/generated/connectors.ts': connectors,
    'clients/node/src/generated/contract.ts': await clientTypes(contract),
    'clients/python/src/passbell/types.py': pythonTypes(clientSchemas(contract) as Record<string, Schema>, ($ref) =>
      partAt($ref, contract),
    ),
    '.env.example': envExample(),
    'README.md': await readme(),
  };
  const stale: string[] = [];
  for (const [path, content] of Object.entries(files)) {
    const file = fileURLToPath(new URL(path, root));
    const formatted = /\.(ts|json)$/.test(path)
      ? await format(content, { ...(await resolveConfig(file)), filepath: file })
      : content;
    if ((await readFile(file, 'utf8').catch(() => '')) === formatted) continue;
    stale.push(path);
    if (!process.argv.includes('--check')) await writeFile(file, formatted);
  }
  if (process.argv.includes('--check') && stale.length > 0) {
    console.error(`not up to date: ${stale.join(', ')}\nrun: npm run generate`);
    process.exitCode = 1;
    return;
  }
  console.log(stale.length > 0 ? `written: ${stale.join(', ')}` : 'all generated files are up to date');
}

await main();
