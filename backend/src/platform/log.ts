/**
 * Structured logs: one JSON object per line, or readable lines on a terminal. Fields with `x-redact` in the contract are redacted
 * at any depth.
 */
import { pino, type Logger } from 'pino';
import { REDACTED_NAMES } from './contract/generated/redact.js';
import { printable } from './control-characters.js';
import { readableLine } from './log-line.js';

export type Log = Logger;

const SECRET_NAMES = new Set([
  ...REDACTED_NAMES,
  'clientsecret',
  'authorization',
  'secret',
  'password',
  'code',
  'payload',
]);

/** Longest text of a field. Callers choose some of the values, such as the path of a request. */
const MAX_TEXT = 300;

const shortened = (text: string): string =>
  text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}… (${text.length} characters)` : text;

function redact(value: unknown, depth = 0): unknown {
  // Removes control characters, because JSON escapes only some of them.
  if (typeof value === 'string') return printable(shortened(value));
  if (value === null || typeof value !== 'object' || depth > 5) return value;
  if (value instanceof Error) return describeError(value);
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, child]) => [
      name,
      SECRET_NAMES.has(name.toLowerCase()) ? '[redacted]' : redact(child, depth + 1),
    ]),
  );
}

/** Redis starts its error replies with a code, such as `READONLY`. The rest can contain a key. */
const replyCode = (name: string, message: string): string | undefined =>
  name === 'ReplyError' ? /^[A-Z]+\b/.exec(message)?.[0] : undefined;

/** Describes an error without its message, which may contain SQL values or a recipient. */
export function describeError(error: unknown): { type: string; reason: string | undefined; stack: string[] } {
  const { name, message, code = replyCode(name, message), stack } = error as Error & { code?: string };
  const frames = (stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return { type: name, reason: code, stack: frames.slice(0, 8).map((line) => line.trim()) };
}

interface Destination {
  write(text: string): void;
}

interface Terminal extends Destination {
  readonly isTTY?: boolean;
  hasColors?(): boolean;
}

/** Returns where log entries are written. Programs read JSON; people on a terminal read one line for each entry. */
export function logDestination(output: Terminal): Destination {
  if (!output.isTTY) return pino.destination(2);
  return { write: (json) => output.write(readableLine(json, output.hasColors?.() ?? false)) };
}

/** Logs to standard error, because standard output is for the operator command. */
export function createLog(level: string, destination: Destination = logDestination(process.stderr)): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: (entry) => redact(entry) as Record<string, unknown> },
    },
    destination,
  );
}
