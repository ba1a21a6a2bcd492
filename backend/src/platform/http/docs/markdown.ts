/** Renders the Markdown of guides and of the contract as HTML. */
import { posix } from 'node:path';
import { Marked, type Tokens } from 'marked';

/** The address that the guides use for the service. */
const SAMPLE_URL = 'http://127.0.0.1:3000';

export interface RenderOptions {
  /** Path of the file in the repository, which relative links start from. */
  readonly file: string;
  /** Returns the address of a file of the repository; undefined if the service does not have it. */
  readonly addressOf: (file: string) => string | undefined;
  /** The public URL of this service. It replaces the sample address in code. */
  readonly url: string;
}

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

/** Creates the ids of headings as GitHub does: `userToken: who?` → `usertoken-who`. */
function createSlugs() {
  const used = new Map<string, number>();
  return (text: string): string => {
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

/** Text of Markdown without its marks. */
const plain = (tokens: readonly Tokens.Generic[]): string =>
  tokens.map((token) => (token.tokens ? plain(token.tokens) : ((token.text as string | undefined) ?? ''))).join('');

/**
 * Returns the address of a link; undefined if its target is not part of the documentation, such as a source file. Links to
 * this service become relative.
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
      // The guides contain no HTML except comments. Other text that looks like HTML is shown as text.
      html: ({ text: html }) => (html.startsWith('<!--') ? '' : escapeHtml(html)),
    },
  });
  return marked.parse(text, { async: false });
}

/** A block of code. It can be focused, so that people can scroll it with the keyboard. */
export const codeBlock = (code: string): string => `<pre tabindex="0"><code>${escapeHtml(code)}</code></pre>\n`;

/** Tables can be focused and scrolled, too. */
export const tableHtml = (head: string, rows: readonly string[]): string =>
  `<div class="wide" tabindex="0"><table>${head === '' ? '' : `<thead>${head}</thead>`}
<tbody>${rows.join('\n')}</tbody></table></div>\n`;
