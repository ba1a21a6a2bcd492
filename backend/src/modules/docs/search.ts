/** Full-text search in the documentation. It runs on the server, so that it also works without scripts. */
import { setImmediate } from 'node:timers/promises';
import MiniSearch from 'minisearch';
import { escapeHtml } from './code-block.js';
import type { DocsPage } from './layout.js';

/** A part of a page below one heading. */
interface Section {
  /** The path with the id of the heading, such as `/docs/fraud#limits`. */
  readonly id: string;
  readonly page: string;
  readonly heading: string;
  readonly text: string;
  /** The address of an operation of the API; otherwise "". */
  readonly operation: string;
}

/** Longer queries cost processor time, and find nothing. */
const MAX_QUERY = 100;
const MAX_RESULTS = 20;
/** Characters of the text before and after the first word that was found. */
const EXCERPT_BEFORE = 60;
const EXCERPT_AFTER = 140;

const ENTITIES: Readonly<Record<string, string>> = { quot: '"', lt: '<', gt: '>', amp: '&' };

/** Returns the text of HTML that this module renders. */
const textOf = (html: string): string =>
  html
    // Lists of guides have a link and then its description.
    .replace(/<\/a>(?=\p{Lu})/gu, ' ')
    .replace(/<\/?(?:a|code|em|mark|span|strong)\b[^<>]*>/g, '')
    .replace(/<[^<>]*>/g, ' ')
    .replace(/&#?(\w+);/g, (_entity, name: string) => {
      const hexadecimal = name.startsWith('x') ? `0${name}` : name;
      return ENTITIES[name] ?? String.fromCodePoint(Number(hexadecimal));
    })
    .replace(/\s+/g, ' ')
    .trim();

/** Splits the HTML of a page at its headings. An operation of the API is one section. */
const sectionsOf = ({ path, title, isReference }: DocsPage, html: string): readonly Section[] =>
  html.split(isReference ? /(?=<h[12] id=)/ : /(?=<h[123] id=)/).flatMap((part) => {
    const [whole, level, id, heading] = /^<h([123]) id="([^"]+)">(.*?)<\/h\1>/.exec(part) ?? [];
    if (whole === undefined) return [];
    const address = level === '1' ? path : `${path}#${id}`;
    const text = textOf(part.slice(whole.length));
    const operation = isReference ? (/\/api\/v1\/\S+/.exec(text)?.[0] ?? '') : '';
    return [{ id: address, page: title, heading: textOf(heading!), text, operation }];
  });

/** Returns HTML: the text around the first word that was found, with all found words marked. */
function excerptOf(text: string, terms: readonly string[]): string {
  const words = terms.map((term) => term.replace(/[$()*+./?[\\\]^{|}]/g, '\\$&')).sort((a, b) => b.length - a.length);
  const found = new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.join('|')})`, 'giu');
  const at = Math.max(0, text.search(found));
  const start = at <= EXCERPT_BEFORE ? 0 : text.indexOf(' ', at - EXCERPT_BEFORE) + 1;
  const end = text.indexOf(' ', at + EXCERPT_AFTER);
  const excerpt = text.slice(start, end < 0 ? undefined : end);
  const marked = excerpt.replace(found, '\0$&\x01');
  const html = escapeHtml(marked).replaceAll('\0', '<mark>').replaceAll('\x01', '</mark>');
  return `${start > 0 ? '… ' : ''}${html}${end < 0 ? '' : ' …'}`;
}

export interface Result {
  readonly path: string;
  readonly title: string;
  /** Title of the page that contains the section; "" for the page itself. */
  readonly page: string;
  /** HTML. */
  readonly excerpt: string;
}

export type Search = (query: string) => Promise<readonly Result[]>;

/** Builds the index for the first query, one page at a time, so that other requests need not wait for all pages. */
export function createSearch(pages: readonly DocsPage[]): Search {
  async function build() {
    const index = new MiniSearch<Section>({
      fields: ['heading', 'page', 'operation', 'text'],
      storeFields: ['page', 'heading', 'text'],
      searchOptions: {
        boost: { heading: 4, operation: 4, page: 2 },
        prefix: true,
        combineWith: 'AND',
      },
    });
    for (const page of pages) {
      index.addAll(sectionsOf(page, page.content()));
      await setImmediate();
    }
    return index;
  }
  let built: ReturnType<typeof build> | undefined;

  return async function search(query) {
    built ??= build();
    const index = await built;
    const text = query.slice(0, MAX_QUERY);
    const exact = index.search(text);
    const found = exact.length > 0 ? exact : index.search(text, { fuzzy: (term) => (term.length > 4 ? 0.2 : false) });
    return found.slice(0, MAX_RESULTS).map(({ id, terms, ...stored }) => {
      const { page, heading, text } = stored as unknown as Section;
      return {
        path: id as string,
        title: heading.split(/\.(?: |$)/)[0]!,
        page: page === heading ? '' : page,
        excerpt: excerptOf(text, terms),
      };
    });
  };
}
