/**
 * Conditions on a reply. Parts are joined with `and`:
 * - `status 200-299` or `status 400, 422`
 * - `messages[0].status = 0` or `code = 12, 15`: the value at a path
 * - `data.id exists`
 * - `error.text ~ /credit/i`: a regular expression on a value
 * - `/^OK (\d+)/`: a regular expression on the whole reply
 */
import vm from 'node:vm';
import { checkLength, DefinitionError, MAX_REGEXP_LENGTH } from './definition.js';
import { compilePath } from './paths.js';

export interface Facts {
  readonly status: number;
  readonly text: string;
  /** The parsed reply; undefined if it is not JSON. */
  readonly json: unknown;
  readonly regexpTime: RegexpTime;
}

/** Remaining processor time that a gateway's regular expressions may take for this reply. See `regexp-time.ts`. */
export interface RegexpTime {
  leftMs: number;
}

export type Condition = (facts: Facts) => boolean;

/** Longest text that a regular expression is applied to. */
const REGEXP_TEXT_LENGTH = 16_384;

const sandbox = vm.createContext(Object.create(null));
const exec = new vm.Script('regexp.exec(text)');

/** Returns the processor time that this process has used, in milliseconds. */
function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/**
 * Returns the match and its groups; undefined if there is none, or if matching takes too long. The time that other
 * processes take on a busy machine does not count, so that a harmless expression is not stopped because of them.
 */
function match(regexp: RegExp, text: string, time: RegexpTime): readonly string[] | undefined {
  Object.assign(sandbox, { regexp, text: text.slice(0, REGEXP_TEXT_LENGTH) });
  while (time.leftMs > 0) {
    const startedAt = processorTime();
    try {
      return (exec.runInContext(sandbox, { timeout: Math.ceil(time.leftMs) }) as readonly string[] | null) ?? undefined;
    } catch {
      // The timeout includes the time of other processes, so matching starts again with the time that is left.
    } finally {
      time.leftMs -= processorTime() - startedAt;
    }
  }
  return undefined;
}

const REGEXP = /^\/((?:\\.|[^\\/])+)\/(i?)$/u;

function compileRegexp(text: string): RegExp {
  checkLength('regular expression', text, MAX_REGEXP_LENGTH);
  const [, source, flags] = REGEXP.exec(text.trim()) ?? [];
  if (source === undefined)
    throw new DefinitionError(`contains “${text}”, which is not a regular expression; write it like /^OK/`);
  try {
    return new RegExp(source, `${flags}u`);
  } catch {
    throw new DefinitionError(`contains “${text}”, which is not a valid regular expression`);
  }
}

/** Compiles `/…/` or `/…/i`. Returns the first group of the match, or the whole match. */
export function compilePattern(text: string): (value: string, time: RegexpTime) => string | undefined {
  const regexp = compileRegexp(text);
  return (value, time) => {
    const found = match(regexp, value, time);
    return found && (found[1] ?? found[0]);
  };
}

function compileStatus(text: string): Condition {
  const ranges = text.split(',').map((part) => {
    const [, from, to] = /^([1-5]\d\d)(?:\s*-\s*([1-5]\d\d))?$/.exec(part.trim()) ?? [];
    if (from === undefined)
      throw new DefinitionError(`contains “${text}”, which is not a status; write 200 or 200-299`);
    return [Number(from), Number(to ?? from)] as const;
  });
  return ({ status }) => ranges.some(([from, to]) => status >= from && status <= to);
}

function valueAt(path: string, matches: (value: string, time: RegexpTime) => boolean): Condition {
  const read = compilePath(path);
  return ({ json, regexpTime }) => {
    const value = read(json);
    return value !== undefined && matches(value, regexpTime);
  };
}

function oneOf(text: string): (value: string) => boolean {
  const values = text.split(',').map((value) => value.trim());
  return (value) => values.includes(value);
}

function matching(pattern: string): (value: string, time: RegexpTime) => boolean {
  const find = compilePattern(pattern);
  return (value, time) => find(value, time) !== undefined;
}

/** Reads a text from its start. The patterns are sticky. */
function createReader(text: string) {
  let position = 0;
  return {
    /** Reads the text that matches a pattern. */
    take(pattern: RegExp): string | undefined {
      pattern.lastIndex = position;
      const found = pattern.exec(text)?.[0];
      if (found !== undefined) position = pattern.lastIndex;
      return found;
    },
    /** Reads the text before the next `and`. */
    takeValues(): string {
      const start = position;
      position = start + (/\sand\s/.exec(text.slice(start))?.index ?? Infinity);
      return text.slice(start, position).trim();
    },
    rest: (): string => text.slice(position),
  };
}
type Reader = ReturnType<typeof createReader>;

const REGEXP_TOKEN = /\/(?:\\.|[^\\/])+\/i?/y;
const PATH_TOKEN = /[^\s=~]+/y;
const SPACES = /\s*/y;
const EQUALS = /=\s*/y;
const MATCHES = /~\s*/y;
const EXISTS = /exists(?!\S)/y;
const AND = /\s+and\s+/y;

/** Reads one part of a condition; undefined if there is none. */
function readPart(reader: Reader): Condition | undefined {
  const regexp = reader.take(REGEXP_TOKEN);
  if (regexp !== undefined) {
    const matches = matching(regexp);
    return ({ text, regexpTime }) => matches(text, regexpTime);
  }
  const path = reader.take(PATH_TOKEN);
  if (path === undefined) return undefined;
  const isWord = reader.take(SPACES) !== '';
  if (reader.take(EQUALS)) return valueAt(path, oneOf(reader.takeValues()));
  if (reader.take(MATCHES)) {
    const pattern = reader.take(REGEXP_TOKEN);
    return pattern === undefined ? undefined : valueAt(path, matching(pattern));
  }
  if (isWord && reader.take(EXISTS)) return valueAt(path, (value) => value !== '');
  return isWord && path === 'status' ? compileStatus(reader.takeValues()) : undefined;
}

/** Throws a {@link DefinitionError} for a text that is not a condition. */
export function compileCondition(condition: string): Condition {
  checkLength('condition', condition);
  const reader = createReader(condition.trim());
  const parts: Condition[] = [];
  do {
    const rest = reader.rest();
    const part = readPart(reader);
    if (!part)
      throw new DefinitionError(
        `contains “${rest}”, which is not a condition; write for example: status 200 and result.code = 0`,
      );
    parts.push(part);
  } while (reader.take(AND));
  const rest = reader.rest();
  if (rest !== '') throw new DefinitionError(`contains “${rest.trim()}”, which must start with “and”`);
  return (facts) => parts.every((matches) => matches(facts));
}
