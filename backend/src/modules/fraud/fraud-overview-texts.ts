/** Texts about the fraud guard's state, for the Protection page and the command. */
import { countryName } from '../recipients/country.js';
import type { CountedRefusal, RuleName, Scope, ScopeRef } from './fraud.js';
import type { ConversionView, GuardPhase } from './fraud-overview.js';
import type { ScopeView } from './fraud-pauses.js';

/** `a`, `a and b`, `a, b and c` */
const LIST = new Intl.ListFormat('en-GB');
const numberText = (n: number): string => n.toLocaleString('en');

/** `38.5%`; `–` without recipients. */
export const shareText = (part: number, of: number): string =>
  of === 0 ? '–' : `${part === of ? 100 : Math.min(99.9, Math.round((1000 * part) / of) / 10)}%`;

export function placeName({ scope, key }: ScopeRef): string {
  if (scope === 'address') return 'One IP address';
  if (scope === 'prefix') return `Numbers that start with ${key}`;
  if (scope === 'country' || scope === 'solved') return countryName(key);
  if (scope === 'newCountries') return key === '' ? 'All new countries' : 'All served countries with few verifications';
  return scope === 'burst' ? 'All codes, for ten minutes' : 'The whole application';
}

/** `38.5% of 1,200`; for an allowed prefix, the reason why there is no count. */
export const conversionText = ({ sent, verified, state }: ConversionView): string =>
  sent === 0 && state === 'allowed' ? 'allowed, not counted' : `${shareText(verified, sent)} of ${numberText(sent)}`;

const countTexts = (count: number, one: string, many: string): string[] =>
  count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];

/** `2 prefixes and 1 country` */
function placesText(views: readonly ScopeView[]): string {
  const count = (...wanted: Scope[]) => views.filter(({ scope }) => wanted.includes(scope)).length;
  const parts = [
    ...countTexts(count('prefix'), 'prefix', 'prefixes'),
    ...countTexts(count('country', 'solved'), 'country', 'countries'),
    ...countTexts(count('address'), 'IP address', 'IP addresses'),
    ...(views.some(({ scope, key }) => scope === 'newCountries' && key === '') ? ['all new countries'] : []),
    ...(views.some(({ scope, key }) => scope === 'newCountries' && key !== '')
      ? ['all served countries with few verifications']
      : []),
    ...(count('burst') > 0 ? ['all codes'] : []),
  ];
  return LIST.format(parts);
}

const capitalized = (text: string): string => text[0]!.toUpperCase() + text.slice(1);
const isOrAre = (views: readonly ScopeView[]): string => (views.length === 1 && views[0]!.key !== '' ? 'is' : 'are');

export function stateText(scopes: readonly ScopeView[]): string {
  const paused = scopes.filter(({ state }) => state === 'paused');
  const challenged = scopes.filter(({ state }) => state === 'challenged');
  const needs = challenged.length === 1 && challenged[0]!.key !== '' ? 'needs' : 'need';
  const challenges = challenged.length > 0 ? ` ${capitalized(placesText(challenged))} ${needs} a challenge.` : '';
  if (paused.some(({ scope }) => scope === 'application')) return `The whole application is paused.${challenges}`;
  if (paused.length === 0) return challenges.trim() || 'Nothing is paused.';
  return `${capitalized(placesText(paused))} ${isOrAre(paused)} paused.${challenges}`;
}

const OPEN_ENDS: Readonly<Record<ScopeView['state'], string>> = {
  paused: 'until resumed',
  challenged: 'until the attack stops',
  allowed: 'forever',
};

/** Returns how long a state without an end lasts. */
export const openEndText = (state: ScopeView['state']): string => OPEN_ENDS[state];

/** `12 messages were refused today.`; "" if none was. */
export function refusedText(today: readonly CountedRefusal[]): string {
  const messages = today.reduce((sum, refusal) => sum + refusal.messages, 0);
  if (messages === 0) return '';
  return `${numberText(messages)} ${messages === 1 ? 'message was' : 'messages were'} refused today.`;
}

/** `24 hours`, `3 days` */
export const daysText = (days: number): string => (days === 1 ? '24 hours' : `${days} days`);

/** `Allowed for 24 hours`; without days, `Allowed forever`. */
export const allowedText = (days?: number): string =>
  days === undefined ? 'Allowed forever' : `Allowed for ${daysText(days)}`;

const REASONS: Readonly<Record<RuleName, string>> = {
  recipient: 'Codes in a row that were not entered',
  voice: 'Voice call to a country that is not served',
  prefix: 'Few codes entered for similar numbers',
  address: 'Few codes entered from one IP address',
  country: 'Few codes entered in a country',
  newCountries: 'Few codes entered in countries with few verifications',
  burst: 'Many codes within minutes',
  solved: 'Few codes entered after a challenge',
  notifications: 'Many messages to countries that are not served',
  person: 'Paused by a person',
};

export const ruleText = (rule: RuleName): string => REASONS[rule];

const PHASES: Readonly<Record<GuardPhase, string>> = {
  waiting: 'The guard starts counting when the first message that costs money is sent.',
  unknown:
    'No code of the last 14 days was entered or reported as entered, so the guard only limits messages to new countries. If your site checks codes itself, report the ones that were entered.',
  acting: 'All rules are active.',
};

export const phaseText = (phase: GuardPhase): string => PHASES[phase];
