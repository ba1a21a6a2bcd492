/**
 * Makes results safe for language models. Names, reasons and replies of vendors are untrusted texts. They may contain
 * instructions for the model (prompt injection), also in characters that people do not see.
 */

/** Control, format and private-use characters and variation selectors, which hide texts from people but not from models. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\u{fe00}-\u{fe0f}\u{e0100}-\u{e01ef}]+/gu;
const MAX_TEXT_LENGTH = 500;
const MAX_ITEMS = 200;

function safeText(text: string): string {
  const visible = text
    .slice(0, 2 * MAX_TEXT_LENGTH)
    .replace(INVISIBLE, ' ')
    .trim();
  return visible.length > MAX_TEXT_LENGTH ? `${visible.slice(0, MAX_TEXT_LENGTH - 1)}…` : visible;
}

/** Returns a copy with bounded texts and lists. `usageLeftOut: 20` says how many items of `usage` are left out. */
export function safeData(value: unknown): unknown {
  if (typeof value === 'string') return safeText(value);
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map(safeData);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).flatMap(([name, child]: [string, unknown]) => {
    const isCut = Array.isArray(child) && child.length > MAX_ITEMS;
    return [[name, safeData(child)], ...(isCut ? [[`${name}LeftOut`, child.length - MAX_ITEMS]] : [])];
  });
  return Object.fromEntries(entries) as unknown;
}
