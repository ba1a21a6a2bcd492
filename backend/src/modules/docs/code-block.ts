/** Code blocks: highlighted on the server, so that pages need no script to show them. */
import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import go from 'highlight.js/lib/languages/go';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import php from 'highlight.js/lib/languages/php';
import python from 'highlight.js/lib/languages/python';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';

const LANGUAGES = { bash, go, javascript, json, php, python, typescript, xml, yaml };
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);
hljs.registerAliases('vue', { languageName: 'xml' });
hljs.registerAliases('node.js', { languageName: 'javascript' });

const LABELS: Readonly<Record<string, string>> = {
  sh: 'curl',
  js: 'JavaScript',
  ts: 'TypeScript',
  python: 'Python',
  go: 'Go',
  php: 'PHP',
};

const LANGUAGE_NAMES = new Map([
  ['sh', 'Shell'],
  ['bash', 'Shell'],
  ['js', 'JavaScript'],
  ['jsx', 'JSX'],
  ['ts', 'TypeScript'],
  ['vue', 'Vue'],
  ['json', 'JSON'],
  ['php', 'PHP'],
  ['python', 'Python'],
  ['go', 'Go'],
  ['html', 'HTML'],
  ['xml', 'HTML'],
  ['yaml', 'YAML'],
]);

export const languageName = (language: string): string => LANGUAGE_NAMES.get(language) ?? language;

export const isSingleLine = (code: string): boolean => !code.trimEnd().includes('\n');

export interface CodeBlock {
  /** The language as in Markdown, such as `sh`. Code in an unknown language is not highlighted. */
  readonly language: string;
  readonly code: string;
}

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

/** Shorter lines fit on a phone. */
const MAX_PHONE_LINE = 34;
/** The style sheet has a class for each even indentation up to this one, because the pages allow no inline styles. */
const MAX_INDENT = 16;

/** The width of a tab in the style sheet. */
const TAB = 4;

/** Returns the classes of a long line. Tab stops count from the indentation, which must be a multiple of their width. */
function rowClasses(line: string): string {
  const start = line.search(/\S/);
  const isTabbed = line.startsWith('\t');
  const indent = isTabbed ? start * TAB : start - (start % 2);
  return `row in-${Math.min(MAX_INDENT, indent)}${isTabbed ? ' tabbed' : ''}`;
}

/** Keeps lines from breaking inside options of commands, such as `--to-stdout`, and before the `\` at the end of a line. */
const withUnits = (html: string): string =>
  html.replace(/^[ \t]+| --?[a-z][\w-]*| \\$/gm, (unit) => `<span class="unit">${unit}</span>`);

/** Lets a line break inside long words, such as URLs and calls without spaces. */
function withBreaks(html: string, line: string): string {
  const breaks = new Set<number>();
  for (const { 0: word, index } of line.matchAll(/\S{24,}/g))
    for (const match of word.matchAll(/(?<![:/])[/(=,?&[](?![/(=,?&[>)])/g)) breaks.add(index + match.index + 1);
  if (breaks.size === 0) return html;
  let position = 0;
  return html.replace(/<[^<>]*>|&[#\w]+;|[^<]/g, (token) => {
    if (token.startsWith('<')) return token;
    position += 1;
    return breaks.has(position) ? `${token}<wbr>` : token;
  });
}

/**
 * Wraps each long line of highlighted code in an element that indents its continuation lines. Elements that span several
 * lines are closed before the line and opened again in it.
 */
function withRows(html: string, code: string): string {
  const lines = code.split('\n');
  const open: string[] = [];
  const closed = (count: number) => '</span>'.repeat(count);
  const rows = html.split('\n').map((part, n) => {
    const line = lines[n]!;
    const text = n < lines.length - 1 ? `${part}\n` : part;
    const before = [...open];
    for (const [tag] of part.matchAll(/<span[^>]*>|<\/span>/g)) {
      if (tag === '</span>') open.pop();
      else open.push(tag);
    }
    if (line.length <= MAX_PHONE_LINE) return text;
    const row = `<span class="${rowClasses(line)}">${before.join('')}${withUnits(withBreaks(text, line))}${closed(open.length)}</span>`;
    return `${closed(before.length)}${row}${open.join('')}`;
  });
  return rows.join('');
}

/** Returns HTML. */
export function highlighted({ language, code }: CodeBlock): string {
  if (!hljs.getLanguage(language)) return withRows(escapeHtml(code), code);
  // Colors for punctuation would make the pages much larger.
  const { value } = hljs.highlight(code, { language });
  return withRows(value.replace(/<span class="hljs-punctuation">([^<]*)<\/span>/g, '$1'), code);
}

const labelOf = ({ language }: CodeBlock) => escapeHtml(`Code, ${LABELS[language] ?? language}`.replace(/, $/, ''));

const barHtml = ({ language }: CodeBlock) =>
  `<div class="code-bar"><span>${escapeHtml(languageName(language))}</span></div>`;

/** Returns HTML. The page's script puts a Copy button into the bar above several lines, or beside a single line. */
export function codeHtml(block: CodeBlock): string {
  const pre = `<pre role="group" aria-label="${labelOf(block)}"><code>${highlighted(block)}</code></pre>`;
  return isSingleLine(block.code)
    ? `<div class="code line">${pre}</div>\n`
    : `<div class="code">${barHtml(block)}${pre}</div>\n`;
}

/** Returns the same program in several languages. The tabs are radio buttons, which need no script. */
export function tabsHtml(blocks: readonly CodeBlock[], group: string): string {
  const tabs = blocks.map(({ language }, n) => {
    const id = `${group}-${language}`;
    return `<input type="radio" name="${group}" id="${id}" value="${language}"${n === 0 ? ' checked' : ''}><label for="${id}">${LABELS[language] ?? language}</label>`;
  });
  return `<fieldset class="tabs"><legend class="unseen">Language of the example</legend>${tabs.join('')}
${blocks.map(codeHtml).join('')}</fieldset>\n`;
}
