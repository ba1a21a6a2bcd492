/** Texts about the fraud guard's state, for the Protection page and the command. */
import { countryName } from '../recipients/country.js';
import type { RuleName, Scope } from './fraud.js';
import type { ConversionView, FraudOverview } from './fraud-overview.js';
import type { ScopeView } from './fraud-pauses.js';

/** `a`, `a and b`, `a, b and c` */
const LIST = new Intl.ListFormat('en-GB');
const numberText = (n: number): string => n.toLocaleString('en');

/** `38.5%`; `–` without recipients. */
export const shareText = (part: number, of: number): string =>
  of === 0 ? '–' : `${part === of ? 100 : Math.min(99.9, Math.round((1000 * part) / of) / 10)}%`;

/**
 * For fraud rules R2 and R4, the scope `application` contains only new countries; for pauses by a person, it contains
 * all recipients.
 */
export function placeName({ scope, key, rule }: { scope: Scope; key: string; rule: RuleName }): string {
  if (scope === 'source') return "End users' addresses";
  if (scope === 'prefix') return `Numbers that start with ${key}`;
  if (scope === 'country') return countryName(key);
  return rule === 'R2' || rule === 'R4' ? 'All new countries' : 'The whole application';
}

/** `38.5% of 1,200`; for an allowed prefix, the reason why there is no count. */
export const conversionText = ({ sent, verified, state }: ConversionView): string =>
  sent === 0 && state === 'allowed' ? 'allowed, not counted' : `${shareText(verified, sent)} of ${numberText(sent)}`;

const countTexts = (count: number, one: string, many: string): string[] =>
  count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];

/** `2 prefixes and 1 country are paused` */
function pausesText(paused: readonly ScopeView[]): string {
  const count = (wanted: Scope) => paused.filter(({ scope }) => scope === wanted).length;
  if (paused.some(({ scope, rule }) => scope === 'application' && rule === 'person'))
    return 'The whole application is paused';
  const parts = [
    ...countTexts(count('prefix'), 'prefix', 'prefixes'),
    ...countTexts(count('country'), 'country', 'countries'),
    ...(count('application') > 0 ? ['all new countries'] : []),
  ];
  if (parts.length === 0) return 'Nothing is paused';
  const isOne = paused.length === 1 && count('application') === 0;
  const text = `${LIST.format(parts)} ${isOne ? 'is' : 'are'} paused`;
  return text[0]!.toUpperCase() + text.slice(1);
}

export function stateText(scopes: readonly ScopeView[], isStopped: boolean): string {
  const pauses = pausesText(scopes.filter(({ state }) => state === 'paused'));
  return isStopped ? `${pauses}, but today's cost limit has been reached.` : `${pauses}.`;
}

/** `24 hours`, `3 days` */
export const daysText = (days: number): string => (days === 1 ? '24 hours' : `${days} days`);

/** `Allowed for 24 hours`; without days, `Allowed forever`. */
export const allowedText = (days?: number): string =>
  days === undefined ? 'Allowed forever' : `Allowed for ${daysText(days)}`;

const REASONS: Readonly<Record<RuleName, string>> = {
  R2: 'too many recipients in new countries',
  R3: 'unusually few codes entered',
  R4: 'unusually few codes entered',
  R5: 'too few codes entered from one address',
  R6: 'daily cost limit reached',
  person: 'paused by a person',
};

/** `R3: unusually few codes entered` */
export const ruleText = (rule: RuleName): string => `${rule}: ${REASONS[rule]}`;

const PHASES = {
  waiting: 'The guard starts learning when the first message that costs money is sent.',
  unverified:
    'The rules about codes that nobody enters (R3 to R5) only record, because no code of this application has been verified or reported yet.',
  elsewhere:
    'The rules about codes that nobody enters (R3 to R5) are inactive, because codes are verified elsewhere and too few are reported.',
  acting:
    'The guard has learned how many people enter their codes. All rules are active, but slow attacks on the home country are only recorded.',
};

export function phaseText({ phase, daysLeft }: FraudOverview['observation']): string {
  if (phase !== 'observing') return PHASES[phase];
  return `The rules about codes that nobody enters (R3 to R5) only record for ${daysLeft === 1 ? '1 more day' : `${daysLeft} more days`}, while the guard learns how many people enter their codes.`;
}

/** `moneyText` formats ten-thousandths of the currency. */
export function spendText({ today, limit }: FraudOverview['spend'], moneyText: (units: number) => string): string {
  return limit === undefined
    ? `Messages have cost ${moneyText(today)} today (UTC). There is no limit.`
    : `Messages have cost ${moneyText(today)} today (UTC). The limit is ${moneyText(limit)}.`;
}
