import stringWidth from 'string-width';

/** Pads by display width, since characters can be 0, 1 or 2 columns wide. */
const pad = (text: string, width: number): string => text + ' '.repeat(width - stringWidth(text));

/**
 * Formats a table without colors, or returns `none` if there are no rows. Cells can have several lines. The package
 * cli-table3 is not used, because it measures each text once per character: a table of ten applications takes a second.
 */
export function formatTable(head: readonly string[], rows: readonly (readonly string[])[], none: string): string {
  if (rows.length === 0) return none;
  const grid = [head, ...rows].map((row) => row.map((cell) => cell.split('\n')));
  const widths = head.map((_name, column) => Math.max(...grid.flatMap((row) => row[column]!.map(stringWidth))));
  const rule = (left: string, middle: string, right: string): string =>
    left + widths.map((width) => '─'.repeat(width + 2)).join(middle) + right;
  const drawn = grid.map((row) => {
    const height = Math.max(...row.map((cell) => cell.length));
    return Array.from({ length: height }, (_line, n) => {
      const texts = row.map((cell, column) => pad(cell[n] ?? '', widths[column]!));
      return `│ ${texts.join(' │ ')} │\n`;
    }).join('');
  });
  return `${rule('┌', '┬', '┐')}\n${drawn.join(`${rule('├', '┼', '┤')}\n`)}${rule('└', '┴', '┘')}`;
}

/** Formats names and values in two columns. Values can have several lines. */
export function formatBlock(lines: readonly (readonly [name: string, value: string])[]): string {
  const width = Math.max(...lines.map(([name]) => name.length));
  return lines
    .map(([name, value]) => `  ${name.padEnd(width)}  ${value.replaceAll('\n', `\n${' '.repeat(width + 4)}`)}`)
    .join('\n');
}
