/** Parses the allow-list of the form: one entry per line. */
import { entryProblem } from '../../modules/applications/allow-list.js';
import { FieldError } from '../form.js';

/** Bounded, because every request is compared with all entries. */
export const MAX_ENTRIES = 200;

/** The longest DNS name with scheme and port. */
const ENTRY_LENGTH = 255;

const MAX_PROBLEMS = 5;

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

/** Ignores empty lines and duplicates. Throws a {@link FieldError} that lists the invalid lines. */
export function readEntries(text: string): string[] {
  const lines = text.split('\n').map((line, index) => ({ number: index + 1, entry: line.trim() }));
  const given = lines.filter(({ entry }) => entry !== '');
  const problems = given.flatMap(({ number, entry }) => {
    const problem = problemOf(entry);
    return problem === undefined ? [] : [`Line ${number}: “${entry.slice(0, 80)}” ${problem}`];
  });
  if (problems.length > MAX_PROBLEMS)
    problems.splice(MAX_PROBLEMS, Infinity, `And ${problems.length - MAX_PROBLEMS} more lines like these.`);
  if (problems.length > 0) throw new FieldError(problems.join('\n'));
  const entries = [...new Set(given.map(({ entry }) => entry))];
  if (entries.length > MAX_ENTRIES)
    throw new FieldError(
      `A list holds at most ${MAX_ENTRIES} entries, and this one has ${entries.length}. List networks and *.hosts instead.`,
    );
  return entries;
}

export function withEntry(entries: readonly string[], text: string): string[] {
  const [entry, ...others] = readEntries(text);
  if (entry === undefined || others.length > 0) throw new FieldError(`One entry is added at a time. ${EXAMPLES}`);
  return readEntries(shownEntries([...entries, entry]));
}
