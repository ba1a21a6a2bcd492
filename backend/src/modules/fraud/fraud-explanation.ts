/**
 * Explains in one sentence why a message is refused or a scope is paused, for the dashboard, the emails and the
 * command.
 */
import { DAY, HOUR, MINUTE, secondsUntil } from '../../platform/clock.js';
import type { Evidence, Refusal, RuleName, ScopeRef } from './fraud.js';
import { countryInSentence } from './fraud-place.js';

/** The wait, in milliseconds, that `retryAfterSeconds` states for pauses that only a person can end. */
const OPEN_ENDED_RETRY_MS = DAY;

/** Describes recipients, such as `recipients in Germany`. */
export function recipientsOf({ scope, key }: ScopeRef): string {
  if (scope === 'prefix') return `recipients whose numbers start with ${key}`;
  if (scope === 'address') return 'recipients of codes requested from one IP address';
  if (scope === 'newCountries')
    return key === '' ? 'recipients in new countries' : 'recipients in served countries with few verifications';
  if (scope === 'country' || scope === 'solved')
    return key === '' ? 'recipients whose numbers have no country' : `recipients in ${countryInSentence(key)}`;
  return scope === 'application' ? 'all recipients' : 'recipients';
}

function durationOf(ms: number): string {
  const [unit, length] = ms < 2 * HOUR ? (['minute', MINUTE] as const) : (['hour', HOUR] as const);
  const count = Math.max(1, Math.round(ms / length));
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

function evidenceText({ from, sent, verified, expected = 0 }: Evidence, ref: ScopeRef, at: number): string {
  const usual = Math.round(sent * (1 - expected));
  return `In ${durationOf(at - from)}, ${sent - verified} of ${sent} ${recipientsOf(ref)} did not enter their code; up to ${usual} would be normal.`;
}

/** Returns the explanation of a pause or challenge. `at` is its start. */
export function explain(
  { rule, evidence, ...ref }: ScopeRef & { readonly rule: RuleName; readonly evidence: Evidence },
  at: number,
): string {
  return rule === 'person' ? `A person paused messages to ${recipientsOf(ref)}.` : evidenceText(evidence, ref, at);
}

/** Returns the whole seconds until the refusal ends; one day for a pause that only a person can end. */
export const retryAfterSeconds = ({ until }: Pick<Refusal, 'until'>, now: number): number =>
  secondsUntil(until ?? now + OPEN_ENDED_RETRY_MS, now);

const OTHER_CHANNEL = 'Offer the person another channel, such as email.';

const HINTS: Readonly<Record<RuleName, string>> = {
  recipient: `This recipient has not entered several codes in a row. ${OTHER_CHANNEL}`,
  voice:
    'Voice calls are sent only to countries that you serve, or in which many people were verified. Use another channel, or add the country on the Protection page.',
  prefix: `Unusually few recipients with similar numbers enter their codes. ${OTHER_CHANNEL}`,
  address: `Unusually few codes requested from this clientIp are entered. ${OTHER_CHANNEL}`,
  country: `Unusually few recipients in this country enter their codes. ${OTHER_CHANNEL}`,
  newCountries:
    'Unusually few recipients in countries with few verifications enter their codes. If you serve this country and have not listed it, add it to the countries that you serve, on the Protection page.',
  burst: `Unusually many codes were requested within minutes, and hardly any were entered. ${OTHER_CHANNEL}`,
  solved: `Unusually few people in this country enter their codes after they have solved a challenge. ${OTHER_CHANNEL}`,
  notifications:
    'Messages to people who have not entered a code are limited in countries that you do not serve. If you serve this country, add it to the countries that you serve, on the Protection page.',
  person: 'A person paused these messages. Offer the recipient another channel, such as email.',
};

/** Returns a hint that explains the refusal to the API caller and suggests what to do. */
export const hintOf = ({ rule }: Pick<Refusal, 'rule'>): string => HINTS[rule];
