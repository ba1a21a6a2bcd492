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
import { isSingleLine, withRows } from './code-lines.js';

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
  ['', 'Text'],
  ['text', 'Text'],
]);

export const languageName = (language: string): string => LANGUAGE_NAMES.get(language) ?? language;

export interface CodeBlock {
  /** The language as in Markdown, such as `sh`. Code in an unknown language is not highlighted. */
  readonly language: string;
  readonly code: string;
  /** Shown above several lines instead of the language. */
  readonly title?: string;
}

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

/** Values in the guides that the reader must replace, in HTML: credentials, and variables such as `CODE=…`. */
const PLACEHOLDERS = /\b[ps]k_…|(?<=\b[A-Z_]+=)…/g;

/** Returns HTML. */
export function highlighted({ language, code }: CodeBlock): string {
  if (!hljs.getLanguage(language)) return withRows(escapeHtml(code), code);
  // Colors for punctuation would make the pages much larger.
  const { value } = hljs.highlight(code, { language });
  return withRows(value.replace(/<span class="hljs-punctuation">([^<]*)<\/span>/g, '$1'), code);
}

const labelOf = ({ language }: CodeBlock) => escapeHtml(`Code, ${LABELS[language] ?? language}`.replace(/, $/, ''));

const barHtml = ({ language, title }: CodeBlock) =>
  `<div class="code-bar"><span>${escapeHtml(title || languageName(language))}</span></div>`;

/** Returns HTML. The page's script puts a Copy button into the bar above several lines, or beside a single line. */
export function codeHtml(block: CodeBlock): string {
  const code = highlighted(block).replace(PLACEHOLDERS, '<mark>$&</mark>');
  const pre = `<pre role="group" aria-label="${labelOf(block)}"><code>${code}</code></pre>`;
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
