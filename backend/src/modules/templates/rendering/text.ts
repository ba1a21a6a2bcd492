/**
 * Reduces text to one line, without control characters and directional overrides. Use it for text by a template's
 * author; it keeps the isolates that {@link isolated} adds.
 */
export const trustedLine = (text: string): string =>
  text
    .replace(/[\u202a-\u202e]/g, '')
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim();

/**
 * Same as {@link trustedLine}, but also removes invisible characters that change direction. Use it for values from
 * anyone else.
 */
export const untrustedLine = (value: string): string => trustedLine(value.replace(/[\u200e\u200f\u2066-\u2069]/g, ''));

/** Isolates a value from surrounding text that runs in the other direction. */
export const isolated = (value: string): string => `\u2068${value}\u2069`;

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export const escapeHtml = (value: string): string => value.replace(/[&<>"']/g, (character) => ENTITIES[character]!);
