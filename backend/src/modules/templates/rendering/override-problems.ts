/** Explains to a text's author why the text cannot be used. */
import { closestMatch } from 'leven';
import type { ChannelName } from '../../../platform/contract/channels.js';
import { linesHaveControlCharacters } from '../../../platform/control-characters.js';
import { explainLiquidError } from '../../../platform/liquid.js';
import type { OverrideText } from '../template.js';
import type { OverridePart, TextRules } from './override.js';
import { MAX_OVERRIDE_LENGTH, OverrideError, findVariables, TEMPLATE_FILTERS } from './override.js';

export interface OverrideProblem {
  readonly part: OverridePart;
  /** Line number, starting at 1; null if the problem concerns the whole part. */
  readonly line: number | null;
  readonly message: string;
}

/** Returns the known name that the author probably meant. Up to a third of the letters may differ. */
function closestName(name: string, known: readonly string[]): string | undefined {
  const maxDistance = Math.max(1, Math.floor(name.length / 3));
  const lowerCase = known.map((candidate) => candidate.toLowerCase());
  const match = closestMatch(name.toLowerCase(), lowerCase, { maxDistance });
  return known.find((candidate) => candidate.toLowerCase() === match);
}

function unknownVariable(name: string, known: readonly string[]): string {
  const similar = closestName(name, known);
  const advice = similar ? `Did you mean “${similar}”?` : `Available variables: ${known.join(', ')}.`;
  return `This template has no variable “${name}”. ${advice}`;
}

/** Each further syntax error would parse the text once more. */
const MAX_SYNTAX_ERRORS = 10;
/** The rest of a block whose opening tag has an error. */
const DANGLING_TAG = /^tag "(?:end\w+|else|elsif|when)" not found/;

/** An output or a tag, or the opening braces of one that is not closed. */
const CONSTRUCT = /\{(?:\{[^{}]*\}\}|%[^{}]*%\}|[{%])/g;
const OPENING_LENGTH = 2;

/** Returns the construct with an error at this position. An earlier one that is not closed is the cause of later errors. */
const wrongConstruct = (text: string, position: number) =>
  [...text.matchAll(CONSTRUCT)].find(
    ({ index, 0: { length } }) => length === OPENING_LENGTH || index + length > position,
  );

/** Returns the variables of a text, and its syntax errors. Replaces what has an error by spaces, and parses the rest. */
function parseAll(part: OverridePart, text: string) {
  const problems = new Map<string, OverrideProblem>();
  let rest = text;
  for (let n = 0; n < MAX_SYNTAX_ERRORS; n++)
    try {
      return { problems: [...problems.values()], variables: findVariables(rest, part) };
    } catch (error) {
      if (!(error instanceof OverrideError)) throw error;
      const { position = 0, ...found } = error.syntaxError ?? { line: null, reason: error.message };
      const wrong = wrongConstruct(rest, position);
      const isOpen = wrong?.[0].length === OPENING_LENGTH;
      const line = isOpen ? rest.slice(0, wrong.index).split('\n').length : found.line;
      const reason = isOpen ? (wrong[0] === '{{' ? 'output "' : 'tag "') : found.reason;
      if (n === 0 || !DANGLING_TAG.test(reason))
        problems.set(`${line} ${reason}`, { part, line, message: explainLiquidError(reason, TEMPLATE_FILTERS) });
      if (!wrong) break;
      const end = wrong.index + wrong[0].length;
      rest = `${rest.slice(0, wrong.index)}${wrong[0].replace(/[^\n]/g, ' ')}${rest.slice(end)}`;
    }
  return { problems: [...problems.values()], variables: [] };
}

function problemsOf(part: OverridePart, text: string, known: readonly string[]): OverrideProblem[] {
  if (text.trim() === '') return [{ part, line: null, message: `The ${part} is empty.` }];
  if (text.length > MAX_OVERRIDE_LENGTH) {
    const message = `The ${part} has ${text.length.toLocaleString('en')} characters. Shorten it to at most ${MAX_OVERRIDE_LENGTH.toLocaleString('en')}.`;
    return [{ part, line: null, message }];
  }
  const line = text.split('\n').findIndex(linesHaveControlCharacters) + 1;
  if (line > 0) {
    const message = 'Remove control characters and characters that change the direction of text.';
    return [{ part, line, message }];
  }
  const { problems, variables } = parseAll(part, text);
  const unknown = variables.filter(({ name }) => !known.includes(name));
  return [
    ...problems,
    ...unknown.map(({ name, line }) => ({ part, line, message: unknownVariable(name, known) })),
  ].sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
}

/** Returns all problems with a text. The list is empty for a text that `checkOverride` accepts. */
export function overrideProblems(
  channel: ChannelName,
  { subject, text }: OverrideText,
  { known, needed }: TextRules,
): OverrideProblem[] {
  const problems = [
    ...(channel === 'EMAIL' ? problemsOf('subject', subject ?? '', known) : []),
    ...problemsOf('text', text, known),
  ];
  if (problems.length > 0) return problems;
  const used = findVariables(text, 'text').map(({ name }) => name);
  const missing = needed.filter((name) => !used.includes(name));
  return missing.map((name) => ({
    part: 'text',
    line: null,
    message: `The text must contain the variable “${name}”: add {{ ${name} }}.`,
  }));
}
