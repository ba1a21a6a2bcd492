/**
 * Makes links in plain variables unclickable. Shops copy names and reasons from what their customers entered, and anyone
 * can order with someone else's number: `pay at https://evil.example` would arrive under the shop's sender.
 */
import { VARIABLES } from '../../platform/contract/generated/templates.js';
import { SPELLED_OUT_VARIABLES } from '../templates/rendering/notification.js';
import type { VariableName } from '../templates/template.js';

/** `updateMessage` is the shop's own text; the others are the shop's numbers, in which a dot has a meaning. */
const UNCHANGED: readonly VariableName[] = ['updateMessage', ...SPELLED_OUT_VARIABLES];

/** A full stop, as phones recognize it in an address. */
const DOT = '[.\\u3002]';
const INNER_DOT = new RegExp(`${DOT}(?=.)`, 'gu');
/** The last label of a domain. */
const LABEL = `${DOT}(?:xn--|\\p{L}{2})[^\\s/:?#.\\u3002]*`;
const IP_ADDRESS = `\\d(?:${DOT}\\d+){3}`;
const DOMAIN = new RegExp(`.${LABEL}|${IP_ADDRESS}`, 'iu');
const LINK = new RegExp(`//|^\\P{L}*www${DOT}|(?:${LABEL}|${IP_ADDRESS})${DOT}?(?:[/?#]|:\\d)`, 'iu');
/** Spaces end a word. A byte order mark does not, because it is invisible. */
const WORD = /[\S\uFEFF]+/g;

/**
 * Replaces look-alikes of dots and letters, and removes accents and invisible characters: an SMS may lose them, and phones
 * ignore some of them in addresses.
 */
const plainText = (word: string): string =>
  word
    .normalize('NFKC')
    .normalize('NFD')
    .replace(/[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .normalize('NFC');

/**
 * `https://evil.example/pay` → `https evil. example/pay`. An address without a path is only changed in the customer's name,
 * where `J.Smith` may become `J. Smith`.
 */
export function breakLinks(name: string, value: string): string {
  if (!Object.hasOwn(VARIABLES, name)) return value;
  const variable = name as VariableName;
  if (VARIABLES[variable].link || UNCHANGED.includes(variable)) return value;
  const isLink = (word: string) => LINK.test(word) || (variable === 'customerName' && DOMAIN.test(word));
  return value.replace(WORD, (word) => {
    const plain = plainText(word);
    return isLink(plain) ? plain.replace(/:?\/\//g, ' ').replace(INNER_DOT, (dot) => `${dot} `) : word;
  });
}
