/** Texts about scopes, rules and the guard's state, for the dashboard, the emails, the API and the command. */
import { LIST } from '../../platform/list.js';
import { capitalized, uncapitalized } from '../../platform/capitalized.js';
import { DAY, HOUR, MINUTE, secondsUntil } from '../../platform/clock.js';
import { countryInSentence, countryName } from '../recipients/country.js';
import type { CountedRefusal, Evidence, Refusal, RuleName, ScopeRef } from './fraud.js';
import type { ConversionView, GuardPhase, LatelyView } from './fraud-overview.js';
import type { ScopeView } from './fraud-pauses.js';

/** The wait, in milliseconds, that `retryAfterSeconds` states for pauses that only a person can end. */
const OPEN_ENDED_RETRY_MS = DAY;

interface ScopeText {
  /** Such as `Germany`. */
  readonly name: string;
  /** Such as `recipients in Germany`. */
  readonly recipients: string;
  /** One and several scopes of this kind, such as `country` and `countries`. */
  readonly counted: readonly [one: string, many: string];
}

const recipientsIn = (country: string): string =>
  country === '' ? 'recipients whose numbers have no country' : `recipients in ${countryInSentence(country)}`;

const NEW_COUNTRIES = 'all new countries';
const SERVED_COUNTRIES = 'all served countries with few verifications';

function textOf({ scope, key }: ScopeRef): ScopeText {
  switch (scope) {
    case 'prefix':
      return {
        name: `Numbers that start with ${key}`,
        recipients: `recipients whose numbers start with ${key}`,
        counted: ['1 group of numbers', 'groups of numbers'],
      };
    case 'address':
      return {
        name: 'One IP address',
        recipients: 'recipients of codes requested from one IP address',
        counted: ['1 IP address', 'IP addresses'],
      };
    case 'solved':
      return {
        name: `${countryName(key)}, after a solved challenge`,
        recipients: `${recipientsIn(key)} who solved a challenge`,
        counted: ['1 country', 'countries'],
      };
    case 'country':
      return { name: countryName(key), recipients: recipientsIn(key), counted: ['1 country', 'countries'] };
    case 'newCountries': {
      const [text, recipients] =
        key === ''
          ? [NEW_COUNTRIES, 'recipients in new countries']
          : [SERVED_COUNTRIES, 'recipients in served countries with few verifications'];
      return { name: capitalized(text), recipients, counted: [text, text] };
    }
    case 'burst':
      return {
        name: 'All codes, for ten minutes',
        recipients: 'recipients of codes',
        counted: ['all codes', 'all codes'],
      };
    default:
      return {
        name: 'The whole application',
        recipients: 'all recipients',
        counted: ['the whole application', 'the whole application'],
      };
  }
}

export const placeName = (ref: ScopeRef): string => textOf(ref).name;
export const recipientsOf = (ref: ScopeRef): string => textOf(ref).recipients;

