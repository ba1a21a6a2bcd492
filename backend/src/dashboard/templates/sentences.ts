/**
 * Splits a text into sentences that people can edit without seeing its Liquid tags, and joins them again. Texts with
 * nested conditions, comparisons or other tags cannot be split.
 */
import { pluralForm } from '../../modules/templates/rendering/language.js';
import { MAX_OVERRIDE_LENGTH } from '../../modules/templates/rendering/override.js';
import type { OverrideKey } from '../../modules/templates/template.js';
import { LOCAL_VARIABLES } from '../../modules/templates/rendering/notification.js';
import { sampleFields } from './sample-fields.js';

export interface Sentence {
  /** Position in the text, whose parts alternate between texts and tags. */
  readonly part: number;
  readonly text: string;
  /** States when the sentence is sent. */
  readonly label: string;
}

export const sentenceField = ({ part }: Sentence): string => `sentence-${part}`;

/** `{{ amount | local }}` → `{{ amount }}`. In a sentence, dates and amounts are always in the language of the message. */
const withoutFilters = (text: string): string => text.replaceAll(' | local }}', ' }}');
const withFilters = (text: string): string =>
  text.replace(/\{\{ *(\w+) *\}\}/g, (output, name: string) =>
    LOCAL_VARIABLES.includes(name) ? `{{ ${name} | local }}` : output,
  );

const partsOf = (source: string): string[] => source.split(/(\{%[^]*?%\})/);

const lowerFirst = (text: string): string => text.replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase());

/** Returns the numbers that take a plural form, such as `2, 3, 4…` for `few` in Polish, or `0 or 1` for `one` in French. */
function numbersOf(form: string, language: string): string {
  const numbers = Array.from({ length: 120 }, (_none, number) => number);
  const found = numbers.filter((number) => pluralForm(language, number) === form);
  return found.length > 3 ? `${found.slice(0, 3).join(', ')}…` : found.join(' or ');
}

/** Follows the tags of a text, and returns the label of the sentence after each tag. */
function createTagReader({ template, language }: OverrideKey) {
  const fields = sampleFields(template);
  const nameOf = (variable: string): string => {
    const field = fields.find(({ name }) => name === variable);
    return field ? `the ${lowerFirst(field.label)}` : variable;
  };
  const namesOf = (condition: string): string =>
    condition.replace(/\w+/g, (word) => (word === 'and' || word === 'or' ? word : nameOf(word)));
  /** The name of the number that an open `case` tag compares, `if` in an open `if` tag, or empty. */
  let open = '';

  /** Returns undefined for a tag that cannot be hidden. */
  return function labelAfter(tag: string): string | undefined {
    const [, condition] = /^\{% if (\w+(?: (?:and|or) \w+)*) %\}$/.exec(tag) ?? [];
    const [, number] = /^\{% case (\w+) \| plural %\}$/.exec(tag) ?? [];
    const [, form] = /^\{% when "(\w+)" %\}$/.exec(tag) ?? [];
    if (open === '' && (condition ?? number) !== undefined) {
      open = number === undefined ? 'if' : nameOf(number);
      return condition === undefined
        ? ''
        : `If ${namesOf(condition)} ${condition.includes(' and ') ? 'are' : 'is'} known`;
    }
    if (open === '') return undefined;
    if (form !== undefined && open !== 'if') return `If ${open} is ${numbersOf(form, language)}`;
    if (tag === '{% else %}') return open === 'if' ? 'Otherwise' : `If ${open} is another number`;
    if (tag !== (open === 'if' ? '{% endif %}' : '{% endcase %}')) return undefined;
    open = '';
    return 'Always';
  };
}

/** Returns the sentences of a text; undefined if it cannot be split. */
export function sentencesOf(source: string, key: OverrideKey): readonly Sentence[] | undefined {
  if (source.length > MAX_OVERRIDE_LENGTH) return undefined;
  const parts = partsOf(source);
  if (parts.length === 1)
    return source.includes('{%') ? undefined : [{ part: 0, text: withoutFilters(source.trim()), label: 'Text' }];
  const labelAfter = createTagReader(key);
  const sentences: Sentence[] = [];
  let label = 'Always';
  for (const [part, text] of parts.entries()) {
    const isTag = part % 2 === 1;
    const next = isTag ? labelAfter(text) : label;
    if (next === undefined || (!isTag && text.includes('{%'))) return undefined;
    label = next;
    const isLast = part === parts.length - 1;
    // A sentence that was cleared can be written again. White space between tags is not a sentence.
    const isCleared = text === '' && !['', 'Always'].includes(label);
    if (isLast && label !== 'Always') return undefined;
    if (isTag || !(text.trim() !== '' || isCleared || isLast)) continue;
    const place = part === 0 ? 'At the start' : isLast ? `At the end${text.trim() === '' ? ' (optional)' : ''}` : label;
    sentences.push({ part, text: withoutFilters(text.trim()), label: place });
  }
  return sentences;
}

/** Returns the text with changed sentences. `changed` returns undefined for a sentence that stays the same. */
export function joinSentences(source: string, key: OverrideKey, changed: (sentence: Sentence) => string | undefined) {
  const sentences = sentencesOf(source, key);
  if (!sentences) return source;
  const parts = partsOf(source);
  const gap = source.includes('\n') ? '\n' : ' ';
  for (const sentence of sentences) {
    const { part, text, label } = sentence;
    const after = changed(sentence)?.trim() ?? text;
    const before = parts[part]!;
    if (after === text) continue;
    const isWritten = text === '' && parts.length > 1;
    const lead = isWritten ? gap : before.slice(0, before.length - before.trimStart().length);
    const end = isWritten ? '' : before.slice(before.trimEnd().length);
    // The line breaks around an empty sentence separate other sentences, unless a condition leaves them out.
    const empty = !/^(?:If|Otherwise)/.test(label) && gap === '\n' ? '\n' : '';
    parts[part] = after === '' ? empty : `${lead}${withFilters(after)}${end}`;
  }
  return parts.join('');
}
