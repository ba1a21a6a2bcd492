/**
 * The API reference, written in Markdown from the contract: a page for each group of operations. The HTML shows the
 * examples beside the text.
 */
import { contract, resolveRefs } from '../../platform/contract/contract.js';
import type { DocsPage } from './layout.js';
import { escapeHtml } from './code-block.js';
import { renderMarkdown, type RenderOptions } from './markdown.js';
import { parameterList, replyFieldList, type FieldSchema } from './field-list.js';
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
function replyOf({ operationId, responses }: Operation): { readonly schema: FieldSchema; readonly example: unknown } {
  const { schema, example } = responses['200']!.content['application/json'];
  const success = schema.oneOf?.[0] ?? schema;
  const hasDevice = operationId === 'sendOrderNotification';
  return {
    schema: hasDevice ? success : withoutProperty(success, 'deviceInfo'),
    example: example ?? success.examples?.[0],
  };
}

/** `info`: the language, and optionally a title. */
const fenced = (info: string, code: string): string => `\`\`\`${info}\n${code}\n\`\`\``;

const jsonOf = (value: unknown): string => fenced('json', JSON.stringify(value, null, 2));

/** Joins paragraphs. Leaves out those that are empty. */
const paragraphs = (...texts: readonly (string | false | undefined)[]): string => texts.filter(Boolean).join('\n\n');

const listed = ({ parameters = [] }: Operation) =>
  parameters.map(({ name, in: place, required = false, description, schema }) => ({
    name,
    required,
    note: place,
    schema: description === undefined ? schema : { ...schema, description },
  }));

/** A part of a page, in Markdown. */
interface Section {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly parameters?: string;
  readonly replyFields?: string;
  /** Examples, which the page shows beside the text, and on phones before the parameters. */
  readonly request?: string;
  readonly reply?: string;
}

function operationSection(described: Described, url: string): Section {
  const { method, path, operation } = described;
  const { operationId: id, summary, description, security } = operation;
  const parameters = parameterList(listed(operation), operation.requestBody?.content['application/json'].schema);
  const reply = replyOf(operation);
  const snippets = snippetsOf(url, sampleRequest(described)).map(({ language, code }) =>
    fenced(`${language} ${method} ${path}`, code),
  );
  return {
    id,
    title: summary,
    text: paragraphs(
      `**${method}** \`/api/v1${path}\``,
      security?.length === 0 && 'Called by browsers, without the App Secret.',
      acceptsQuery(described) && 'Also works as a GET request with the parameters in the query string.',
      description,
    ),
    parameters: parameters || 'No parameters.',
    replyFields: replyFieldList(reply.schema),
    request: paragraphs(...snippets),
    reply: jsonOf(reply.example),
  };
}

function eventSection(): Section {
  const { summary, description, requestBody } = webhooks.event.post;
  const { schema } = requestBody!.content['application/json'];
  return {
    id: 'receiveEvent',
    title: summary,
    text: paragraphs(description, parameterList(listed(webhooks.event.post))),
    request: jsonOf(schema.examples?.[0]),
  };
}

interface Templates {
  readonly 'x-templates': Readonly<
    Record<
      string,
      Readonly<Record<'required' | 'optional' | 'oneOf', readonly string[]>> & { readonly description: string }
    >
  >;
}

/** Returns the list of notification templates with their variables. */
function templatesSection(id: string, title: string, schema: 'OrderTemplate' | 'InvoiceTemplate'): Section {
  const templates = (contract.components.schemas[schema] as Templates)['x-templates'];
  const names = (list: readonly string[] = []) => list.map((name) => `\`${name}\``).join(', ');
  const rows = Object.entries(templates).map(([name, { description, required, optional, oneOf }]) => {
    const either = oneOf ? `, and ${oneOf.map((each) => `\`${each}\``).join(' or ')}` : '';
    return `| \`${name}\`: ${description} | ${names(required)}${either} | ${names(optional)} |`;
  });
  const table = ['| template | required variables | optional variables |', '|---|---|---|', ...rows].join('\n');
  return { id, title, text: table };
}

/** Additional sections of a group's page. */
function appendix({ name }: Tag): readonly Section[] {
  if (name === 'Webhooks') return [eventSection()];
  if (name !== 'Notifications') return [];
  return [
    templatesSection('order-templates', 'Order templates', 'OrderTemplate'),
    templatesSection('invoice-templates', 'Invoice templates', 'InvoiceTemplate'),
  ];
}

const withHeading = (heading: string, text: string | undefined) => text && `### ${heading}\n\n${text}`;

