/**
 * The API reference, written in Markdown from the contract: a page for each group of operations. The HTML shows the
 * examples beside the text.
 */
import { contract } from '../../platform/contract/contract.js';
import {
  acceptsQuery,
  operationsOf,
  replyOf,
  requestOf,
  tagPath,
  tags,
  webhooks,
  type Described,
  type Operation,
  type Tag,
} from './api-operations.js';
import { escapeHtml } from './code-block.js';
import { parameterList, replyFieldList } from './field-list.js';
import type { DocsPage } from './layout.js';
import { renderMarkdown, type RenderOptions } from './markdown.js';
import { indexPage } from './reference-index.js';
import { foldHtml, jsonOf, methodHtml, paragraphs } from './reference-parts.js';

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
  return {
    id,
    title: summary,
    text: paragraphs(
      `**${method}** \`/api/v1${path}\``,
      security?.length === 0 && 'Browsers call this operation without the App Secret.',
      acceptsQuery(described) && 'Also works as a GET request with the parameters in the query string.',
      description,
    ),
    parameters: parameters || 'No parameters.',
    replyFields: replyFieldList(reply.schema),
    request: requestOf(described, url),
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

/** The method of an operation, before its path. */
const METHOD = /<strong>([A-Z]+)<\/strong>(?= <code>)/;

/** The fields of replies are collapsed, and on phones also the examples of replies. */
function sectionHtml(section: Section, options: RenderOptions): string {
  const { id, title, text, parameters, replyFields, request, reply } = section;
  const render = (markdown = ''): string => renderMarkdown(markdown, options, `${id}-`);
  const fold = (name: 'fold' | 'fields', slug: string, heading: string, markdown: string | undefined): string =>
    markdown ? foldHtml(name, `${id}-${slug}`, heading, render(markdown)) : '';
  const intro = render(text).replace(METHOD, (_strong, method: string) => methodHtml(method));
  return `<section aria-labelledby="${id}">
<h2 id="${id}"><a class="anchor" href="#${id}">${escapeHtml(title)}</a></h2>
<div${request ? ' class="halves"' : ''}><div>${intro}</div>
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
  const sections = () => [...operationsOf(tag).map((each) => operationSection(each, options.url)), ...appendix(tag)];
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

export const referencePages = (options: RenderOptions): readonly DocsPage[] => [
  indexPage(options),
  ...tags.map((tag) => tagPage(tag, options)),
];
