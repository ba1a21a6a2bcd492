/** Ranks places by the words of a search, which can be a question: “Why did I not get my code?” */
import MiniSearch, { type SearchOptions } from 'minisearch';
import type { Place } from './places.js';

/** Words of questions that say nothing about the subject. */
const FILLER_WORDS = new Set(
  'a an and any are be can cannot change could did didn do does doesn don for from give has have how i if in is it many me month much my need no not of off on or please put s see send so t that the their them they this to too turn want was we what when where which why with you your'.split(
    ' ',
  ),
);

const SYNONYMS = new Map([
  ['get', 'received'],
  ['gets', 'received'],
  ['got', 'received'],
  ['who', 'audit'],
]);

const GROUP_BOOSTS: Readonly<Record<string, number>> = { Pages: 1.5, Documentation: 0.5 };

const MAX_RELATED = 5;
/** Longer texts cost processor time, and find nothing. */
const MAX_LENGTH = 100;

/** Removes endings, so that `refunding` finds `Refund started`. */
function stemOf(term: string): string {
  const word = term.toLowerCase();
  return word.length > 5 ? word.replace(/(?:ing|ed|s)$/, '') : word;
}

/** The typing errors that a word may contain, in relation to its length. */
const fuzzy = (term: string): number | false => (term.length > 4 ? 0.2 : false);

/** Returns the places that contain all words, then, for questions and texts without results, those with some of the words. */
export function rankPlaces(text: string, places: readonly Place[]): readonly Place[] {
  const query = text.slice(0, MAX_LENGTH).toLowerCase();
  const terms = query.match(/[\p{L}\p{N}]+/gu) ?? [];
  const onlyFillers = terms.every((term) => FILLER_WORDS.has(term));
  const index = new MiniSearch({
    fields: ['label', 'words', 'about'],
    processTerm: stemOf,
    searchOptions: {
      processTerm: (term) => (onlyFillers || !FILLER_WORDS.has(term) ? stemOf(SYNONYMS.get(term) ?? term) : null),
      prefix: true,
      boost: { label: 3, words: 2 },
      weights: { prefix: 0.6, fuzzy: 0.2 },
      // Pages matter more than parts of pages, and guides less.
      boostDocument: (id: number) => GROUP_BOOSTS[places[id]!.group] ?? 1,
    },
  });
  index.addAll(places.map(({ label, words, about }, id) => ({ id, label, words, about })));
  const search = (options: SearchOptions) => index.search(query, options).map(({ id }) => places[id as number]!);

  const all = search({ combineWith: 'AND' });
  if (all.length > 0 && !terms.some((term) => FILLER_WORDS.has(term))) return all;
  // A short part of an ID, such as `01`, would find every App Key that starts with it.
  const prefix = (term: string) => term.length > 3;
  const some = search({ combineWith: 'OR', fuzzy, prefix }).filter((place) => !all.includes(place));
  return [...all, ...some.slice(0, MAX_RELATED)];
}
