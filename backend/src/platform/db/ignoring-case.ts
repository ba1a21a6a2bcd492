import type { Knex } from 'knex';

/** Matches the text before the fourth letter. This prefix has at most eight case variants, and few rows share it. */
const PREFIX = /^(?:[^a-z]*[a-z]){0,3}[^a-z]*/i;
/** Sorts after every character of a stored ASCII text. */
const LAST_CHARACTER = '\u007f';

/** Returns all combinations of upper and lower case: `ab1` → `ab1`, `aB1`, `Ab1`, `AB1`. */
function caseVariantsOf(text: string): string[] {
  if (text === '') return [''];
  const rest = caseVariantsOf(text.slice(1));
  return [...new Set([text[0]!.toLowerCase(), text[0]!.toUpperCase()])].flatMap((first) =>
    rest.map((end) => first + end),
  );
}

/**
 * Returns the ids of the rows whose column `recipient` equals an ASCII text, ignoring case. Columns are compared byte by
 * byte, so each case variant of the first letters is looked up as a range in the column index.
 */
export async function idsOfRecipient(rows: () => Knex.QueryBuilder, text: string): Promise<string[]> {
  const ids: string[] = [];
  for (const prefix of caseVariantsOf(PREFIX.exec(text)![0])) {
    const range = rows().whereBetween('recipient', [prefix, prefix + LAST_CHARACTER]);
    ids.push(...(await range.whereRaw('lower(recipient) = ?', [text.toLowerCase()]).pluck('id')));
  }
  return ids;
}
