/**
 * A restricted Liquid engine for templates that customers write. A template can only produce text; it has no side
 * effects.
 */
import { capitalized } from './capitalized.js';
import { Liquid } from 'liquidjs';

/** Maximum length of a template in characters. */
export const MAX_TEMPLATE_LENGTH = 4000;
/**
 * Time limit for rendering, in milliseconds. Typical templates take less than 1 ms; the margin is for a busy machine.
 */
const RENDER_LIMIT_MS = 500;
const RENDER_MEMORY = 100_000;

/**
 * Liquid tags that templates may use: conditions, but no loops or includes, so that a short template renders quickly.
 */
const LIQUID_TAGS = ['if', 'unless', 'case', 'assign', 'comment', 'raw'];
export const LIQUID_FILTERS =
  'append capitalize date default divided_by downcase first last minus plus prepend remove replace round size split strip times truncate upcase'.split(
    ' ',
  );

const EXPLANATIONS: readonly (readonly [RegExp, (found: string, filters: readonly string[]) => string])[] = [
  [
    /^undefined filter: (\w+)/,
    (name, filters) => `There is no filter “${name}”. Available filters: ${filters.join(', ')}.`,
  ],
  [/^tag "((?:end\w+|else|elsif|when))" not found/, (name) => `“{% ${name} %}” has no matching opening tag before it.`],
  [/^tag "(\w+)" not found/, (name) => `“{% ${name} %}” is not available. Available tags: ${LIQUID_TAGS.join(', ')}.`],
  [/^output "/, () => 'A “{{” is not closed: write “}}” after the variable.'],
  [/^tag "/, () => 'A “{%” is not closed: write “%}” at its end.'],
  [/^tag \{%-? *(\w+)\b.*not closed/s, (name) => `“{% ${name} %}” is not closed: write “{% end${name} %}” after it.`],
  [/^invalid value expression/, () => 'A value is missing here: write the name of a variable.'],
  [/^expected variable name/, () => 'A name is missing here: write {% assign name = value %}.'],
];

/** Returns a syntax error that Liquid reports, in the words of the person who wrote the text. */
export function explainLiquidError(reason: string, filters: readonly string[] = LIQUID_FILTERS): string {
  for (const [pattern, explanation] of EXPLANATIONS) {
    const found = pattern.exec(reason);
    if (found) return explanation(found[1] ?? '', filters);
  }
  return `${capitalized(reason.replace(/, line:\d+, col:\d+$/, ''))}.`;
}

/** `outputEscape` converts each value that a template outputs, but not the text of the template itself. */
export function createLiquid(options: { outputEscape?: (value: unknown) => string } = {}): Liquid {
  const liquid = new Liquid({
    ...options,
    strictFilters: true,
    ownPropertyOnly: true,
    // Without in-memory templates, Liquid would read templates from disk.
    templates: {},
    parseLimit: MAX_TEMPLATE_LENGTH,
    renderLimit: RENDER_LIMIT_MS,
    memoryLimit: RENDER_MEMORY,
  });
  for (const name of Object.keys(liquid.tags)) if (!LIQUID_TAGS.includes(name)) delete liquid.tags[name];
  for (const name of Object.keys(liquid.filters)) if (!LIQUID_FILTERS.includes(name)) delete liquid.filters[name];
  return liquid;
}
