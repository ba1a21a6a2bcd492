/** The page `/docs/api`: how to call the API, the list of its operations, and what all of them have in common. */
import { contract, resolveRefs } from '../../platform/contract/contract.js';
import type { Schemas } from '../../platform/contract/schemas.js';
import { operationCalled, operationsOf, replyOf, requestOf, tagPath, tags, type Tag } from './api-operations.js';
import { escapeHtml } from './code-block.js';
import { replyFieldList, type FieldSchema } from './field-list.js';
import type { DocsPage } from './layout.js';
import { renderMarkdown, type RenderOptions } from './markdown.js';
import { fenced, foldHtml, jsonOf, methodHtml, paragraphs } from './reference-parts.js';

const { info, components } = contract as unknown as {
  readonly info: { readonly description: string };
  readonly components: { readonly schemas: { readonly Failure: FieldSchema } };
};

/** The contract's description starts with a summary of the service, which the page does not need. */
function conventionsOf(description: string): string {
  const start = description.indexOf('- **');
  if (start < 0) throw new Error("the contract's description has no list of conventions");
  return description.slice(start);
}
const conventions = conventionsOf(info.description);

/** The fields of a result that the shortened reply contains. */
const SHOWN_FIELDS = new Set(['to', 'maskId', 'expireTime']);

function introduction(url: string): string {
  const example = operationCalled('sendOtp');
  const { success, message, data } = replyOf(example.operation).example as Schemas['SendOtpReply'];
  const results = data.results.map((result) =>
    Object.fromEntries(Object.entries(result).filter(([name]) => SHOWN_FIELDS.has(name))),
  );
  return paragraphs(
    '# API reference',
    'The base URL of all operations is:',
    fenced('text', `${url}/api/v1`),
    '## Authentication',
    'Send the App Key of an application in the header `clientId`, and its App Secret in the header `clientSecret`. The App Secret must stay on your server: browsers call only the operations of the [two-factor widget](/docs/widget), which need no secret.',
    '## First request',
    requestOf(example, url),
    'The reply is JSON, shortened here. You need its `maskId` to [verify the code](/docs/api/otp#verifyOtp):',
    jsonOf({ success, message, data: { ...data, results } }),
    'API clients such as Bruno, Insomnia and Postman can import the [OpenAPI description](/openapi.json).',
  );
}

function operationsMarkdown(tag: Tag): string {
  const items = operationsOf(tag).map(
    ({ method, path, operation: { operationId, summary: purpose } }) =>
      `- **${method}** [\`${path}\`](${tagPath(tag)}#${operationId}): ${purpose}`,
  );
  return paragraphs(`### ${tag.name}`, items.join('\n'));
}

/** Long paths can break before a slash. */
function operationsHtml(tag: Tag): string {
  const items = operationsOf(tag).map(
    ({ method, path, operation: { operationId, summary: purpose } }) =>
      `<li><a href="${tagPath(tag)}#${operationId}">${methodHtml(method)} <code>${path.replaceAll(/(?<=.)\//g, '<wbr>/')}</code></a> <span>${escapeHtml(purpose)}</span></li>`,
  );
  return `<ul class="operations">${items.join('\n')}</ul>\n`;
}

/** Removes the results of failed sends, which the operations describe. */
const withoutData = (properties: FieldSchema['properties'] = {}): NonNullable<FieldSchema['properties']> =>
  Object.fromEntries(Object.entries(properties).filter(([name]) => name !== 'data'));

const FAILURES = `## Failures

A failure has a human-readable \`message\` and \`hint\`, and a \`code\` for programs. [Error codes](/docs/errors) describes each code.`;

/** Returns an example of a failure, and the list of its fields, in Markdown. */
function failureParts(): { readonly example: string; readonly fields: string } {
  const failure = resolveRefs(components.schemas.Failure) as FieldSchema;
  return {
    example: jsonOf(failure.examples?.[0]),
    fields: replyFieldList({ ...failure, properties: withoutData(failure.properties) }),
  };
}

function indexMarkdown(url: string): string {
  const { example, fields } = failureParts();
  return paragraphs(
    introduction(url),
    '## Operations',
    ...tags.map(operationsMarkdown),
    '## Conventions',
    conventions,
    FAILURES,
    `### Example\n\n${example}`,
    `### Fields of a failure\n\n${fields}`,
  );
}

function indexHtml(options: RenderOptions): string {
  const render = (...markdown: string[]) => renderMarkdown(paragraphs(...markdown), options);
  const { example, fields } = failureParts();
  return [
    render(introduction(options.url), '## Operations'),
    ...tags.flatMap((tag) => [render(`### ${tag.name}`), operationsHtml(tag)]),
    render('## Conventions', conventions, FAILURES),
    foldHtml('fold', 'example', 'Example', render(example)),
    foldHtml('fields', 'fields-of-a-failure', 'Fields of a failure', render(fields)),
  ].join('\n');
}

export const indexPage = (options: RenderOptions): DocsPage => ({
  path: '/docs/api',
  title: 'API reference',
  isReference: false,
  markdownPath: '/docs/api.md',
  markdown: () => indexMarkdown(options.url),
  content: () => indexHtml(options),
});
