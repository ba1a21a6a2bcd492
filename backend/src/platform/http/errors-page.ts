/**
 * The page `/docs/errors`, which lists all error codes in the contract, as HTML and as Markdown. Each code is an anchor
 * on the page.
 */
import { ERRORS } from '../contract/generated/errors.js';
import { escapeHtml } from './docs/markdown.js';

/**
 * Replaces the placeholders in the contract's texts: `{retryAfterSeconds}` → `30`, `{text}` → a sample phrase, all
 * others → `…`.
 */
const readable = (text: string): string =>
  text
    .replace('{retryAfterSeconds}', '30')
    .replace('{text}', 'explains the mistake')
    .replace(/\{(\w+)\}/g, '…');

type Entry = [string, { message: string; hint: string; throttled?: boolean }];

function sectionOf([code, entry]: Entry): string {
  const wait = entry.throttled ? '<p>The reply includes <code>retryAfterSeconds</code>.</p>' : '';
  return `<section id="${code}"><h2><a class="anchor" href="#${code}">${code}</a></h2>
<p><q>${escapeHtml(readable(entry.message))}</q></p>
<p>${escapeHtml(readable(entry.hint))}</p>${wait}</section>`;
}

export const ERRORS_CONTENT = `<h1>Error codes</h1>
<p>A failed call replies with <code>success: false</code>, a <code>message</code>, a <code>code</code> and a <code>hint</code>.
If a parameter caused the error, <code>field</code> names it and <code>received</code> shows its value.
The <a href="/docs/api">API reference</a> describes all calls and parameters.</p>
${Object.entries(ERRORS).map(sectionOf).join('\n')}`;

const markdownOf = ([code, entry]: Entry): string =>
  `## ${code}\n\n> ${readable(entry.message)}\n\n${readable(entry.hint)}${entry.throttled ? ' The reply includes `retryAfterSeconds`.' : ''}`;

export const ERRORS_MARKDOWN = `# Error codes

A failed call replies with \`success: false\`, a \`message\`, a \`code\` and a \`hint\`. If a parameter caused the error, \`field\` names it and
\`received\` shows its value.

${Object.entries(ERRORS).map(markdownOf).join('\n\n')}
`;
