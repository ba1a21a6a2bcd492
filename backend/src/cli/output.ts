/** Forms in which commands answer: JSON for programs, tables and blocks for people. */
import Table from 'cli-table3';
import type { Context } from './context.js';

export interface OutputOptions {
  readonly json?: boolean;
}

export const JSON_OPTION = ['--json', 'print JSON and nothing else'] as const;

/** Prints `data` as one line of JSON when that was asked for, else `text`. */
export function answer(context: Context, { json }: OutputOptions, data: unknown, text: string): void {
  context.out(`${json ? JSON.stringify(data) : text}\n`);
}

/** A table without colours, so that it reads the same in a file. */
export function table(head: string[], rows: string[][]): string {
  const grid = new Table({ head, style: { head: [], border: [] } });
  grid.push(...rows);
  return grid.toString();
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
