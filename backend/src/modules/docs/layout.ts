/** The layout of all documentation pages: navigation, content and style sheet. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { BACKEND_FOLDER } from '../../platform/folders.js';
import { escapeHtml } from './code-block.js';

const assetFile = (path: string): string => readFileSync(new URL(`assets/${path}`, BACKEND_FOLDER), 'utf8');

interface Asset {
  readonly path: string;
  readonly body: string;
}

/** The address of an asset contains a hash of its content, so browsers can cache it for a long time. */
const asset = (name: string, type: string, body: string): Asset => ({
  path: `/docs/${name}.${createHash('sha256').update(body).digest('hex').slice(0, 12)}.${type}`,
  body,
});

export const STYLE = asset('style', 'css', `${assetFile('dashboard/tokens.css')}\n${assetFile('docs/docs.css')}`);
export const SCRIPT = asset('script', 'js', assetFile('docs/docs.js'));
export const ICON = assetFile('dashboard/icon.svg');
export const ICON_PATH = '/docs/icon.svg';
export const SEARCH_PATH = '/docs/search';

/** Content-Security-Policy of the documentation pages. Forbids inline scripts and styles, and content from other hosts. */
export const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

export interface NavigationGroup {
  readonly title: string;
  readonly links: readonly { readonly path: string; readonly label: string }[];
}

export interface DocsPage {
  readonly path: string;
  readonly title: string;
  /** Path of the page in Markdown; undefined for pages without text of their own, such as the search. */
  readonly markdownPath?: string;
  readonly markdown?: () => string;
  /** Whether the page describes operations, with examples beside the text. */
  readonly isReference: boolean;
  /** Renders the page's HTML. */
  readonly content: () => string;
}

type Link = NavigationGroup['links'][number];

const linkHtml = ({ path, label }: Link, attributes = ''): string =>
  `<a href="${path}"${attributes}>${escapeHtml(label)}</a>`;

function navigationHtml(groups: readonly NavigationGroup[], current: string): string {
  const item = (link: Link) => `<li>${linkHtml(link, link.path === current ? ' aria-current="page"' : '')}</li>`;
  const group = ({ title, links }: NavigationGroup) =>
    `<p class="group">${escapeHtml(title)}</p>\n<ul>${links.map(item).join('')}</ul>`;
  return `<nav class="site" aria-label="Documentation"><details><summary>All pages</summary>${groups.map(group).join('\n')}</details></nav>`;
}

/** A short page needs no list of its headings. */
const MIN_HEADINGS = 3;

/** Returns the list of the headings in HTML. */
function contentsHtml(html: string, isReference: boolean): string {
  const levels = isReference ? '2' : '23';
  const headings = [...html.matchAll(/<h([23]) id="([^"]+)">(.*?)<\/h\1>/g)].filter(([, level]) =>
    levels.includes(level!),
  );
  if (headings.length < MIN_HEADINGS) return '';
  const items = headings.map(
    ([, level, id, text]) =>
      `<li class="level-${level}"><a href="#${id}">${text!.replace(/<\/?a\b[^<>]*>/g, '').replaceAll('_', '_<wbr>')}</a></li>`,
  );
  return `<nav class="contents" aria-label="On this page"><details><summary>On this page</summary><ul>${items.join('')}</ul></details></nav>`;
}

/** Links to the previous and the next page of the navigation. */
function neighborsHtml(groups: readonly NavigationGroup[], current: string): string {
  const links = groups.flatMap((group) => group.links);
  const at = links.findIndex(({ path }) => path === current);
  if (at < 0) return '';
  const link = (to: Link | undefined, rel: string) => (to ? linkHtml(to, ` rel="${rel}"`) : '');
  return `<p class="neighbors">${link(links[at - 1], 'prev')}${link(links[at + 1], 'next')}</p>`;
}

/** Returns a complete HTML document. `body` is HTML. */
export const documentHtml = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="stylesheet" href="${STYLE.path}">
<link rel="icon" href="${ICON_PATH}">
<script src="${SCRIPT.path}" defer></script>
</head>
<body>
${body}
</body>
</html>
`;

/** The search form. The script shows the results while the reader types. */
export const searchForm = (query = ''): string =>
  `<form class="search" role="search" action="${SEARCH_PATH}"><input type="search" name="q" value="${escapeHtml(query)}" placeholder="Search" aria-label="Search the documentation" autocomplete="off" required maxlength="100"><button>Search</button></form>`;

export function pageHtml(page: DocsPage, groups: readonly NavigationGroup[]): string {
  const { path, title, markdownPath, isReference } = page;
  const html = page.content();
  const tools = markdownPath === undefined ? '' : `<p class="tools"><a href="${markdownPath}">View as Markdown</a></p>`;
  return documentHtml(
    `${title} · Passbell`,
    `<a class="skip" href="#content">Skip to the content</a>
<header><a class="brand" href="/"><img src="${ICON_PATH}" alt="" width="28" height="28"> Passbell</a>
${path === SEARCH_PATH ? '' : searchForm()}
<span class="places"><a href="/docs">Docs</a> <a href="/docs/api">API</a> <a href="/dashboard">Dashboard</a></span></header>
<div class="frame${isReference ? ' reference' : ''}">
${navigationHtml(groups, path)}
${contentsHtml(html, isReference)}
<main id="content" tabindex="-1"${path === '/docs' ? ' class="home"' : ''}>
${tools}
${html}
${neighborsHtml(groups, path)}
</main>
</div>`,
  );
}
