/** The layout of all documentation pages: navigation, content and style sheet. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { BACKEND_FOLDER } from '../../platform/folders.js';
import { escapeHtml } from './markdown.js';

const assetFile = (path: string): string => readFileSync(new URL(`assets/${path}`, BACKEND_FOLDER), 'utf8');

export const STYLE = `${assetFile('dashboard/tokens.css')}\n${assetFile('docs/docs.css')}`;
export const STYLE_PATH = `/docs/style.${createHash('sha256').update(STYLE).digest('hex').slice(0, 12)}.css`;
export const ICON = assetFile('dashboard/icon.svg');
export const ICON_PATH = '/docs/icon.svg';

/** Content-Security-Policy of the documentation pages. Forbids scripts, and content from other hosts. */
export const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export interface NavigationGroup {
  readonly title: string;
  readonly links: readonly { readonly path: string; readonly label: string }[];
}

export interface DocsPage {
  readonly path: string;
  readonly title: string;
  /** Renders the page's HTML. */
  readonly content: () => string;
}

function navigationHtml(groups: readonly NavigationGroup[], current: string): string {
  const item = ({ path, label }: NavigationGroup['links'][number]) =>
    `<li><a href="${path}"${path === current ? ' aria-current="page"' : ''}>${escapeHtml(label)}</a></li>`;
  const group = ({ title, links }: NavigationGroup) =>
    `<p class="group">${escapeHtml(title)}</p>\n<ul>${links.map(item).join('')}</ul>`;
  // Phones show the collapsed list above the content; wider screens show the second copy beside it.
  return `<nav aria-label="Documentation"><details><summary>Contents</summary>${groups.map(group).join('\n')}</details>
<div class="side">${groups.map(group).join('\n')}</div></nav>`;
}

/** Returns a complete HTML document. `body` is HTML. */
export const documentHtml = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="stylesheet" href="${STYLE_PATH}">
<link rel="icon" href="${ICON_PATH}">
</head>
<body>
${body}
</body>
</html>
`;

export const pageHtml = ({ path, title, content }: DocsPage, groups: readonly NavigationGroup[]): string =>
  documentHtml(
    `${title} · Passbell`,
    `<a class="skip" href="#content">Skip to the content</a>
<header><a class="brand" href="/"><img src="${ICON_PATH}" alt="" width="28" height="28"> Passbell</a>
<span class="places"><a href="/docs">Documentation</a> <a href="/docs/api">API</a> <a href="/dashboard">Dashboard</a></span></header>
<div class="frame">
${navigationHtml(groups, path)}
<main id="content" tabindex="-1">
${content()}
</main>
</div>`,
  );
