/** The list as people type it: an entry a line. */
import { ALLOW_LIST_ENTRIES } from '../../platform/limits.js';
import { entryProblem } from '../../modules/applications/allow-list.js';
import { FieldError } from '../form.js';

/** As long as DNS has a name, with scheme and port. */
const ENTRY_LENGTH = 255;

/** Problems that are told at a time. */
const TOLD = 5;

const EXAMPLES = 'Write it like https://shop.example, *.shop.example, 203.0.113.7 or 203.0.113.0/24.';

export const shownEntries = (entries: readonly string[]): string => entries.join('\n');

function problemOf(entry: string): string | undefined {
  if (entry.length > ENTRY_LENGTH) return `is longer than ${ENTRY_LENGTH} characters.`;
  if (entryProblem(entry) === undefined) return undefined;
  if (/[\s,;]/.test(entry)) return 'holds more than one entry. Put each on a line of its own.';
  if (/\/\d*$/.test(entry) && /^[\d.:a-f/]+$/i.test(entry))
    return 'is no network. The number behind the slash goes up to 32 for IPv4, and up to 128 for IPv6.';
  if (entry === '*') return 'would let everybody in. For that, leave the list empty.';
  return `is neither an origin, nor a host, an address or a network. ${EXAMPLES}`;
}

/** Reads the lines; blank ones are left out, and an entry that is there twice is taken once. */
export function readEntries(text: string): string[] {
  const lines = text.split('\n').map((line, index) => ({ number: index + 1, entry: line.trim() }));
  const given = lines.filter(({ entry }) => entry !== '');
  const problems = given.flatMap(({ number, entry }) => {
    const problem = problemOf(entry);
    return problem === undefined ? [] : [`Line ${number}: “${entry.slice(0, 80)}” ${problem}`];
  });
  if (problems.length > TOLD) problems.splice(TOLD, Infinity, `And ${problems.length - TOLD} more lines like these.`);
  if (problems.length > 0) throw new FieldError(problems.join('\n'));
  const entries = [...new Set(given.map(({ entry }) => entry))];
  if (entries.length > ALLOW_LIST_ENTRIES)
    throw new FieldError(
      `A list holds at most ${ALLOW_LIST_ENTRIES} entries, and this one has ${entries.length}. List networks and *.hosts instead.`,
    );
  return entries;
}

/** The list with one more entry. */
export function withEntry(entries: readonly string[], text: string): string[] {
  const [entry, ...others] = readEntries(text);
  if (entry === undefined || others.length > 0) throw new FieldError(`One entry is added at a time. ${EXAMPLES}`);
  return readEntries(shownEntries([...entries, entry]));
}
