/** Reads settings that consist of lines, such as `Name: value` or `name = value`. */
import { DefinitionError } from './definition.js';

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** Reads a name and a value from each line. The value may contain the separator. */
function parseLines(text: string, separator: string, example: string): Record<string, string> {
  const entries = linesOf(text).map((line) => {
    const at = line.indexOf(separator);
    const name = line.slice(0, at).trim();
    if (at < 1 || name === '')
      throw new DefinitionError(`contains “${line}”. Enter one value per line, such as ${example}`);
    return [name, line.slice(at + separator.length).trim()] as const;
  });
  return Object.fromEntries(entries);
}

export const parseHeaders = (text: string): Record<string, string> => parseLines(text, ':', 'Accept: application/json');

export const parseFields = (text: string): Record<string, string> => parseLines(text, '=', 'to = {{ to }}');

/** Reads `otp = ID` from lines or from a list that is separated by commas. */
export const parseTemplateIds = (text: string): Record<string, string> =>
  parseLines(text.replaceAll(',', '\n'), '=', 'otp = 1107161234567890123');

/** Parses lines such as `delivered = DELIVRD, OK`. Returns the vendor's values by reported state. */
export function parseStates(text: string): Record<string, string[]> {
  const states = Object.entries(parseLines(text, '=', 'delivered = DELIVRD, OK'));
  const unknown = states.find(([state]) => !['sent', 'delivered', 'undelivered'].includes(state));
  if (unknown) throw new DefinitionError(`contains “${unknown[0]}”, which must be sent, delivered or undelivered`);
  return Object.fromEntries(states.map(([state, values]) => [state, values.split(',').map((value) => value.trim())]));
}

export const parseRules = linesOf;
