/** Forms in which commands answer: JSON for programs, tables and blocks for people. */
import stringWidth from 'string-width';
import type { Context } from './context.js';

export interface OutputOptions {
  readonly json?: boolean;
}

export const JSON_OPTION = ['--json', 'print JSON and nothing else'] as const;

/** Prints `data` as one line of JSON when that was asked for, else `text`. */
export function answer(context: Context, { json }: OutputOptions, data: unknown, text: string): void {
  context.out(`${json ? JSON.stringify(data) : text}\n`);
}

/** The columns of a table that a text takes, be it in letters of half width, full width or none. */
const padded = (text: string, width: number): string => text + ' '.repeat(width - stringWidth(text));

/**
 * A table without colours, so that it reads the same in a file; a value of several lines stays in its cell. Our own, since
 * that of cli-table3 needs a second for some ten applications with a few settings: it measures each text once a character.
 */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const grid = [head, ...rows].map((row) => row.map((cell) => cell.split('\n')));
  const widths = head.map((_name, column) => Math.max(...grid.flatMap((row) => row[column]!.map(stringWidth))));
  const rule = (left: string, middle: string, right: string): string =>
    left + widths.map((width) => '─'.repeat(width + 2)).join(middle) + right;
  const drawn = grid.map((row) => {
    const height = Math.max(...row.map((cell) => cell.length));
    return Array.from({ length: height }, (_line, n) => {
      const texts = row.map((cell, column) => padded(cell[n] ?? '', widths[column]!));
      return `│ ${texts.join(' │ ')} │\n`;
    }).join('');
  });
  return `${rule('┌', '┬', '┐')}\n${drawn.join(`${rule('├', '┼', '┤')}\n`)}${rule('└', '┴', '┘')}`;
}

/** Names and values in two columns; a value of several lines stays in its column. */
export function block(lines: readonly (readonly [name: string, value: string])[]): string {
  const width = Math.max(...lines.map(([name]) => name.length));
  return lines
    .map(([name, value]) => `  ${name.padEnd(width)}  ${value.replaceAll('\n', `\n${' '.repeat(width + 4)}`)}`)
    .join('\n');
}

/** `2026-01-31T12:00:00Z`. */
export const time = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;
