/** The templates of the documentation, in `assets/docs/templates`. Only their own filter `escape` makes values safe for HTML. */
import { fileURLToPath } from 'node:url';
import { Liquid } from 'liquidjs';
import { BACKEND_FOLDER } from '../../platform/folders.js';

const PYTHON_LITERALS: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };

export const FILTERS = {
  indent: (text: string, count: number, by = ' ') => text.replaceAll('\n', `\n${by.repeat(count)}`),
  quoteForShell: (text: string) => text.replaceAll("'", "'\\''"),
  /** Returns a string literal that is valid in both JavaScript and PHP. */
  literal: (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`,
  pythonLiteral: (json: string) => json.replace(/\b(?:true|false|null)\b/g, (literal) => PYTHON_LITERALS[literal]!),
};

const liquid = new Liquid({
  root: fileURLToPath(new URL('assets/docs/templates/', BACKEND_FOLDER)),
  extname: '.liquid',
  strictFilters: true,
  cache: true,
});
for (const [name, filter] of Object.entries(FILTERS)) liquid.registerFilter(name, filter as never);

export const render = (template: string, values: object): string =>
  (liquid.renderFileSync(template, values) as string).trim();
