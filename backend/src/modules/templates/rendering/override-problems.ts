/** What is wrong with an application's own text, line by line, in words for its author. */
import type { ChannelName } from '../../../providers/provider.js';
import { OVERRIDE_LENGTH } from '../../../platform/limits.js';
import { FILTERS, OverrideError, TAGS, variablesIn, type OverridePart, type OverrideText } from './override.js';

export interface OverrideProblem {
  readonly part: OverridePart;
  /** Counted from one; null where it is about the whole. */
  readonly line: number | null;
  /** A sentence that says what to do. */
  readonly message: string;
}

/** Liquid's own words, and ours. */
const WORDS: readonly (readonly [RegExp, (...found: string[]) => string])[] = [
  [/^undefined filter: (\w+)/, (name) => `There is no filter “${name}”. There are ${FILTERS.join(', ')}.`],
  [/^tag "((?:end\w+|else|elsif|when))" not found/, (name) => `“{% ${name} %}” belongs to nothing before it.`],
  [/^tag "(\w+)" not found/, (name) => `“{% ${name} %}” is not available. There are ${TAGS.join(', ')}.`],
  [/^output "/, () => 'A “{{” is not closed: write “}}” after the variable.'],
  [/^tag "/, () => 'A “{%” is not closed: write “%}” at its end.'],
  [/^tag \{%-? *(\w+).*not closed/s, (name) => `“{% ${name} %}” has no end: write “{% end${name} %}” after it.`],
  [/^invalid value expression/, () => 'A value is missing here: write the name of a variable.'],
  [/^expected variable name/, () => 'A name is missing here: write {% assign name = value %}.'],
];

function inWords(reason: string): string {
  for (const [pattern, words] of WORDS) {
    const found = pattern.exec(reason);
    if (found) return words(...found.slice(1));
  }
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
}

/** How many letters are to be changed to make one word of another. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_none, n) => n);
  for (const [i, letter] of [...from].entries()) {
    const next = [i + 1];
    for (let j = 0; j < to.length; j++)
      next.push(Math.min(row[j + 1]! + 1, next[j]! + 1, row[j]! + (letter === to[j] ? 0 : 1)));
    row = next;
  }
  return row[to.length]!;
}

/** The name that was probably meant; a longer word may be further off. */
function meant(name: string, known: readonly string[]): string | undefined {
  if (name.length > 40) return undefined;
  const near = known.map((one) => ({ one, far: distance(name.toLowerCase(), one.toLowerCase()) }));
  const [best] = near.sort((a, b) => a.far - b.far);
  return best && best.far <= Math.max(1, Math.floor(name.length / 3)) ? best.one : undefined;
}

function unknownVariable(name: string, known: readonly string[]): string {
  const near = meant(name, known);
  const advice = near ? `Did you mean “${near}”?` : `There are ${known.join(', ')}.`;
  return `This template has no variable “${name}”. ${advice}`;
}

function problemsOf(part: OverridePart, text: string, known: readonly string[]): OverrideProblem[] {
  if (text.trim() === '') return [{ part, line: null, message: `The ${part} is empty.` }];
  if (text.length > OVERRIDE_LENGTH) {
    const message = `The ${part} has ${text.length} characters; ${OVERRIDE_LENGTH} are allowed.`;
    return [{ part, line: null, message }];
  }
  try {
    return variablesIn(text, part)
      .filter(({ name }) => !known.includes(name))
      .map(({ name, line }) => ({ part, line, message: unknownVariable(name, known) }));
  } catch (error) {
    if (!(error instanceof OverrideError)) throw error;
    return [{ part, line: error.at?.line ?? null, message: inWords(error.at?.reason ?? error.message) }];
  }
}

/** Everything that keeps a text from being used; nothing where `checkOverride` would take it. */
export function overrideProblems(
  channel: ChannelName,
  { subject, text }: OverrideText,
  { known, needed }: { readonly known: readonly string[]; readonly needed: readonly string[] },
): OverrideProblem[] {
  const problems = [
    ...(channel === 'EMAIL' ? problemsOf('subject', subject ?? '', known) : []),
    ...problemsOf('text', text, known),
  ];
  if (problems.length > 0) return problems;
  const used = variablesIn(text, 'text').map(({ name }) => name);
  const missing = needed.filter((name) => !used.includes(name));
  return missing.map((name) => ({
    part: 'text',
    line: null,
    message: `The text does not say “${name}”: write {{ ${name} }} where it belongs.`,
  }));
}
