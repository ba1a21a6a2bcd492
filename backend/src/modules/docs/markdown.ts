/** Renders Markdown from the guides and the contract as HTML. */
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { Marked, type Tokens } from 'marked';
import { capitalized } from '../../platform/capitalized.js';
import { ERRORS } from '../../platform/contract/generated/errors.js';
import { REPOSITORY } from '../../platform/folders.js';
import { codeHtml, escapeHtml, tabsHtml, type CodeBlock } from './code-block.js';

/** The service URL in the guides' examples. */
export const SAMPLE_URL = 'http://127.0.0.1:3000';
/** The service URL in examples of production, such as those in the READMEs of the packages. */
const PUBLIC_SAMPLE_URL = /https:\/\/otp\.example(?:\.com)?(?![\w.-])/g;

/** Fills in the service's public URL in a code block or a whole guide. */
export const withServiceUrl = (text: string, url: string): string =>
  text.replaceAll(SAMPLE_URL, url).replace(PUBLIC_SAMPLE_URL, () => url);

export interface RenderOptions {
  /** The file's path in the repository. Relative links are resolved against it. */
  readonly file: string;
  /** Returns the URL path of a file in the repository; undefined if the service does not serve the file. */
  readonly addressOf: (file: string) => string | undefined;
  /** The service's public URL, which replaces {@link SAMPLE_URL} in code blocks. */
  readonly url: string;
}

/**
 * Returns a function that creates heading ids like GitHub's: `userToken: who?` → `usertoken-who`. Error codes keep their
 * case, because replies link to them.
 */
