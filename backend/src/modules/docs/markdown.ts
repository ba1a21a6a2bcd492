/** Renders Markdown from the guides and the contract as HTML. */
import { posix } from 'node:path';
import { Marked, type Tokens } from 'marked';
import { ERRORS } from '../../platform/contract/generated/errors.js';

/** The service URL in the guides' examples. */
export const SAMPLE_URL = 'http://127.0.0.1:3000';

export interface RenderOptions {
  /** The file's path in the repository. Relative links are resolved against it. */
  readonly file: string;
  /** Returns the URL path of a file in the repository; undefined if the service does not serve the file. */
  readonly addressOf: (file: string) => string | undefined;
  /** The service's public URL, which replaces {@link SAMPLE_URL} in code blocks. */
  readonly url: string;
}

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

/**
 * Returns a function that creates heading ids like GitHub's: `userToken: who?` → `usertoken-who`. Error codes keep their
 * case, because replies link to them.
 */
function createSlugs() {
  const used = new Map<string, number>();
  return (text: string): string => {
    if (Object.hasOwn(ERRORS, text)) return text;
    const slug = text
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, '')
      .replaceAll(' ', '-');
    const times = used.get(slug) ?? 0;
    used.set(slug, times + 1);
    return times === 0 ? slug : `${slug}-${times}`;
  };
}

/** Returns the text of Markdown tokens without formatting. */
const plain = (tokens: readonly Tokens.Generic[]): string =>
  tokens.map((token) => (token.tokens ? plain(token.tokens) : ((token.text as string | undefined) ?? ''))).join('');

/**
 * Returns the URL of a link; undefined if the documentation does not contain the target, such as a source file. Links
 * to {@link SAMPLE_URL} become paths.
 */
function addressFrom(href: string, { file, addressOf }: RenderOptions): string | undefined {
  if (href.startsWith(SAMPLE_URL)) return href.slice(SAMPLE_URL.length) || '/';
  if (/^[a-z]+:|^#/i.test(href)) return href;
  const [path = '', hash] = href.split('#');
  const target = path.startsWith('/') ? path : addressOf(posix.join(posix.dirname(file), path));
  return target === undefined ? undefined : `${target}${hash === undefined ? '' : `#${hash}`}`;
}

export function renderMarkdown(text: string, options: RenderOptions): string {
  const slugOf = createSlugs();
  const marked = new Marked({ gfm: true });
  marked.use({
    renderer: {
      heading({ tokens, depth }) {
        const id = slugOf(plain(tokens));
        const content = this.parser.parseInline(tokens);
        return depth === 1
          ? `<h1 id="${id}">${content}</h1>\n`
          : `<h${depth} id="${id}"><a class="anchor" href="#${id}">${content}</a></h${depth}>\n`;
      },
      link({ href, tokens }) {
        const content = this.parser.parseInline(tokens);
        const address = addressFrom(href, options);
        return address === undefined ? content : `<a href="${escapeHtml(address)}">${content}</a>`;
      },
      image({ href, text: description }) {
        const address = addressFrom(href, options);
        const alt = escapeHtml(description);
        return address === undefined ? alt : `<img src="${escapeHtml(address)}" alt="${alt}" loading="lazy">`;
      },
      code: ({ text: code }) => codeBlock(code.replaceAll(SAMPLE_URL, options.url)),
      table({ header, rows }) {
        const cells = (tag: 'th' | 'td', row: readonly Tokens.TableCell[]) =>
          row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('');
        return tableHtml(
          `<tr>${cells('th', header)}</tr>`,
          rows.map((row) => `<tr>${cells('td', row)}</tr>`),
        );
      },
      // The guides contain no HTML except comments. Anything else that looks like HTML is displayed as text.
      html: ({ text: html }) => (html.startsWith('<!--') ? '' : escapeHtml(html)),
    },
  });
  return marked.parse(text, { async: false });
}

/** Returns a code block. It can receive focus, so that people can scroll it with the keyboard. */
export const codeBlock = (code: string): string => `<pre tabindex="0"><code>${escapeHtml(code)}</code></pre>\n`;

/** Returns a table. It can receive focus and be scrolled, like a code block. */
export const tableHtml = (head: string, rows: readonly string[]): string =>
  `<div class="wide" tabindex="0"><table>${head === '' ? '' : `<thead>${head}</thead>`}
<tbody>${rows.join('\n')}</tbody></table></div>\n`;
