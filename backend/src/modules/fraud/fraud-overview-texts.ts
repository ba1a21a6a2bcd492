/** Sentences about what the fraud guard is doing, for the Protection page and the command. */
import type { RuleName, Scope } from './fraud.js';
import type { FraudOverview } from './fraud-overview.js';
import type { ScopeView } from './fraud-pauses.js';
import { MAX_WHAT_IF_MESSAGES, WHAT_IF_DAYS, type WhatIf } from './fraud-what-if.js';

const REGIONS = new Intl.DisplayNames('en', { type: 'region' });

export const countryName = (code: string): string => (code === '' ? 'No country' : (REGIONS.of(code) ?? code));

const numberText = (n: number): string => n.toLocaleString('en');

/** `38.5%`; `–` without recipients. */
export const shareText = (part: number, of: number): string =>
  of === 0 ? '–' : `${part === of ? 100 : Math.min(99.9, Math.round((1000 * part) / of) / 10)}%`;

/** R2 and R4 mean only new countries by the scope `application`; a person means all recipients. */
export function placeName({ scope, key, rule }: { scope: Scope; key: string; rule: RuleName }): string {
  if (scope === 'source') return "End users' addresses";
  if (scope === 'prefix') return `Numbers that start with ${key}`;
  if (scope === 'country') return countryName(key);
  return rule === 'R2' || rule === 'R4' ? 'All countries without a history' : 'The whole application';
}

const counted = (count: number, one: string, many: string): string[] =>
  count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];

/** `2 prefixes and 1 country are paused` */
function pausesText(paused: readonly ScopeView[]): string {
  const count = (wanted: Scope) => paused.filter(({ scope }) => scope === wanted).length;
  if (paused.some(({ scope, rule }) => scope === 'application' && rule === 'person'))
    return 'The whole application is paused';
  const parts = [
    ...counted(count('prefix'), 'prefix', 'prefixes'),
    ...counted(count('country'), 'country', 'countries'),
    ...(count('application') > 0 ? ['all countries without a history'] : []),
  ];
  if (parts.length === 0) return 'Nothing is paused';
  const isOne = paused.length === 1 && count('application') === 0;
  const text = `${parts.join(' and ')} ${isOne ? 'is' : 'are'} paused`;
  return text[0]!.toUpperCase() + text.slice(1);
}

export function stateText(scopes: readonly ScopeView[], isStopped: boolean): string {
  const pauses = pausesText(scopes.filter(({ state }) => state === 'paused'));
  return isStopped ? `${pauses}, but the limit of what today may cost is reached.` : `${pauses}.`;
}

const REASONS: Readonly<Record<RuleName, string>> = {
  R2: 'too many recipients of new countries',
  R3: 'unusually few codes entered',
  R4: 'unusually few codes entered',
  R5: 'too many recipients of one address',
  R6: 'the limit of the day',
  person: 'a pause by a person',
};

/** `R3: unusually few codes entered` */
export const ruleText = (rule: RuleName): string => `${rule}: ${REASONS[rule]}`;

const PHASES = {
  waiting: 'The guard starts to learn with the first message that costs money.',
  unverified: 'R3 to R5 only record, because no code of this application was ever entered here.',
  elsewhere: 'R3 to R5 do not judge, because codes are verified elsewhere and too few are reported.',
  acting: 'The guard has learned how many people enter their codes: all rules refuse.',
};

export function phaseText({ phase, daysLeft }: FraudOverview['observation']): string {
  if (phase !== 'observing') return PHASES[phase];
  return `R3 to R5 only record for ${daysLeft === 1 ? '1 more day' : `${daysLeft} more days`}, while the guard learns how many people enter their codes.`;
}

/** `moneyText` formats ten-thousandths of the currency. */
export function spendText({ today, limit }: FraudOverview['spend'], moneyText: (units: number) => string): string {
  return limit === undefined
    ? `Messages cost ${moneyText(today)} today. There is no limit.`
    : `Messages cost ${moneyText(today)} of ${moneyText(limit)} today (UTC).`;
}

/** `2026-03-01 12:30 UTC` */
const minuteText = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

export function whatIfText(whatIf: WhatIf, moneyText: (units: number) => string): string {
  const { messages, of, verified, cost, from, to, isPart } = whatIf;
  if (from === undefined || to === undefined)
    return `No message of the last ${WHAT_IF_DAYS} days cost money, so that nothing can be replayed.`;
  // Fewer days only if there are too many messages.
  const time = isPart ? `the messages from ${minuteText(from)} to ${minuteText(to)}` : `the last ${WHAT_IF_DAYS} days`;
  const refused = `With these settings, ${time} would have refused ${numberText(messages)} of ${numberText(of)} messages (${shareText(messages, of)})`;
  if (messages === 0) return `${refused}.`;
  return `${refused}, saving ${moneyText(cost)}, of which ${numberText(verified)} ${verified === 1 ? 'was' : 'were'} verified later (wrongly refused).`;
}

/** What the answer is based on. */
export const WHAT_IF_BASIS = [
  `The rules are applied to the paid messages of the last ${WHAT_IF_DAYS} days that were sent, at most the newest ${numberText(MAX_WHAT_IF_MESSAGES)} and for at most 20 seconds, as if the days of observation were over.`,
  'Messages that were refused are not stored and not counted. Pauses by people and the addresses of end users (R5) are left out.',
  'Codes older than a week count as verified if they were the first of their recipient. Verifications that were only reported are not known.',
].join(' ');
