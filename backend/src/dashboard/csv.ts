/** Tables for spreadsheets (RFC 4180), in which no cell is a formula, whatever somebody had written into it. */

/** Tells spreadsheets that the text is UTF-8. */
export const CSV_START = '\uFEFF';

/** What a spreadsheet takes for the beginning of a formula, also in the wide forms of Chinese and Japanese keyboards. */
const FORMULA = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

/** In quotes, so that nothing in it ends it. */
const csvCell = (text: string): string => `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;

/** A row with its end. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(csvCell).join(',')}\r\n`;