function createSlugs(prefix: string) {
  const used = new Map<string, number>();
  return (text: string): string => {
    if (Object.hasOwn(ERRORS, text)) return text;
    const slug = `${prefix}${text
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, '')
      .replaceAll(' ', '-')}`;
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

/** Joins code blocks that follow each other in different languages to a token `tabs`. */
function joinCodeBlocks(tokens: readonly Tokens.Generic[]): Tokens.Generic[] {
  const joined: Tokens.Generic[] = [];
  for (const token of tokens) {
    const last = joined.at(-1);
    const blocks = (last?.type === 'tabs' ? last.blocks : last?.type === 'code' ? [last] : []) as Tokens.Code[];
    const isNext = token.type === 'code' && blocks.length > 0 && blocks.every(({ lang }) => lang !== token.lang);
    if (isNext) joined.splice(-1, 1, { type: 'tabs', raw: '', blocks: [...blocks, token] });
    else joined.push(token);
  }
  return joined;
}

/** Whether all items of a list start with the name and the type of a field: `` `to` *string* ``. */
const isFieldList = ({ items }: Tokens.List): boolean => items.every(({ text }) => /^`[^`]+` \*/.test(text));

/** Keeps options of commands, such as `--budget-per-day`, and names that fit on a phone in one piece. */
const withUnbroken = (html: string): string =>
  html.replace(/(?<![\w-])--[a-z][\w-]*|^[\w.]{1,24}$/g, '<span class="unbroken">$&</span>');

/**
 * The only HTML in the guides, apart from comments. Collapses long tables and the areas of the changelog. A summary is a
 * text, or a heading and the text that introduces the section.
 */
const DETAILS = /^(?:<details>\s*<summary>(?:<h([34])>([^<>]*)<\/h\1>)?([^<>]*)<\/summary>|<\/details>)\s*$/;

/** `<!-- Moved to fraud-settings.md: settings, refused-numbers -->`: headings that are now on another page. */
const MOVED = /<!-- Moved to (\S+): (.+?) -->/g;

const MOVED_TEXT = 'This section has moved to another page. Open it there.';

/** Names that keep their lowercase letter at the start of a table cell. */
const LOWERCASE_NAMES = /^(?:better-auth|hCaptcha|ioredis|knex|mysql2|n8n|textbee|undici)\b/;

/** Capitalizes the first letter of a table cell, unless it starts with a name such as `n8n`. */
const sentenceCase = (text: string): string => (LOWERCASE_NAMES.test(text) ? text : capitalized(text));

/**
 * Returns the attributes that keep the space of an image until it is loaded; "" if the file does not contain a size in
 * pixels. `file`: the name of a PNG or SVG.
 */
export function sizeAttributes(file: string, image: Buffer): string {
  // The first chunk of a PNG contains its size.
  if (file.endsWith('.png')) return ` width="${image.readUInt32BE(16)}" height="${image.readUInt32BE(20)}"`;
  const [tag = ''] = /<svg\b[^>]*>/.exec(image.toString()) ?? [];
  const [, ...box] = /\sviewBox="[-\d.]+ [-\d.]+ ([\d.]+) ([\d.]+)"/.exec(tag) ?? [];
  const lengths = ['width', 'height'].map((name) => new RegExp(`\\s${name}="([\\d.]+)(?:px)?"`).exec(tag)?.[1]);
  const [width, height] = (box.length > 0 ? box : lengths).map((length) => Math.round(Number(length)));
  return width && height ? ` width="${width}" height="${height}"` : '';
}

/** `file`: the path of an image in the repository. */
const sizeOf = (file: string): string => sizeAttributes(file, readFileSync(new URL(file, REPOSITORY)));

/** The width in pixels above which a picture becomes illegible if a phone shrinks it to the width of its screen. */
const MAX_PHONE_WIDTH = 700;

/**
 * Returns the targets of links to headings that have moved to another page, because browsers do not send the part of a URL
 * after `#` to the server. A target is displayed only if the page's URL ends with its ID. The page's script then opens the
 * other page.
 */
const movedHtml = (address: string | undefined, ids: readonly string[]): string =>
  address === undefined
    ? ''
    : ids
        .map(
          (id) => `<a class="moved" id="${id}" href="${escapeHtml(`${address}#${id}`)}" title="${MOVED_TEXT}"></a>\n`,
        )
        .join('');

const foldedHeading = (tag: string, id: string, heading: string, text: string): string =>
  `<${tag} id="${id}">${heading}</${tag}>${text === '' ? '' : `<span>${text}</span>`}`;

/** `prefix`: start of the ids of headings and tabs, for pages that consist of several texts. */
export function renderMarkdown(text: string, options: RenderOptions, prefix = ''): string {
  const slugOf = createSlugs(prefix);
  // A title can follow the language, as in "text Content-Security-Policy".
  const blockOf = ({ lang = '', text: code }: Tokens.Generic): CodeBlock => {
    const [language = '', ...title] = (lang as string).split(' ');
    return { language, title: title.join(' '), code: withServiceUrl(code as string, options.url) };
  };
  // HTML does not allow links in links.
  let isInLink = false;
  const marked = new Marked({ gfm: true });
  marked.use({
    hooks: { processAllTokens: (tokens) => joinCodeBlocks(tokens.filter(({ type }) => type !== 'space')) as never },
    extensions: [
      {
        name: 'tabs',
        renderer: ({ blocks }) => tabsHtml((blocks as Tokens.Code[]).map(blockOf), slugOf('snippet')),
      },
    ],
    renderer: {
      heading({ tokens, depth }) {
        const id = slugOf(plain(tokens));
        const content = this.parser.parseInline(tokens);
        return depth === 1
          ? `<h1 id="${id}">${content}</h1>\n`
          : `<h${depth} id="${id}"><a class="anchor" href="#${id}">${content}</a></h${depth}>\n`;
      },
      list(token) {
        if (!isFieldList(token)) return false;
        return `<ul class="field-list">${token.items.map((item) => this.listitem(item)).join('')}</ul>\n`;
      },
      link({ href, tokens }) {
        const address = addressFrom(href, options);
        if (address === undefined) return this.parser.parseInline(tokens);
        isInLink = true;
        const content = this.parser.parseInline(tokens);
        isInLink = false;
        return `<a href="${escapeHtml(address)}">${content}</a>`;
      },
      image({ href, text: description }) {
        const address = addressFrom(href, options);
        const alt = escapeHtml(description);
        if (address === undefined) return alt;
        const size = sizeOf(posix.join(posix.dirname(options.file), href));
        const image = `<img src="${escapeHtml(address)}" alt="${alt}"${size}>`;
        if (isInLink) return image;
        // Opens the picture at full size, so that people can zoom in.
        const isLarge = Number(/ width="(\d+)"/.exec(size)?.[1]) > MAX_PHONE_WIDTH;
        return `<a class="picture${isLarge ? ' large' : ''}" href="${escapeHtml(address)}">${image}</a>`;
      },
      code: (token) => codeHtml(blockOf(token)),
      codespan({ text: code }) {
        const html = escapeHtml(code.replace(PUBLIC_SAMPLE_URL, () => options.url));
        // The name of a field in a list, such as `data.results[].maskId`, breaks before its last part.
        return `<code>${withUnbroken(html.replaceAll('[].', '[].<wbr>'))}</code>`;
      },
      table({ header, rows }) {
        const classOf = ({ align }: Tokens.TableCell) => (align === 'right' ? ' class="number"' : '');
        const head = header.map((heading) => {
          const { tokens } = heading;
          const text = this.parser.parseInline(tokens);
          return `<th${classOf(heading)}>${tokens[0]?.type === 'text' ? sentenceCase(text) : text}</th>`;
        });
        // Phones show each row as a list, with the headings before the cells.
        const labels = header.map(({ tokens }) => sentenceCase(plain(tokens)));
        const cell = (content: Tokens.TableCell, column: number) => {
          const html = this.parser.parseInline(content.tokens);
          // Names of packages are code, although they are not formatted as code.
          const isCode = content.tokens[0]?.type !== 'text' || labels[column] === 'Package';
          return `<td${classOf(content)} data-label="${escapeHtml(labels[column]!)}">${isCode ? html : sentenceCase(html)}</td>`;
        };
        const body = rows.map((row) => `<tr>${row.map(cell).join('')}</tr>`).join('\n');
        return `<div class="wide" tabindex="0"><table><thead><tr>${head.join('')}</tr></thead>\n<tbody>${body}</tbody></table></div>\n`;
      },
      // Anything else that looks like HTML is displayed as text.
      html({ text: html }) {
        if (html.startsWith('<!--'))
          return [...html.matchAll(MOVED)]
            .map(([, to = '', ids = '']) => movedHtml(addressFrom(to, options), ids.split(', ')))
            .join('');
        const [isDetails, level, heading, summary] = DETAILS.exec(html) ?? [];
        if (isDetails === undefined) return escapeHtml(html);
        if (summary === undefined) return '</details>';
        const content =
          heading === undefined ? summary : foldedHeading(`h${level}`, slugOf(heading), heading, summary.trim());
        return `<details class="fields"><summary>${content}</summary>`;
      },
    },
  });
  return marked.parse(text, { async: false });
}
