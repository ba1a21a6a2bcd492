/** Breaks long lines of highlighted code for narrow screens, and indents their continuation lines. */

export const isSingleLine = (code: string): boolean => !code.trimEnd().includes('\n');

/** Shorter lines fit on a phone. */
const MAX_PHONE_LINE = 34;
/** The width of the Copy button beside a single line, in characters. */
const COPY_WIDTH = 10;
/** The style sheet has a class for each even indentation up to this one, because the pages allow no inline styles. */
const MAX_INDENT = 16;

/** The width of a tab in the style sheet. */
const TAB = 4;

/** Returns the classes of a long line. Tab stops count from the indentation, which must be a multiple of their width. */
function rowClasses(line: string): string {
  const start = line.search(/\S/);
  const isTabbed = line.startsWith('\t');
  const indent = isTabbed ? start * TAB : start - (start % 2);
  return `row in-${Math.min(MAX_INDENT, indent)}${isTabbed ? ' tabbed' : ''}`;
}

/** Longer strings, subscripts and calls can break. */
const MAX_UNIT = 28;
/** Indentation, options of commands such as `--to-stdout`, and the `\` at the end of a line. */
const SHELL_UNITS = /^[ \t]+| --?[a-z][\w-]*| \\$/g;
/** Subscripts and calls such as `os.environ["APP_SECRET"]` and `getenv('APP_SECRET')`, and strings. */
const LITERALS =
  /(?<![\w$.])[\w$.]*(?:\[(['"]?)\w+\1\]|\((['"])\w+\2\))|\\"[^"\\]*\\"|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'/g;
const COMMENT = /^\s*(?:#|\/\/|\/?\*)/;

/** Calls `keep` with the start and the length of each literal that fits. Searches long strings for shorter ones. */
function keepLiterals(text: string, start: number, limit: number, keep: (at: number, length: number) => void): void {
  for (const { 0: literal, index } of text.matchAll(LITERALS)) {
    if (literal.length <= limit) keep(start + index, literal.length);
    else keepLiterals(literal.slice(1, -1), start + index + 1, limit, keep);
  }
}

/** Returns the number of the unit for each character of a line; undefined for characters between which it can break. */
function unitsOf(line: string, isOnly: boolean): readonly (number | undefined)[] {
  const units = Array.from<number | undefined>({ length: line.length });
  const keep = (at: number, length: number) => void units.fill(at, at, at + length);
  for (const { 0: text, index } of line.matchAll(SHELL_UNITS)) keep(index, text.length);
  const width = MAX_PHONE_LINE - (isOnly ? COPY_WIDTH : 0);
  const limit = Math.min(MAX_UNIT, width - Math.max(0, line.search(/\S/)));
  if (!COMMENT.test(line)) keepLiterals(line, 0, limit, keep);
  return units;
}

/** Returns the positions inside long words, such as URLs and calls without spaces, at which a line can break. */
function breaksOf(line: string): ReadonlySet<number> {
  const breaks = new Set<number>();
  for (const { 0: word, index } of line.matchAll(/\S{24,}/g))
    for (const match of word.matchAll(/(?<![:/])[/(=,?&[](?![/(=,?&[>)])/g)) breaks.add(index + match.index + 1);
  return breaks;
}

/** Keeps short strings and the like in one piece, and lets a line break inside other long words. */
function withUnits(html: string, line: string, isOnly: boolean): string {
  const units = unitsOf(line, isOnly);
  const breaks = breaksOf(line);
  let position = 0;
  let current: number | undefined;
  /** Elements that were opened inside the current unit. */
  let depth = 0;
  const close = () => {
    if (current === undefined) return '';
    current = undefined;
    depth = 0;
    return '</span>';
  };
  const marked = html.replace(/<[^<>]*>|&[#\w]+;|[^<]/g, (token) => {
    if (token.startsWith('<')) {
      if (current === undefined) return token;
      // The unit has ended before this element.
      if (depth === 0 && units[position] !== current) return close() + token;
      depth += token === '</span>' ? -1 : 1;
      return depth < 0 ? close() + token : token;
    }
    const unit = units[position];
    const isNew = unit !== current && depth === 0;
    const before = isNew ? close() : '';
    if (isNew && unit !== undefined) current = unit;
    const start = isNew && unit !== undefined ? '<span class="unit">' : '';
    const wbr = breaks.has(position) && (isNew || current === undefined) ? '<wbr>' : '';
    position += 1;
    return `${before}${wbr}${start}${token}`;
  });
  return marked + close();
}

/**
 * Wraps each long line of highlighted code in an element that indents its continuation lines. Elements that span several
 * lines are closed before the line and opened again in it.
 */
export function withRows(html: string, code: string): string {
  const lines = code.split('\n');
  const open: string[] = [];
  const closed = (count: number) => '</span>'.repeat(count);
  const rows = html.split('\n').map((part, n) => {
    const line = lines[n]!;
    const text = n < lines.length - 1 ? `${part}\n` : part;
    const before = [...open];
    for (const [tag] of part.matchAll(/<span[^>]*>|<\/span>/g)) {
      if (tag === '</span>') open.pop();
      else open.push(tag);
    }
    // The page's script can replace an App Key by a longer one.
    if (line.length <= MAX_PHONE_LINE && !/APP_KEY|pk_/.test(line)) return text;
    const row = `<span class="${rowClasses(line)}">${before.join('')}${withUnits(text, line, isSingleLine(code))}${closed(open.length)}</span>`;
    return `${closed(before.length)}${row}${open.join('')}`;
  });
  return rows.join('');
}
