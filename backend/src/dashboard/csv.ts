/** CSV (RFC 4180) for spreadsheets, protected against formula injection. */

/** Byte order mark, which makes spreadsheets read the text as UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF';

/** Matches the characters that start a formula in spreadsheets, including their full-width forms. */
const FORMULA_START = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

const csvCell = (text: string): string => `"${(FORMULA_START.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;

export const csvLine = (cells: readonly string[]): string => `${cells.map(csvCell).join(',')}\r\n`;
