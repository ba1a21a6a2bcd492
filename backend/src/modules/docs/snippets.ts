/** Sample requests for the API reference. Each language has a template. */
import type { CodeBlock } from './code-block.js';
import { render } from './templates.js';

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

export function snippetsOf(url: string, { method, path, body, authenticated }: SampleRequest): readonly CodeBlock[] {
  const values = { url, method, path, authenticated, body: body === undefined ? false : JSON.stringify(body, null, 2) };
  return LANGUAGES.map((language) => ({ language, code: render(`snippets/${language}`, values) }));
}
