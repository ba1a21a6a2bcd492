/**
 * Explains in one sentence why a message is refused or a scope is paused, for the dashboard, the emails and the
 * command.
 */
import { DAY, HOUR, MINUTE, secondsUntil } from '../../platform/clock.js';
import { COST_SCALE } from '../usage/usage.js';
import type { Evidence, Refusal, Scope } from './fraud.js';
import { countryInSentence } from './fraud-place.js';

/** The wait, in milliseconds, that `retryAfterSeconds` states for pauses that only a person can end. */
const OPEN_ENDED_RETRY_MS = DAY;

type Describe = Readonly<Record<Scope, (key: string) => string>>;

/** Describes recipients, such as `recipients in Germany`. */
const RECIPIENTS: Describe = {
  source: (key) => `recipients of codes requested from the address ${key}`,
  prefix: (key) => `recipients whose numbers start with ${key}`,
  country: (key) =>
    key === '' ? 'recipients whose numbers have no country' : `recipients in ${countryInSentence(key)}`,
  application: () => 'recipients in new countries',
};

/** Describes where messages go, such as `Germany`. */
const DESTINATIONS: Describe = {
  source: (key) => `recipients of codes requested from the address ${key}`,
  prefix: (key) => `numbers that start with ${key}`,
  country: (key) => (key === '' ? 'numbers without a country' : countryInSentence(key)),
  application: () => 'all recipients',
};

function durationOf(ms: number): string {
  const [unit, length] = ms < 2 * HOUR ? (['minutes', MINUTE] as const) : (['hours', HOUR] as const);
  return `${Math.max(1, Math.round(ms / length))} ${unit}`;
}

function conversionText({ from, sent, verified, expected = 0 }: Evidence, recipients: string, at: number): string {
  const unverified = sent - verified;
  const usual = Math.round(sent * (1 - expected));
  return `In ${durationOf(at - from)}, ${unverified} of ${sent} ${recipients} did not enter their code; up to ${usual} would be normal.`;
}

/** Returns the explanation. `at` is the start of the refusal or pause. */
export function explain({ rule, scope, key, evidence }: Omit<Refusal, 'until'>, at: number): string {
  const { sent, verified, limit = 0, unit, spend = 0 } = evidence;
  const recipients = RECIPIENTS[scope](key);
  const destination = DESTINATIONS[scope](key);
  if (rule === 'person') return `A person paused messages to ${destination}.`;
  if (unit === 'voice') return `Voice calls to ${destination} are allowed only if the application lists the country.`;
  if (unit === 'spend')
    return `Messages have cost ${(spend / COST_SCALE).toFixed(2)} today; another one would exceed the limit of ${(limit / COST_SCALE).toFixed(2)}.`;
  if (unit === 'countries')
    return `In 24 hours, none of the codes requested from the address ${key} for ${limit} countries were entered.`;
  if (unit === 'recipients')
    return `In ${durationOf(at - evidence.from)}, ${sent - verified} of ${sent} ${recipients} did not enter their code; the limit is ${limit}.`;
  return conversionText(evidence, recipients, at);
}

/** Returns the whole seconds until the refusal ends; one day for a pause that only a person can end. */
export const retryAfterSeconds = ({ until }: Pick<Refusal, 'until'>, now: number): number =>
  secondsUntil(until ?? now + OPEN_ENDED_RETRY_MS, now);

const HINTS: Readonly<Record<Refusal['rule'], string>> = {
  R2: "Few people in this country have entered a code so far. If you serve it, list all countries that you serve in the application's settings.",
  R3: 'Unusually few recipients with similar numbers enter their codes. Offer the person another channel, such as email.',
  R4: 'Unusually few recipients in this country enter their codes. Offer the person another channel, such as email.',
  R5: 'Unusually few codes requested from this clientIp are entered. Offer the person another channel, such as email.',
  R6: 'The application has reached its daily cost limit. Recipients who were verified before can still get messages. Offer others another channel, such as email.',
  person: 'A person paused these messages. Offer the recipient another channel, such as email.',
};
const VOICE_HINT =
  "Voice calls go only to the sender's country and to the countries listed in the application's settings. Use another channel, or list the country.";

const BUDGET_HINT =
  'The application has used up its budget for today, which applies to all recipients. Raise the daily budget on the Protection page, or use email.';

/** Returns a hint that explains the refusal to the API caller and suggests what to do. */
export const hintOf = ({ rule, evidence }: Pick<Refusal, 'rule' | 'evidence'>): string =>
  evidence.unit === 'voice' ? VOICE_HINT : evidence.isBudget ? BUDGET_HINT : HINTS[rule];
