/** The API reference, rendered from the contract: a page for each group of operations. */
import { contract, resolveRefs } from '../../platform/contract/contract.js';
import type { DocsPage } from './layout.js';
import { codeBlock, escapeHtml, renderMarkdown, tableHtml, type RenderOptions } from './markdown.js';
import { schemaTable, type FieldSchema } from './schema-table.js';
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

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
  readonly security?: readonly unknown[];
}

interface Described {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

interface Tag {
  readonly name: string;
  readonly description?: string;
}

const { tags, paths, webhooks } = resolveRefs(contract) as {
  readonly tags: readonly Tag[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: { readonly event: { readonly post: Operation } };
};

const tagPath = ({ name }: Tag): string => `/docs/api/${name.toLowerCase()}`;

/** The API operations. Excludes the GET variants with a query string, which the POST variants mention. */
const OPERATIONS: readonly Described[] = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods)
    .filter(([, { operationId }]) => !operationId.endsWith('ByQuery'))
    .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
);

const acceptsQuery = ({ path, method }: Described): boolean =>
  method === 'POST' && paths[path]?.get?.operationId.endsWith('ByQuery') === true;

/** Returns a parameter's sample value: its first example, or its first allowed value. */
const sampleOf = ({ examples, enum: values }: FieldSchema): string => String(examples?.[0] ?? values?.[0] ?? '');

/** Sample values of path parameters, which have no examples in the contract. */
const PATH_SAMPLES: Readonly<Record<string, string>> = {
  '/messages/{id}': '9b1de0a7c4f24b6d8e2f7a6543210fed',
  '/webhooks/{id}': 'WHK-5d41402abc4b2a76b9719d911017c592',
};

function sampleRequest({ method, path, operation }: Described): SampleRequest {
  const { parameters = [], requestBody, security } = operation;
  const query = parameters.filter(({ in: place, required }) => place === 'query' && required);
  const filled = path.replace('{id}', PATH_SAMPLES[path] ?? '');
  const search = new URLSearchParams(query.map(({ name, schema }) => [name, sampleOf(schema)]));
  return {
    method,
    path: query.length > 0 ? `${filled}?${search}` : filled,
    body: requestBody?.content['application/json'].schema.examples?.[0],
    authenticated: security?.length !== 0,
  };
}

function replyOf({ responses }: Operation): { readonly schema: FieldSchema; readonly example: unknown } {
  const { schema, example } = responses['200']!.content['application/json'];
  const success = schema.oneOf?.[0] ?? schema;
  return { schema: success, example: example ?? success.examples?.[0] };
}

const pretty = (value: unknown): string => JSON.stringify(value, null, 2);

const listed = ({ parameters = [] }: Operation) =>
  parameters.map(({ name, in: place, required = false, description, schema }) => ({
    name,
    required,
    note: place,
    schema: description === undefined ? schema : { ...schema, description },
  }));

function parametersHtml(operation: Operation): string {
  const fields = listed(operation);
  const body = operation.requestBody?.content['application/json'].schema;
  return fields.length > 0 || body ? schemaTable(fields, body) : '<p>No parameters.</p>';
}

function operationHtml(described: Described, options: RenderOptions): string {
  const { method, path, operation } = described;
  const { operationId: id, summary, description = '', security } = operation;
  const reply = replyOf(operation);
  const snippets = snippetsOf(options.url, sampleRequest(described)).map(
    ({ language, code }, n) =>
      `<details${n === 0 ? ' open' : ''}><summary>${language}</summary>${codeBlock(code)}</details>`,
  );
  return `<section aria-labelledby="${id}">
<h2 id="${id}"><a class="anchor" href="#${id}">${escapeHtml(summary)}</a></h2>
<p><span class="method">${method}</span> <code>/api/v1${path}</code></p>
${security?.length === 0 ? '<p>Called by browsers, without the App Secret.</p>' : ''}
${acceptsQuery(described) ? '<p>Also works as a GET request with the parameters in the query string.</p>' : ''}
${renderMarkdown(description, options)}
<h3>Parameters</h3>
${parametersHtml(operation)}
<h3>Request</h3>
<div class="snippets">${snippets.join('\n')}</div>
<h3>Reply</h3>
${codeBlock(pretty(reply.example))}
<details><summary>Fields of the reply</summary>${schemaTable([], reply.schema)}</details>
</section>`;
}

