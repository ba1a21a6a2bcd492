/**
 * Conditions on a reply. Parts are joined with `and`:
 * - `status 200-299` or `status 400, 422`
 * - `messages[0].status = 0` or `code = 12, 15`: the value at a path
 * - `data.id exists`
 * - `error.text ~ /credit/i`: a regular expression on a value
 * - `/^OK (\d+)/`: a regular expression on the whole reply
 */
import vm from 'node:vm';
import { DefinitionError } from './definition.js';
import { compilePath } from './paths.js';

export interface Facts {
  readonly status: number;
  readonly text: string;
  /** The parsed reply; undefined if it is not JSON. */
  readonly json: unknown;
  readonly regexpTime: RegexpTime;
}

/** Remaining time that a gateway's regular expressions may take for this reply. */
export interface RegexpTime {
  leftMs: number;
}

export type Condition = (facts: Facts) => boolean;

/**
 * A few regular expressions take exponential time on some texts. All others need far less than this limit, even on a
 * busy machine.
 */
export const REGEXP_LIMIT_MS = 250;
/** Longest text that a regular expression is applied to. */
const REGEXP_TEXT_LENGTH = 16_384;

const sandbox = vm.createContext(Object.create(null));
const exec = new vm.Script('new RegExp(source, flags).exec(text)');

/** Returns the match and its groups; undefined if there is none, or if matching takes too long. */
function match(source: string, flags: string, text: string, time: RegexpTime): readonly string[] | undefined {
  const timeout = Math.ceil(time.leftMs);
  if (timeout <= 0) return undefined;
  Object.assign(sandbox, { source, flags, text: text.slice(0, REGEXP_TEXT_LENGTH) });
  const startedAt = performance.now();
  try {
    return (exec.runInContext(sandbox, { timeout }) as readonly string[] | null) ?? undefined;
  } catch {
    // The timeout of `vm` can fire slightly early, so `startedAt` alone would leave some time.
    time.leftMs = 0;
    return undefined;
  } finally {
    time.leftMs -= performance.now() - startedAt;
  }
}

const REGEXP = /^\/((?:\\.|[^\\/])+)\/(i?)$/u;

/** Compiles `/…/` or `/…/i`. Returns the first group of the match, or the whole match. */
export function compilePattern(text: string): (value: string, time: RegexpTime) => string | undefined {
  const [, source, flags] = REGEXP.exec(text.trim()) ?? [];
  if (source === undefined) throw new DefinitionError(`“${text}” is not a regular expression; write it like /^OK/`);
  try {
    new RegExp(source, `${flags}u`);
  } catch {
    throw new DefinitionError(`“${text}” is not a valid regular expression`);
  }
  return (value, time) => {
    const found = match(source, `${flags}u`, value, time);
    return found && (found[1] ?? found[0]);
  };
}

function compileStatus(text: string): Condition {
  const ranges = text.split(',').map((part) => {
    const [, from, to] = /^\s*([1-5]\d\d)(?:\s*-\s*([1-5]\d\d))?\s*$/.exec(part) ?? [];
    if (from === undefined) throw new DefinitionError(`“${text.trim()}” is not a status; write 200 or 200-299`);
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

/** The forms of a condition, with the captured groups that `compile` receives. */
const CONDITION_FORMS: readonly { readonly form: RegExp; compile(first: string, second: string): Condition }[] = [
  {
    form: /(\/(?:\\.|[^\\/])+\/i?)/y,
    compile(pattern) {
      const matches = matching(pattern);
      return ({ text, regexpTime }) => matches(text, regexpTime);
    },
  },
  { form: /status\s+([\d\s,-]+?)(?=\s+and\s|\s*$)/y, compile: compileStatus },
  { form: /([^\s=~]+)\s*~\s*(\/(?:\\.|[^\\/])+\/i?)/y, compile: (path, pattern) => valueAt(path, matching(pattern)) },
  { form: /([^\s=~]+)\s+exists/y, compile: (path) => valueAt(path, (value) => value !== '') },
  { form: /([^\s=~]+)\s*=\s*(.*?)(?=\s+and\s|\s*$)/sy, compile: (path, values) => valueAt(path, oneOf(values)) },
];
const AND = /\s+and\s+/y;

function readPart(read: (form: RegExp) => RegExpExecArray | null): Condition | undefined {
  for (const { form, compile } of CONDITION_FORMS) {
    const found = read(form);
    if (found) return compile(found[1]!, found[2]!);
  }
  return undefined;
}

/** Throws a {@link DefinitionError} for a text that is not a condition. */
export function compileCondition(condition: string): Condition {
  const text = condition.trim();
  const parts: Condition[] = [];
  let position = 0;
  const read = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = position;
    const found = pattern.exec(text);
    if (found) position = pattern.lastIndex;
    return found;
  };
  do {
    const part = readPart(read);
    if (!part)
      throw new DefinitionError(
        `“${text.slice(position)}” is not a condition; write for example: status 200 and result.code = 0`,
      );
    parts.push(part);
  } while (read(AND));
  if (position < text.length) throw new DefinitionError(`“${text.slice(position).trim()}” must start with and`);
  return (facts) => parts.every((matches) => matches(facts));
}
