/**
 * Makes links in plain variables unclickable. Shops copy names and reasons from what their customers entered, and anyone
 * can order with someone else's number: `pay at https://evil.example` would arrive under the shop's sender.
 */
import { VARIABLES } from '../../platform/contract/generated/templates.js';
import type { VariableName } from '../templates/template.js';

/** `updateMessage` is the shop's own text; the others are the shop's numbers, in which a dot has a meaning. */
const UNCHANGED: readonly VariableName[] = [
  'updateMessage',
  'orderId',
  'trackingNo',
  'refundId',
  'transactionId',
  'invoiceNumber',
];

/** A full stop, as phones recognize it in a domain. */
const DOT = '[.\\u3002\\uff0e\\uff61]';
const DOMAIN = new RegExp(`[\\p{L}\\p{N}]${DOT}(?:xn--|\\p{L}{2})[\\p{L}\\p{N}-]*`, 'iu');
const IP_ADDRESS = new RegExp(`\\d{1,3}(?:${DOT}\\d{1,3}){3}`, 'u');
const LINK = new RegExp(`://|^\\P{L}*www${DOT}|(?:${DOMAIN.source}|${IP_ADDRESS.source})[:/?#]`, 'iu');
const INNER_DOT = new RegExp(`${DOT}(?=.)`, 'gu');

/**
 * `https://evil.example/pay` → `https evil. example/pay`. A domain without a path is only changed in the customer's name,
 * where `J.Smith` may become `J. Smith`.
 */
export function breakLinks(name: string, value: string): string {
  if (!Object.hasOwn(VARIABLES, name)) return value;
  const variable = name as VariableName;
  if (VARIABLES[variable].link || UNCHANGED.includes(variable)) return value;
  const isLink = (word: string) => LINK.test(word) || (variable === 'customerName' && DOMAIN.test(word));
  return value.replace(/\S+/g, (word) =>
    isLink(word) ? word.replaceAll('://', ' ').replace(INNER_DOT, (dot) => `${dot} `) : word,
  );
}
