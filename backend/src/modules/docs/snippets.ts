/** Sample requests for the API reference. `assets/docs/snippets` has a template for each language. */
import { fileURLToPath } from 'node:url';
import { Liquid } from 'liquidjs';
import { BACKEND_FOLDER } from '../../platform/folders.js';
import type { CodeBlock } from './code-block.js';

export interface SampleRequest {
  readonly method: string;
  /** Path below `/api/v1`, with sample values. */
  readonly path: string;
  /** The request body; undefined if the request has none. */
  readonly body: unknown;
  /** Whether the request needs the API credentials. */
  readonly authenticated: boolean;
}

const LANGUAGES = ['sh', 'js', 'python', 'go', 'php'];

const PYTHON_LITERALS: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };

const FILTERS = {
  indent: (text: string, count: number, by = ' ') => text.replaceAll('\n', `\n${by.repeat(count)}`),
  quoteForShell: (text: string) => text.replaceAll("'", "'\\''"),
  pythonLiteral: (json: string) => json.replace(/\b(?:true|false|null)\b/g, (literal) => PYTHON_LITERALS[literal]!),
};

const liquid = new Liquid({
  root: fileURLToPath(new URL('assets/docs/snippets/', BACKEND_FOLDER)),
  extname: '.liquid',
  strictFilters: true,
  strictVariables: true,
  cache: true,
});
for (const [name, filter] of Object.entries(FILTERS)) liquid.registerFilter(name, filter as never);

export function snippetsOf(url: string, { method, path, body, authenticated }: SampleRequest): readonly CodeBlock[] {
  const values = { url, method, path, authenticated, body: body === undefined ? false : JSON.stringify(body, null, 2) };
  return LANGUAGES.map((language) => ({
    language,
    code: (liquid.renderFileSync(language, values) as string).trim(),
  }));
}
