/**
 * Reduces text to one line, without control characters and directional overrides. Keeps the direction isolates that
 * {@link isolated} adds. Use this function for text that the template's author wrote.
 */
export const trustedLine = (text: string): string =>
  text
    .replace(/[\u202a-\u202e]/g, '')
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim();

/**
 * Same as {@link trustedLine}, but also removes direction marks and isolates, which are invisible. Use this function
 * for text that anyone except the template's author wrote.
 */
export const untrustedLine = (value: string): string => trustedLine(value.replace(/[\u200e\u200f\u2066-\u2069]/g, ''));

/** Wraps a value in direction isolates, because the surrounding text may run in the other direction. */
export const isolated = (value: string): string => `\u2068${value}\u2069`;

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export const escapeHtml = (value: string): string => value.replace(/[&<>"']/g, (character) => ENTITIES[character]!);