function eventHtml(options: RenderOptions): string {
  const { summary, description = '', requestBody } = webhooks.event.post;
  const { schema } = requestBody!.content['application/json'];
  return `<section aria-labelledby="receiveEvent">
<h2 id="receiveEvent"><a class="anchor" href="#receiveEvent">${escapeHtml(summary)}</a></h2>
${renderMarkdown(description, options)}
${schemaTable(listed(webhooks.event.post))}
${codeBlock(pretty(schema.examples?.[0]))}
</section>`;
}

interface Templates {
  readonly 'x-templates': Readonly<
    Record<
      string,
      Readonly<Record<'required' | 'optional' | 'oneOf', readonly string[]>> & { readonly description: string }
    >
  >;
}

/** Returns the list of notification templates with their variables, as HTML. */
function templatesHtml(schema: 'OrderTemplate' | 'InvoiceTemplate'): string {
  const templates = (contract.components.schemas[schema] as Templates)['x-templates'];
  const names = (list: readonly string[] = []) => list.map((name) => `<code>${name}</code>`).join(', ');
  const rows = Object.entries(templates).map(([name, { description, required, optional, oneOf }]) => {
    const either = oneOf ? `, and ${oneOf.map((each) => `<code>${each}</code>`).join(' or ')}` : '';
    return `<tr><td><code>${name}</code><br>${escapeHtml(description)}</td><td>${names(required)}${either}</td><td>${names(optional)}</td></tr>`;
  });
  return tableHtml('<tr><th>Template</th><th>Required variables</th><th>Optional variables</th></tr>', rows);
}

/** Additional sections of a group's page. */
function appendix({ name }: Tag, options: RenderOptions): string {
  if (name === 'Webhooks') return eventHtml(options);
  if (name !== 'Notifications') return '';
  return `<h2 id="order-templates">Order templates</h2>\n${templatesHtml('OrderTemplate')}
<h2 id="invoice-templates">Invoice templates</h2>\n${templatesHtml('InvoiceTemplate')}`;
}

function tagPage(tag: Tag, options: RenderOptions): DocsPage {
  const operations = OPERATIONS.filter(({ operation }) => operation.tags.includes(tag.name));
  const content = () => `<h1>${tag.name}</h1>
${renderMarkdown(tag.description ?? '', options)}
${operations.map((described) => operationHtml(described, options)).join('\n')}
${appendix(tag, options)}`;
  return { path: tagPath(tag), title: `API: ${tag.name}`, content };
}

function indexContent(options: RenderOptions): string {
  const { info, components } = contract as unknown as {
    readonly info: { readonly description: string };
    readonly components: { readonly schemas: { readonly Failure: FieldSchema } };
  };
  const failure = resolveRefs(components.schemas.Failure) as FieldSchema;
  const groups = tags.map((tag) => {
    const items = OPERATIONS.filter(({ operation }) => operation.tags.includes(tag.name)).map(
      ({ method, path, operation: { operationId, summary } }) =>
        `<tr><td><span class="method">${method}</span></td><td><a href="${tagPath(tag)}#${operationId}"><code>${path}</code></a></td><td>${escapeHtml(summary)}</td></tr>`,
    );
    return `<h2 id="${tag.name.toLowerCase()}">${tag.name}</h2>\n${tableHtml('', items)}`;
  });
  return `<h1>API reference</h1>
${renderMarkdown(info.description, options)}
<p>The base URL is <code>${escapeHtml(options.url)}/api/v1</code>. Send the App Key in the <code>clientId</code> header, the App Secret in the <code>clientSecret</code> header, and the parameters as JSON. API clients such as
Bruno, Insomnia and Postman can import the <a href="/openapi.json">OpenAPI description</a>.</p>
<h2 id="failures">Failures</h2>
<p>The <a href="/docs/errors">list of error codes</a> says what each one means and what to do.</p>
${codeBlock(pretty(failure.examples?.[0]))}
${schemaTable([], { ...failure, properties: withoutData(failure.properties) })}
${groups.join('\n')}`;
}

/** Removes the results of failed sends, which the operations describe. */
const withoutData = (properties: FieldSchema['properties'] = {}): NonNullable<FieldSchema['properties']> =>
  Object.fromEntries(Object.entries(properties).filter(([name]) => name !== 'data'));

export const referencePages = (options: RenderOptions): readonly DocsPage[] => [
  { path: '/docs/api', title: 'API reference', content: () => indexContent(options) },
  ...tags.map((tag) => tagPage(tag, options)),
];
