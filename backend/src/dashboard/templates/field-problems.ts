/** Assigns the problems of a text to the fields in which people edit it. */
import { sentenceField, type Sentence } from './sentences.js';
import type { Rendering } from './text-page.js';

interface FieldProblem {
  readonly field: string;
  readonly message: string;
}

const countOf = (text: string, part: string): number => text.split(part).length - 1;

/** Returns the sentence with the variable that a problem names, or with an open brace; otherwise the first one. */
function sentenceWith(message: string, sentences: readonly Sentence[]): Sentence {
  const [, name] = /no variable “(\w+)”/.exec(message) ?? [];
  const hasProblem = ({ text }: Sentence) =>
    name === undefined ? countOf(text, '{{') !== countOf(text, '}}') : new RegExp(`\\b${name}\\b`).test(text);
  return sentences.find(hasProblem) ?? sentences[0]!;
}

/** `sentences`: undefined if the text is edited as a whole. */
export const fieldProblems = (
  problems: Rendering['problems'],
  sentences: readonly Sentence[] | undefined,
): readonly FieldProblem[] =>
  problems.map(({ part, line, message }) => {
    if (part === 'subject') return { field: part, message };
    if (sentences) return { field: sentenceField(sentenceWith(message, sentences)), message };
    return { field: part, message: line === null ? message : `Line ${line}: ${message}` };
  });
