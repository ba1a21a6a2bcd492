/** Formats a log entry as a line that people can read on a terminal. */
import { printable } from './control-characters.js';

/** ANSI color numbers: red, yellow, green and gray. */
const LEVEL_COLORS: Readonly<Record<string, number>> = { fatal: 31, error: 31, warn: 33, info: 32, debug: 90 };

const LONGEST_LEVEL = 'error'.length;

/** Returns `name=value`. Quotes values that would be ambiguous otherwise. */
function field([name, value]: [string, unknown]): string {
  const isPlain = typeof value === 'string' && /^[^\s"=]+$/.test(value);
  return `${name}=${isPlain ? value : JSON.stringify(value)}`;
}

/**
 * Returns `12:00:01.250 WARN  delivery attempt failed channel=SMS`, with the stack trace of an error on the next lines.
 * `json`: an entry as pino writes it. `colors`: whether the terminal shows colors.
 */
export function readableLine(json: string, colors: boolean): string {
  const { level, time, msg, err, ...fields } = JSON.parse(json) as Record<string, unknown>;
  const { stack, ...error } = (err ?? {}) as { stack?: readonly string[] };
  const label = String(level).toUpperCase().padEnd(LONGEST_LEVEL);
  const line = [
    String(time).slice('2026-01-01T'.length, -1),
    colors ? `\u001b[${LEVEL_COLORS[String(level)]}m${label}\u001b[39m` : label,
    printable(String(msg)),
    ...Object.entries({ ...fields, ...error }).map(field),
  ].join(' ');
  return [line, ...(stack ?? []).map((frame) => `    ${frame}`), ''].join('\n');
}
