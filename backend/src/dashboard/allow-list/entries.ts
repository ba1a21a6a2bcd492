/** Parses an allow-list with one entry per line. */
import { entryProblem, ENTRY_EXAMPLES } from '../../modules/applications/allow-list-entry.js';
import { FieldError } from '../form.js';

/** Maximum number of entries. The caller of every request is compared with all entries. */
export const MAX_ENTRIES = 200;

/** Maximum length of an entry. DNS names have at most 253 characters. */
export const ENTRY_LENGTH = 255;

const MAX_PROBLEMS = 5;

export const entriesText = (entries: readonly string[]): string => entries.join('\n');

const problemOf = (entry: string): string | undefined =>
  entry.length > ENTRY_LENGTH ? `is longer than ${ENTRY_LENGTH} characters.` : entryProblem(entry);

const moreProblems = (count: number): string =>
  count === 1 ? '1 more line has an error.' : `${count} more lines have errors.`;

/** Ignores empty lines and duplicates. Throws a {@link FieldError} that lists the invalid lines. */
export function readEntries(text: string): string[] {
  const lines = text.split('\n').map((line, index) => ({ number: index + 1, entry: line.trim() }));
  const filledLines = lines.filter(({ entry }) => entry !== '');
  const entries = [...new Set(filledLines.map(({ entry }) => entry))];
  if (entries.length > MAX_ENTRIES)
    throw new FieldError(
      `A list can have at most ${MAX_ENTRIES} entries, but this one has ${entries.length}. Use networks such as 203.0.113.0/24 and patterns such as *.shop.example instead.`,
    );
  const problems = filledLines.flatMap(({ number, entry }) => {
    const problem = problemOf(entry);
    return problem === undefined ? [] : [`Line ${number}: “${entry.slice(0, 80)}” ${problem}`];
  });
  if (problems.length > MAX_PROBLEMS)
    problems.splice(MAX_PROBLEMS, Infinity, moreProblems(problems.length - MAX_PROBLEMS));
  if (problems.length > 0) throw new FieldError(problems.join('\n'));
  return entries;
}

export function withEntry(entries: readonly string[], text: string): string[] {
  const [entry, ...others] = readEntries(text);
  if (entry === undefined || others.length > 0) throw new FieldError(`Add one entry at a time. ${ENTRY_EXAMPLES}`);
  return readEntries(entriesText([...entries, entry]));
}
