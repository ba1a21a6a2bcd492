/** Reads values from a JSON reply by path, such as `messages[0].status`. */
import { checkLength, DefinitionError } from './definition.js';

/** Returns the value as text; undefined if it is missing, a list or an object. */
export type ReadPath = (json: unknown) => string | undefined;

const KEY = /([^.[\]]+)|\[(\d{1,4})\]/y;

function keysOf(path: string): string[] {
  checkLength('path', path);
  const text = path.trim().replace(/^\$\.?/, '');
  const keys: string[] = [];
  let position = 0;
  while (position < text.length) {
    if (text[position] === '.' && position > 0) position++;
    KEY.lastIndex = position;
    const match = KEY.exec(text);
    if (!match) throw new DefinitionError(`contains “${path}”, which is not a path; write it like messages[0].id`);
    keys.push(match[1] ?? match[2]!);
    position = KEY.lastIndex;
  }
  return keys;
}

/** Returns the value at the path, of any type. `$` is the whole document. */
export function compileValue(path: string): (json: unknown) => unknown {
  const keys = keysOf(path);
  return (json) =>
    keys.reduce<unknown>(
      (value, key) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, key)
          ? (value as Record<string, unknown>)[key]
          : undefined,
      json,
    );
}

export function compilePath(path: string): ReadPath {
  const read = compileValue(path);
  return (json) => {
    const value = read(json);
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? String(value)
      : undefined;
  };
}
