/** What templates need to keep variables inert. */

/** One line without control characters, for what we or the author of a text wrote. */
export const flat = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();

/** One line also without invisible direction-changing characters, for values that anybody may have written. */
export const oneLine = (value: string): string => flat(value.replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, ''));

/** Keeps a value together within words that run the other way. */
export const isolated = (value: string): string => `\u2068${value}\u2069`;

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export function escapeHtml(value: string): string {
  return value.replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}
