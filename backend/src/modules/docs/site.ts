/** The documentation pages with their navigation. */
import { withOperatorCommand } from '../../platform/config/operator-command.js';
import { ERRORS_MARKDOWN } from './errors-page.js';
import { DOCS_INDEX, linksIn, type Guide } from './guides.js';
import { pageHtml, type DocsPage, type NavigationGroup } from './layout.js';
import { renderMarkdown, type RenderOptions } from './markdown.js';
import { referencePages } from './reference.js';

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
  const api = { title: 'API', links: [...links, { path: '/docs/errors', label: 'Error codes' }] };
  return [...groups.filter((group) => group.links.length > 0), api];
}

/**
 * Returns a function that returns the HTML of the page at a path; undefined if there is no page. It renders a page on
 * its first request, because rendering all pages at once would block the process. `url`: the service's public URL. `files`: other
 * files that the guides link to.
 */
export function createSite(
  url: string,
  guides: readonly Guide[],
  files: ReadonlySet<string>,
): (path: string) => string | undefined {
  const addressOf = (file: string): string | undefined =>
    guides.find((guide) => guide.file === file)?.path ?? (files.has(file) ? `/${file}` : undefined);
  const optionsFor = (file: string): RenderOptions => ({ file, addressOf, url });
  const reference = referencePages(optionsFor(DOCS_INDEX));
  const pages: DocsPage[] = [
    ...guides.map((guide) => ({
      path: guide.path,
      title: guide.title,
      content: () => renderMarkdown(withOperatorCommand(guide.text), optionsFor(guide.file)),
    })),
    ...reference,
    {
      path: '/docs/errors',
      title: 'Error codes',
      content: () => renderMarkdown(ERRORS_MARKDOWN, optionsFor(DOCS_INDEX)),
    },
  ];
  const groups = navigationOf(guides, reference);
  const rendered = new Map<string, string>();
  return function htmlOf(path) {
    const page = pages.find((candidate) => candidate.path === path);
    if (!page) return undefined;
    const html = rendered.get(path) ?? pageHtml(page, groups);
    rendered.set(path, html);
    return html;
  };
}