/** Lets lines break after the path of a nested field, such as `data.results[].`, rather than inside its name. */
const withBreaks = (html: string): string =>
  html.replace(/<li><code>[\w.[\]]+/g, (name) => name.replace(/\.(?=\w+$)/, '.<wbr>'));

/** Lets long paths in the lists of operations break before a slash. */
const withPathBreaks = (html: string): string =>
  html.replace(/(?<=<\/strong> <a [^>]*><code>\/)[^<]+/g, (path) => path.replaceAll('/', '<wbr>/'));

/** The fields of replies are collapsed, and on phones also the examples of replies. */
function sectionHtml(section: Section, options: RenderOptions): string {
  const { id, title, text, parameters, replyFields, request, reply } = section;
  const render = (markdown: string | undefined): string =>
    withBreaks(renderMarkdown(markdown ?? '', options, `${id}-`));
  const fold = (name: string, slug: string, heading: string, markdown: string | undefined): string =>
    markdown
      ? `<details class="${name}"><summary><h3 id="${id}-${slug}">${heading}</h3></summary>${render(markdown)}</details>`
      : '';
  return `<section aria-labelledby="${id}">
<h2 id="${id}"><a class="anchor" href="#${id}">${escapeHtml(title)}</a></h2>
<div${request ? ' class="halves"' : ''}><div>${render(text)}</div>
<div class="examples">${render(withHeading('Request', request))}${fold('fold', 'reply', 'Reply', reply)}</div>
<div>${render(withHeading('Parameters', parameters))}${fold('fields', 'fields-of-the-reply', 'Fields of the reply', replyFields)}</div></div>
</section>`;
}

const sectionMarkdown = ({ title, text, parameters, replyFields, request, reply }: Section): string =>
  paragraphs(
    `## ${title}`,
    text,
    withHeading('Parameters', parameters),
    withHeading('Fields of the reply', replyFields),
    withHeading('Request', request),
    withHeading('Reply', reply),
  );

function tagPage(tag: Tag, options: RenderOptions): DocsPage {
  const operations = OPERATIONS.filter(({ operation }) => operation.tags.includes(tag.name));
  const sections = () => [...operations.map((each) => operationSection(each, options.url)), ...appendix(tag)];
  const intro = paragraphs(`# ${tag.name}`, tag.description);
  const path = tagPath(tag);
  return {
    path,
    title: `API: ${tag.name}`,
    isReference: true,
    markdownPath: `${path}.md`,
    markdown: () => paragraphs(intro, ...sections().map(sectionMarkdown)),
    content: () =>
      [renderMarkdown(intro, options), ...sections().map((section) => sectionHtml(section, options))].join('\n'),
  };
}

function indexMarkdown(url: string): string {
  const { info, components } = contract as unknown as {
    readonly info: { readonly description: string };
    readonly components: { readonly schemas: { readonly Failure: FieldSchema } };
  };
  const failure = resolveRefs(components.schemas.Failure) as FieldSchema;
  const groups = tags.map((tag) => {
    const rows = OPERATIONS.filter(({ operation }) => operation.tags.includes(tag.name)).map(
      ({ method, path, operation: { operationId, summary } }) =>
        `| **${method}** [\`${path}\`](${tagPath(tag)}#${operationId}) | ${summary} |`,
    );
    return [`## ${tag.name}\n`, '| operation | meaning |', '|---|---|', ...rows].join('\n');
  });
  return paragraphs(
    '# API reference',
    info.description,
    `The base URL is \`${url}/api/v1\`. Send the App Key in the \`clientId\` header, the App Secret in the \`clientSecret\` header, and the parameters as JSON. API clients such as Bruno, Insomnia and Postman can import the [OpenAPI description](/openapi.json).`,
    ...groups,
    '## Failures',
    'The [list of error codes](/docs/errors) says what each one means and what to do.',
    jsonOf(failure.examples?.[0]),
    replyFieldList({ ...failure, properties: withoutData(failure.properties) }),
  );
}

/** Removes the results of failed sends, which the operations describe. */
const withoutData = (properties: FieldSchema['properties'] = {}): NonNullable<FieldSchema['properties']> =>
  Object.fromEntries(Object.entries(properties).filter(([name]) => name !== 'data'));

export const referencePages = (options: RenderOptions): readonly DocsPage[] => [
  {
    path: '/docs/api',
    title: 'API reference',
    isReference: false,
    markdownPath: '/docs/api.md',
    markdown: () => indexMarkdown(options.url),
    content: () => withPathBreaks(renderMarkdown(indexMarkdown(options.url), options)),
  },
  ...tags.map((tag) => tagPage(tag, options)),
];
