/**
 * Characters that change how the surrounding text is displayed: control characters, such as those in terminal escape
 * sequences, and directional embeddings, overrides and isolates, which reorder text ("Trojan Source").
 */
const CONTROL_CHARACTERS = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** Line breaks and tabs, which multi-line texts may contain. */
const LAYOUT_CHARACTERS = /[\t\n\r]/g;

export const hasControlCharacters = (line: string): boolean => line.search(CONTROL_CHARACTERS) >= 0;

export const linesHaveControlCharacters = (text: string): boolean =>
  hasControlCharacters(text.replace(LAYOUT_CHARACTERS, ''));

/** Removes control characters except line feeds and tabs, for output on a terminal. */
export const printable = (text: string): string =>
  text.replace(CONTROL_CHARACTERS, (character) => (character === '\n' || character === '\t' ? character : ''));

/** Returns JSON on one line. Escapes all control characters; `JSON.stringify` escapes only some of them. */
export const printableJson = (value: unknown): string =>
  JSON.stringify(value).replace(
    CONTROL_CHARACTERS,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