function durationOf(ms: number): string {
  const [unit, length] = ms < 2 * HOUR ? (['minute', MINUTE] as const) : (['hour', HOUR] as const);
  const count = Math.max(1, Math.round(ms / length));
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** Returns the explanation of a pause or challenge. `at` is its start, `isAgain` whether a pause follows an earlier one. */
export function explain(
  { rule, evidence, ...ref }: ScopeRef & { readonly rule: RuleName; readonly evidence: Evidence },
  at: number,
  isAgain = false,
): string {
  if (rule === 'person') return `Messages to ${recipientsOf(ref)} were paused manually.`;
  const { from, sent, verified, expected = 0 } = evidence;
  const normal = Math.round(sent * (1 - expected));
  return `In ${durationOf(at - from)}, ${sent - verified} of ${sent} ${recipientsOf(ref)} did not enter their code; up to ${normal} would be normal.${isAgain ? ' Soon after a pause, a smaller number is enough for the next pause.' : ''}`;
}

/** Returns the whole seconds until the refusal ends; one day for a pause that only a person can end. */
export const retryAfterSeconds = ({ until }: Pick<Refusal, 'until'>, now: number): number =>
  secondsUntil(until ?? now + OPEN_ENDED_RETRY_MS, now);

const OTHER_CHANNEL = 'Offer the person another channel, such as email.';

/** The reason of each rule for the owners, also `short` for tables, and the hint for the API caller. */
const RULES: Readonly<Record<RuleName, { readonly reason: string; readonly short?: string; readonly hint: string }>> = {
  recipient: {
    reason: 'Several codes in a row were not entered',
    hint: `This recipient has not entered several codes in a row. ${OTHER_CHANNEL}`,
  },
  voice: {
    reason: 'Voice calls to countries that you do not serve are limited',
    short: 'Voice calls limited: country not served',
    hint: 'People who have not entered a code get voice calls only in countries that you serve, or in which many people were verified. Use another channel, or add the country on the Protection page.',
  },
  prefix: {
    reason: 'Too few codes were entered for similar numbers',
    short: 'Too few codes entered for similar numbers',
    hint: `Unusually few recipients with similar numbers enter their codes. ${OTHER_CHANNEL}`,
  },
  address: {
    reason: 'Too few codes requested from one IP address were entered',
    short: 'Too few codes entered for one IP address',
    hint: `Unusually few codes requested from this clientIp are entered. ${OTHER_CHANNEL}`,
  },
  country: {
    reason: 'Too few codes were entered in this country',
    short: 'Too few codes entered in this country',
    hint: `Unusually few recipients in this country enter their codes. ${OTHER_CHANNEL}`,
  },
  newCountries: {
    reason: 'Too few codes were entered in countries with few verifications',
    short: 'Too few codes entered in new countries',
    hint: 'Unusually few recipients in countries with few verifications enter their codes. If you serve this country and have not listed it, add it to the countries that you serve, on the Protection page.',
  },
  burst: {
    reason: 'Too many codes were requested within minutes',
    hint: `Unusually many codes were requested within minutes, and hardly any were entered. ${OTHER_CHANNEL}`,
  },
  solved: {
    reason: 'Too few codes were entered after a challenge',
    hint: `Unusually few people in this country enter their codes after they have solved a challenge. ${OTHER_CHANNEL}`,
  },
  notifications: {
    reason: 'Too many messages were sent to countries that you do not serve',
    short: 'Too many messages: country not served',
    hint: 'Messages to people who have not entered a code are limited in countries that you do not serve. If you serve this country, add it to the countries that you serve, on the Protection page.',
  },
  person: {
    reason: 'These messages were paused manually',
    hint: 'A person paused these messages. Offer the recipient another channel, such as email.',
  },
};

/** Whether bursts, similar numbers and IP addresses can be paused although the scopes are allowed. */
export const isPartlyAllowed = (refs: readonly ScopeRef[]): boolean =>
  refs.some(({ scope }) => scope !== 'prefix') && refs.every(({ scope }) => scope !== 'application');

export const allowEffect = (ref: ScopeRef): string =>
  `Messages are sent even if few codes are entered. ${isPartlyAllowed([ref]) ? 'Bursts of codes, similar numbers and single IP addresses can still be paused, and daily' : 'Daily'} budgets still apply.`;

/** The question before a refused country is added to the served countries. */
export const serveQuestion = (country: string): string =>
  `Do you serve ${countryInSentence(country)}? Messages to this country may be fraud. Passbell will allow more messages and voice calls to this country until you remove it under Settings → Countries.`;

export const isRule = (name: string): name is RuleName => Object.hasOwn(RULES, name);
export const ruleText = (rule: RuleName): string => RULES[rule].reason;
/** Returns a hint that explains the refusal to the API caller and suggests what to do. */
export const hintOf = ({ rule }: Pick<Refusal, 'rule'>): string => RULES[rule].hint;

/** Returns the rule of a refused message from its stored hint; undefined for hints of earlier versions. */
export const ruleOfHint = (hint: string | undefined): RuleName | undefined =>
  (Object.keys(RULES) as RuleName[]).find((rule) => RULES[rule].hint === hint);

/** Whether a stored hint belongs to a refusal by a manual pause. */
export const isManualHint = (hint: string | undefined): boolean => ruleOfHint(hint) === 'person';

/** Rules that limit the messages to a country, however many codes are entered. */
const LIMITING_RULES: readonly (RuleName | undefined)[] = ['voice', 'notifications'];

/** Whether a stored hint belongs to a refusal because the messages looked like fraud. */
export const isSuspicionHint = (hint: string | undefined): boolean =>
  !isManualHint(hint) && !LIMITING_RULES.includes(ruleOfHint(hint));

/** Whether a stored hint belongs to a pause of messages to several recipients. */
export const isPauseHint = (hint: string | undefined): boolean => {
  const rule = ruleOfHint(hint);
  return rule !== undefined && rule !== 'recipient' && !LIMITING_RULES.includes(rule);
};

/** Returns the reason why the guard refused a message: `too few codes were entered in this country`. `isShort`: for a table. */
export function refusedBecause(hint: string | undefined, isShort = false): string {
  const rule = ruleOfHint(hint);
  if (rule === undefined) return 'the message looked like fraud';
  const { reason, short = reason } = RULES[rule];
  return uncapitalized(isShort ? short : reason);
}

/** Rules that allow messages to a country once it is added to the served countries. */
const RULES_FOR_NEW_COUNTRIES: readonly (RuleName | undefined)[] = ['newCountries', 'notifications', 'voice'];

export const isSentWhenServed = (rule: RuleName): boolean => RULES_FOR_NEW_COUNTRIES.includes(rule);
/** Like {@link isSentWhenServed}, for a refused message. */
export const isHintForServing = (hint: string | undefined): boolean =>
  RULES_FOR_NEW_COUNTRIES.includes(ruleOfHint(hint));

const numberText = (n: number): string => n.toLocaleString('en');

/** `38.5%`; `–` without recipients. */
export const shareText = (part: number, of: number): string =>
  of === 0 ? '–' : `${part === of ? 100 : Math.min(99.9, Math.round((1000 * part) / of) / 10)}%`;

/** More countries are counted, not named. */
export const NAMED_COUNTRIES = 3;

/** `Brazil and 2 groups of numbers` */
function placesText(views: readonly ScopeView[]): string {
  const countries = views.filter(({ scope, key }) => scope === 'country' && key !== '');
  const named = countries.length > NAMED_COUNTRIES ? [] : countries;
  const texts = views.filter((view) => !named.includes(view)).map(textOf);
  const kinds = new Map(texts.map(({ counted: [one, many] }) => [many, one]));
  const parts = [...kinds].map(([many, one]) => {
    const count = texts.filter(({ counted }) => counted[1] === many).length;
    return count === 1 || one === many ? one : `${count} ${many}`;
  });
  return LIST.format([...named.map(({ key }) => countryInSentence(key)), ...parts]);
}

const isOrAre = ([first, ...others]: readonly ScopeView[]): string =>
  others.length > 0 || first!.scope === 'newCountries' || first!.scope === 'burst' ? 'are' : 'is';

/** ` Brazil is paused.` */
const placesAre = (views: readonly ScopeView[], what: string): string =>
  views.length === 0 ? '' : ` ${capitalized(placesText(views))} ${isOrAre(views)} ${what}.`;

type TimeOf = (ms: number) => string;

/** ` until 03:00 today`; "" if the scopes end at different times. `openEnd`: the end if only a person can cause it. */
function untilText(views: readonly ScopeView[], openEnd: string, timeOf: TimeOf): string {
  const ends = new Set(views.map(({ until }) => (until === undefined ? openEnd : ` until ${timeOf(until)}`)));
  return ends.size === 1 ? [...ends][0]! : '';
}

/** `timeOf`: adds until when the scopes are paused, and whether a rule paused them. */
export function stateText(scopes: readonly ScopeView[], timeOf?: TimeOf): string {
  const until = (views: readonly ScopeView[]) =>
    timeOf ? untilText(views, ' until an owner chooses “Resume”', timeOf) : '';
  const paused = scopes.filter(({ state }) => state === 'paused');
  const challenged = scopes.filter(({ state }) => state === 'challenged');
  const challenges = challenged.length > 0 ? ` A challenge is needed for ${placesText(challenged)}.` : '';
  const all = paused.filter(({ scope }) => scope === 'application');
  if (all.length > 0) return `The whole application is paused${until(all)}.${challenges}`;
  const byGuard = paused.filter(({ rule }) => rule !== 'person');
  const byPerson = paused.filter(({ rule }) => rule === 'person');
  const texts = [
    placesAre(byGuard, `paused${timeOf ? ' automatically' : ''}${until(byGuard)}`),
    placesAre(byPerson, `paused manually${until(byPerson)}`),
  ];
  return `${texts.join('')}${challenges}`.trim() || 'Nothing is paused.';
}

export const OPEN_ENDED = 'The pause lasts until an owner chooses “Resume”.';
export const allowedEffect = (refs: readonly ScopeRef[]): string =>
  `messages are not paused if too few codes are entered${isPartlyAllowed(refs) ? ', but bursts of codes, similar numbers and single IP addresses can still be paused' : ''}`;

/** `Germany is allowed until 03:00 today`; "" without exceptions. */
export function allowedPlaces(scopes: readonly ScopeView[], timeOf: TimeOf): string {
  const all = scopes.filter(({ state }) => state === 'allowed');
  const whole = all.filter(({ scope }) => scope === 'application');
  const allowed = whole.length > 0 ? whole : all;
  return placesAre(allowed, `allowed${untilText(allowed, ' forever', timeOf)}`).slice(1, -1);
}

/** `42 of 1,200` */
export const countsText = ({ sent, verified }: ConversionView): string =>
  `${numberText(verified)} of ${numberText(sent)}`;

/** `a, b and c`; `a, b and c, among others` if there are more. `end` follows the addition: a comma within a sentence. */
export const listOf = (texts: readonly string[], count: number, end = ''): string =>
  `${LIST.format(texts)}${count > texts.length ? `, among others${end}` : ''}`;

/** `in France`, after `codes were entered` */
export const enteredPlace = (country: string): string =>
  country === '' ? 'for numbers without a country' : inPlace(country);

/** `0 of 23 codes were entered in France and 1 of 30 in Brazil` */
export function unusualPlaces(unusual: readonly LatelyView[]): string {
  const places = unusual
    .slice(0, NAMED_COUNTRIES)
    .map((view, n) => `${countsText(view)} ${n === 0 ? 'codes were entered ' : ''}${enteredPlace(view.key)}`);
  return listOf(places, unusual.length);
}

export const unusualText = (unusual: readonly LatelyView[]): string =>
  unusual.length === 0 ? '' : `Unusual since yesterday: ${unusualPlaces(unusual)}.`;

export const inPlace = (country: string): string =>
  country === '' ? 'without a country' : `in ${countryInSentence(country)}`;

/** `24 messages to 20 numbers in Cuba and 4 in France were refused today.`; "" if none was. */
export function refusedText(today: readonly CountedRefusal[]): string {
  const messages = today.reduce((sum, refusal) => sum + refusal.messages, 0);
  if (messages === 0) return '';
  const people = new Map<string, number>();
  for (const one of today) people.set(one.country, (people.get(one.country) ?? 0) + one.people);
  const places = [...people].sort(([, a], [, b]) => b - a).slice(0, NAMED_COUNTRIES);
  const texts = places.map(([country, count], n) => {
    const noun = count === 1 ? 'number ' : 'numbers ';
    return `${numberText(count)} ${n === 0 ? noun : ''}${inPlace(country)}`;
  });
  const [noun, were] = messages === 1 ? ['message', 'was'] : ['messages', 'were'];
  return `${numberText(messages)} ${noun} to ${listOf(texts, people.size, ',')} ${were} refused today.`;
}

/** `24 hours`, `3 days` */
export const daysText = (days: number): string => (days === 1 ? '24 hours' : `${days} days`);

/** `Allowed for 24 hours`; without days, `Allowed forever`. */
export const allowedText = (days?: number): string =>
  days === undefined ? 'Allowed forever' : `Allowed for ${daysText(days)}`;

const PHASES: Readonly<Record<GuardPhase, string>> = {
  waiting: 'Protection starts counting when the first code that costs money is sent.',
  unknown:
    'Hardly any codes from the last 14 days were entered or reported as entered, so Passbell only limits messages to new countries.',
  acting: 'All rules are active.',
};

export const phaseText = (phase: GuardPhase): string => PHASES[phase];
