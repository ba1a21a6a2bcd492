/** The layout of all documentation pages: navigation, content, style sheet and script. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { BACKEND_FOLDER } from '../../platform/folders.js';
import { MAIN_FONT_PATH } from '../../platform/http/fonts-route.js';
import { render } from './templates.js';

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

/** In the order of the cascade. */
const STYLE_FILES = ['base', 'layout', 'tables', 'samples', 'search', 'reference', 'start-page'];

export const STYLE = asset(
  'style',
  'css',
  ['dashboard/tokens.css', 'dashboard/code.css', ...STYLE_FILES.map((name) => `docs/${name}.css`)]
    .map(assetFile)
    .join('\n'),
);
export const SCRIPT = asset('script', 'js', assetFile('docs/docs.js'));
export const ICON = assetFile('dashboard/icon.svg');
export const ICON_PATH = '/docs/icon.svg';
export const SEARCH_PATH = '/docs/search';

/** Content-Security-Policy of the documentation pages. Forbids inline scripts and styles, and content from other hosts. */
export const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

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

/** Returns the headings in HTML. A reference page lists only its operations, and the list of error codes only its topics. */
const headingsOf = (html: string, isReference: boolean) =>
  [...html.matchAll(/<h([23]) id="([^"]+)">(.*?)<\/h\1>/g)]
    .map(([, level, id, text]) => ({ level, id, html: text!.replace(/<\/?a\b[^<>]*>/g, '').replaceAll('_', '_<wbr>') }))
    .filter(({ level }) => level === '2' || !isReference);

/** Returns a complete HTML document. `body` is HTML. */
export const documentHtml = (title: string, body: string): string =>
  render('document', { title, body, font: MAIN_FONT_PATH, style: STYLE.path, script: SCRIPT.path, icon: ICON_PATH });

export function pageHtml(
  { path, title, markdownPath, isReference, content }: DocsPage,
  groups: readonly NavigationGroup[],
) {
  const page = content();
  const [, heading = '', html = page] = /^(<h1.*?<\/h1>)(.*)$/s.exec(page) ?? [];
  const links = groups.flatMap((group) => group.links);
  const at = links.findIndex((link) => link.path === path);
  const neighbors = at < 0 ? {} : { previous: links[at - 1], next: links[at + 1] };
  const headings = headingsOf(html, isReference || path === '/docs/errors');
  const values = { path, markdownPath, isReference, heading, html, groups, headings, icon: ICON_PATH };
  return documentHtml(`${title} · Passbell`, render('page', { ...values, ...neighbors }));
}
