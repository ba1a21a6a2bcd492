/** The documentation pages with their navigation. */
import { withOperatorCommand } from '../../platform/config/operator-command.js';
import { errorsHtml, ERRORS_MARKDOWN, ERRORS_PAGE } from './errors-page.js';
import { DOCS_INDEX, linksIn, type Guide } from './guides.js';
import { pageHtml, SEARCH_PATH, type DocsPage, type NavigationGroup } from './layout.js';
import { MANAGE_MARKDOWN } from './manage-reference.js';
import { renderMarkdown, withServiceUrl, type RenderOptions } from './markdown.js';
import { referencePages } from './reference.js';
import { createSearch } from './search.js';
import { startPageHtml } from './start-page.js';
import { render } from './templates.js';

/**
 * Returns the navigation: the start page's links (`- [Title](file.md)`) in groups by heading, and the API reference.
 */
function navigationOf(guides: readonly Guide[], reference: readonly DocsPage[]): readonly NavigationGroup[] {
  const index = guides.find(({ file }) => file === DOCS_INDEX)?.text ?? '';
  const groups = index
    .split(/^## /m)
    .slice(1)
    .map((section): NavigationGroup => {
      const [title = ''] = section.split('\n');
      const links = linksIn(DOCS_INDEX, section).flatMap(({ label, file }) => {
        const guide = guides.find((candidate) => candidate.file === file);
        return guide ? [{ path: guide.path, label }] : [];
      });
      return { title, links };
    });
  const links = reference.map(({ path, title }) => ({ path, label: title.replace(/^API: /, '') }));
  const api = {
    title: 'API',
    links: [
      ...links,
      { path: '/docs/api/management', label: 'Management' },
      { path: '/docs/errors', label: 'Error codes' },
    ],
  };
  return [...groups.filter((group) => group.links.length > 0), api];
}

/** The pages of the documentation. */
export interface Site {
  readonly pages: readonly DocsPage[];
  /**
   * Returns the HTML of the page at a path; undefined if there is no page. Renders a page on its first request, because
   * rendering all pages at once would block the process.
   */
  htmlOf(path: string): string | undefined;
  /** Returns the HTML of the page with the results for a query. */
  searchPage(query: string): Promise<string>;
  readonly notFoundPage: string;
}

/** `url`: the service's public URL. `files`: other files that the guides link to. */
export function createSite(url: string, guides: readonly Guide[], files: ReadonlySet<string>): Site {
  const addressOf = (file: string): string | undefined =>
    guides.find((guide) => guide.file === file)?.path ?? (files.has(file) ? `/${file}` : undefined);
  const optionsFor = (file: string): RenderOptions => ({ file, addressOf, url });
  const reference = referencePages(optionsFor(DOCS_INDEX));
  const textPage = (path: string, title: string, file: string, read: () => string): DocsPage => ({
    path,
    title,
    isReference: false,
    markdownPath: file === DOCS_INDEX && path !== '/docs' ? `${path}.md` : `/${file}`,
    markdown: () => withServiceUrl(read(), url),
    content() {
      const text = read().replace(/^# .+$/m, `# ${title}`);
      return path === '/docs' ? startPageHtml(text, optionsFor(file)) : renderMarkdown(text, optionsFor(file));
    },
  });
  const pages = [
    ...guides.map((guide) => textPage(guide.path, guide.title, guide.file, () => withOperatorCommand(guide.text))),
    ...reference,
    textPage('/docs/api/management', 'Management API', DOCS_INDEX, () => MANAGE_MARKDOWN),
    {
      ...textPage('/docs/errors', 'Error codes', DOCS_INDEX, () => ERRORS_MARKDOWN),
      content: () => errorsHtml(renderMarkdown(ERRORS_PAGE, optionsFor(DOCS_INDEX))),
    },
  ];
  const groups = navigationOf(guides, reference);
  const rendered = new Map<string, string>();
  const search = createSearch(pages);
  const ownPage = (path: string, title: string, content: () => string) =>
    pageHtml({ path, title, isReference: false, content }, groups);

  return {
    pages,
    htmlOf(path) {
      const page = pages.find((candidate) => candidate.path === path);
      if (!page) return undefined;
      const html = rendered.get(path) ?? pageHtml(page, groups);
      rendered.set(path, html);
      return html;
    },
    async searchPage(query) {
      const values = { query: query.trim(), results: await search(query) };
      return ownPage(SEARCH_PATH, 'Search', () => render('search', values));
    },
    notFoundPage: ownPage('/docs/not-found', 'Page not found', () => render('not-found', {})),
  };
}
