/** Full-text search in the documentation. It runs on the server, so that it also works without scripts. */
import { setImmediate } from 'node:timers/promises';
import MiniSearch, { type SearchOptions, type SearchResult } from 'minisearch';
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
  readonly isGuide: boolean;
}

/** Words of questions that say nothing about the subject. A word such as “didn't” has two parts. */
export const FILLER_WORDS = new Set(
  'a an and any are at be can cannot could did didn do does doesn don for from get gets got had has have how i if in is it me my not of on or our s so t that the their them they this to too us was we what when where which why will with won you your'.split(
    ' ',
  ),
);

/** Words of the documentation for words that people type. */
const SYNONYMS = new Map([
  ['colleague', 'team'],
  ['colleagues', 'team'],
  ['expensive', 'cost'],
]);

/** Pages about versions, which mention everything. */
const HISTORY = /^\/docs\/(?:changelog|roadmap|upgrading)/;

/** Longer queries cost processor time, and find nothing. */
const MAX_QUERY = 100;
const MAX_RESULTS = 20;
const FEW_RESULTS = 3;
/** Characters of the text before and after the first word that was found. */
const EXCERPT_BEFORE = 60;
const EXCERPT_AFTER = 140;

const ENTITIES: Readonly<Record<string, string>> = { quot: '"', lt: '<', gt: '>', amp: '&' };

/** Returns the text of HTML that this module renders. */
const textOf = (html: string): string =>
  html
    .replace(/<\/?(?:a|code|em|mark|span|strong|wbr)\b[^<>]*>/g, '')
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
    return [
      {
        id: address,
        page: title,
        heading: textOf(heading!),
        text,
        operation,
        isGuide: !isReference && !path.startsWith('/docs/api'),
      },
    ];
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
      storeFields: ['page', 'heading', 'text', 'isGuide'],
      searchOptions: {
        boost: { heading: 4, operation: 4, page: 2 },
        // Parts of words matter less than whole words, and API pages less than guides.
        prefix: (term) => term.length > 2,
        weights: { prefix: 0.2, fuzzy: 0.2 },
        boostDocument: (id: string, _term, stored) => (HISTORY.test(id) ? 0.1 : stored?.isGuide ? 4 : 1),
        processTerm: (term) => {
          const word = term.toLowerCase();
          return FILLER_WORDS.has(word) ? null : (SYNONYMS.get(word) ?? word);
        },
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
    const fuzzy = (term: string) => (term.length > 4 ? 0.2 : false);
    const processTerm = (term: string) => term.toLowerCase();
    // If few sections contain all words, continues with some of the words, then with typing errors and filler words.
    const attempts: readonly SearchOptions[] = [{}, { fuzzy }, { combineWith: 'OR' }, { processTerm }];
    const found = new Map<string, SearchResult>();
    for (const options of attempts)
      if (found.size < FEW_RESULTS)
        for (const result of index.search(text, options)) if (!found.has(result.id)) found.set(result.id, result);
    return [...found.values()]
      .sort((a, b) => Number(HISTORY.test(a.id)) - Number(HISTORY.test(b.id)))
      .slice(0, MAX_RESULTS)
      .map(({ id, terms, ...stored }) => {
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
