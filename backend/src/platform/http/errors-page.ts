/** The page `/docs/errors`, which lists all error codes in the contract. Each code is an anchor on the page. */
import { ERRORS } from '../contract/generated/errors.js';

const escape = (text: string): string => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

/** Replaces the placeholders in the contract's texts with examples or readable names: `{retryAfterSeconds}` → `30`. */
const readable = (text: string): string =>
  text
    .replace('{retryAfterSeconds}', '30')
    .replace('{text}', 'explains the mistake')
    .replace(/\{(\w+)\}/g, '…');

function sectionOf([code, entry]: [string, { message: string; hint: string; throttled?: boolean }]): string {
  const wait = entry.throttled ? '<p>The reply includes <code>retryAfterSeconds</code>.</p>' : '';
  return `<section id="${code}"><h2><a href="#${code}">${code}</a></h2>
<p><q>${escape(readable(entry.message))}</q></p>
<p>${escape(readable(entry.hint))}</p>${wait}</section>`;
}

const STYLE = `
  :root { color-scheme: light dark; }
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 44rem; margin: 2rem auto; padding: 0 1rem; }
  h2 { font: 600 1rem ui-monospace, monospace; margin: 2rem 0 0; overflow-wrap: anywhere; }
  h2 a { color: inherit; }
  p { margin: 0.25rem 0; }
  :target { outline: 2px solid; outline-offset: 0.5rem; }
`;

export const ERRORS_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Errors – Passbell API</title>
<link rel="icon" href="/docs/favicon-32x32.png">
<style>${STYLE}</style>
</head>
<body>
<h1>Errors</h1>
<p>A failed call replies with <code>success: false</code>, a <code>message</code>, a <code>code</code> and a <code>hint</code>.
If a parameter caused the error, <code>field</code> names it and <code>received</code> shows its value.
The <a href="/docs">API reference</a> describes all calls and parameters.</p>
${Object.entries(ERRORS).map(sectionOf).join('\n')}
</body>
</html>
`;
