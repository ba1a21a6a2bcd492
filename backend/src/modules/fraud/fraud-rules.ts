/**
 * Fraud rules R0 and R2 to R4 (docs/fraud.md), which decide with R5 and R6 whether to refuse a message. Rules are pure
 * functions.
 */
import { DAY, HOUR, MINUTE } from '../../platform/clock.js';
import type {
  Bucket,
  Decision,
  Evidence,
  FraudCounts,
  FraudSend,
  GuardedApplication,
  Increment,
  Refusal,
  ScopeState,
  Trip,
  TripEffects,
} from './fraud.js';
import { bucketStart, prefixesOf, subtractUnverified } from './fraud-counters.js';
import {
  baselineOf,
  countryBaseline,
  refusalEndsAt,
  isConversionUnknown,
  lastDay,
  lastDayUnsettled,
  lastHour,
  settled,
  sumOf,
  suspiciousStretch,
  unverifiedOf,
} from './fraud-evidence.js';
import { isAllowed, isPaused, evidenceSince, levelOf, pause, stateOf } from './fraud-ladder.js';
import type { FraudSettings } from './fraud-settings.js';
import { markOf, sourceRefusal } from './fraud-source.js';
import { budgetRefusal, spendRefusal } from './fraud-spend.js';

/** A prefix with many unverified recipients in an hour is paused at once if its conversion is below this value. */
const OUTSTANDING_CONVERSION = 0.1;

/** Pausing all new countries requires this many times the unverified recipients of a single country. */
const NEW_COUNTRIES_FACTOR = 2;

export interface RuleInput {
  readonly send: FraudSend;
  readonly counts: FraudCounts;
  readonly application: GuardedApplication;
  readonly settings: FraudSettings;
  readonly now: number;
}

/** Returns whether the country is exempt from R2. */
export const isListed = (
  { homeCountry, countries }: Pick<GuardedApplication, 'homeCountry' | 'countries'>,
  country: string,
): boolean => country === homeCountry || countries.includes(country);

/**
 * Verifications of today do not count, and a country that is paused before it is established stays so until its level
 * has dropped to 0. Otherwise, attackers could establish a country with their own verifications.
 */
export function isEstablished({ send, counts, application, settings, now }: RuleInput): boolean {
  if (send.country === application.homeCountry) return true;
  const state = stateOf(application, 'country', send.country);
  if (state !== undefined && levelOf(state, now) > 0) return state.established;
  return sumOf(counts.country.days, 0, bucketStart('day', now)).verified >= settings.establishedVerifications;
}

/** Returns whether the message counts for all new countries together. Messages to allowed countries do not. */
const isCountedAsNew = (input: RuleInput): boolean =>
  !isEstablished(input) && !isAllowed(stateOf(input.application, 'country', input.send.country), input.now);

const usualConversion = (input: RuleInput): number => countryBaseline(input.counts, isEstablished(input), input.now);

/**
 * Fraud rule R0: returns whether the recipient was verified recently, so that the other rules do not apply. Budgets and
 * pauses by people do.
 */
export const isExempt = (
  { recipient }: Pick<FraudSend, 'recipient'>,
  { exemptDays }: FraudSettings,
  now: number,
): boolean => recipient?.verifiedAt !== undefined && recipient.verifiedAt > now - exemptDays * DAY;

/** Returns R2's refusal if at least `limit` recipients are unverified. `endOf` returns when a row leaves the window. */
function capRefusal(
  scope: Pick<Refusal, 'scope' | 'key'>,
  rows: readonly Bucket[],
  limit: number,
  endOf: (row: Bucket) => number,
): Refusal[] {
  const isReached = (some: readonly Bucket[]) => unverifiedOf(sumOf(some)) >= limit;
  if (limit === 0 || !isReached(rows)) return [];
  const evidence = { from: rows[0]!.start, ...sumOf(rows), limit, unit: 'recipients' } as const;
  return [{ rule: 'R2', ...scope, until: refusalEndsAt(rows, endOf, isReached), evidence }];
}

/** Returns when a row leaves the hourly window, which moves by minutes. */
const hourWindowEnd = ({ start }: Bucket): number => start + MINUTE + HOUR;
/** Returns when a row leaves the daily window, which moves by hours. */
const dayWindowEnd = ({ start }: Bucket): number => bucketStart('hour', start) + HOUR + DAY;

export const voiceRefusal = ({ country }: FraudSend, now: number): Refusal => ({
  rule: 'R2',
  scope: 'country',
  key: country,
  until: undefined,
  evidence: { from: now, sent: 0, verified: 0, unit: 'voice' },
});

/** Fraud rule R2: limits countries that are not listed and in which hardly any recipients were verified. */
function newCountryRefusal({ send, counts, application, settings, now }: RuleInput): Refusal | undefined {
  if (isListed(application, send.country)) return undefined;
  const { country, newCountries } = counts;
  const own = { scope: 'country', key: send.country } as const;
  if (send.voice) return voiceRefusal(send, now);
  if (sumOf(country.days).verified >= settings.newCountryVerifications) return undefined;
  const all = { scope: 'application', key: '' } as const;
  const reached = [
    ...capRefusal(own, lastDayUnsettled(country, now), settings.newCountryPerDay, dayWindowEnd),
    ...capRefusal(own, lastHour(country.minutes, now), settings.newCountryPerHour, hourWindowEnd),
    ...capRefusal(all, lastHour(newCountries.minutes, now), settings.newCountriesPerHour, hourWindowEnd),
  ];
  return lastEnding(reached);
}

/**
 * Returns the thresholds of a scope. After a recent pause, the thresholds are lower: half the recipients, and a less
 * improbable coincidence.
 */
function thresholdsFor(state: ScopeState | undefined, now: number, unverified: number, coincidence: number) {
  if (levelOf(state, now) === 0) return { unverified, coincidence };
  return { unverified: Math.ceil(unverified / 2), coincidence: coincidence ** 0.4 };
}

/** Fraud rule R3: checks the prefix of 10,000 numbers first, and then the prefix of 1,000,000 numbers. */
function prefixTrip(input: RuleInput): Trip | undefined {
  const { send, counts, application, settings, now } = input;
  if (settings.prefixUnverified === 0) return undefined;
  const expected = (usualConversion(input) * settings.prefixTolerance) / 100;
  for (const [i, key] of prefixesOf(send.number).entries()) {
    const rows = counts.prefixes[i]!;
    const state = stateOf(application, 'prefix', key);
    const since = evidenceSince(application, { scope: 'prefix', key }, now);
    const judged = thresholdsFor(state, now, settings.prefixUnverified, settings.prefixCoincidence);
    const evidence =
      suspiciousStretch(settled(rows, now, since), { ...judged, expected }) ??
      outstandingEvidence(lastHour(rows, now, since), settings.prefixOutstanding);
    if (evidence) return { rule: 'R3', scope: 'prefix', key, evidence, established: false };
  }
  return undefined;
}

function outstandingEvidence(rows: readonly Bucket[], limit: number) {
  const sums = sumOf(rows);
  if (limit === 0 || unverifiedOf(sums) < limit || sums.verified >= OUTSTANDING_CONVERSION * sums.sent)
    return undefined;
  return { from: rows[0]!.start, ...sums, expected: OUTSTANDING_CONVERSION };
}

/** Fraud rule R4: compares a country, and then all countries that are not established, with the usual conversion. */
function countryTrip(input: RuleInput): Trip | undefined {
  const { send, counts, settings, now } = input;
  if (settings.countryUnverified === 0) return undefined;
  const established = isEstablished(input);
  const own = countryEvidence(input, 'country', send.country, usualConversion(input));
  if (own) return { rule: 'R4', scope: 'country', key: send.country, evidence: own, established };
  if (established) return undefined;
  const evidence = countryEvidence(input, 'application', '', baselineOf(counts.applicationDays, now));
  return evidence && { rule: 'R4', scope: 'application', key: '', evidence, established };
}

function countryEvidence(
  input: RuleInput,
  scope: 'country' | 'application',
  key: string,
  usual: number,
): Evidence | undefined {
  const { counts, application, settings, now } = input;
  const state = stateOf(application, scope, key);
  const rows = lastDay(
    scope === 'country' ? counts.country : counts.newCountries,
    now,
    evidenceSince(application, { scope, key }, now),
  );
  // All new countries together require more evidence, so that a single country is paused first.
  const unverified = settings.countryUnverified * (scope === 'country' ? 1 : NEW_COUNTRIES_FACTOR);
  const judged = {
    ...thresholdsFor(state, now, unverified, settings.countryCoincidence),
    expected: (usual * settings.countryTolerance) / 100,
  };
  // Prefers a stretch that justifies a pause: a long slow attack must not hide a short fast attack.
  const large = suspiciousStretch(rows, judged, (evidence) => isLarge({ scope, key, evidence }, input));
  return large ?? suspiciousStretch(rows, judged);
}

/** Returns whether the fraud justifies a pause. In the home country, slow fraud is only recorded. */
function isLarge({ scope, key, evidence }: Pick<Trip, 'scope' | 'key' | 'evidence'>, input: RuleInput): boolean {
  if (scope !== 'country' || key !== input.application.homeCountry) return true;
  const excess = unverifiedOf(evidence) - evidence.sent * (1 - usualConversion(input));
  return (excess * HOUR) / (input.now - evidence.from) >= input.settings.homeExcess;
}

const refusalOf = ({ rule, scope, key, pausedUntil, evidence }: ScopeState): Refusal => ({
  rule,
  scope,
  key,
  evidence,
  until: pausedUntil,
});

/** Returns the (first) refusal that ends last. Refusals that only a person can end count as endless. */
function lastEnding(refusals: readonly Refusal[]): Refusal | undefined {
  const endOf = ({ until = Infinity }: Refusal) => until;
  return refusals.find((one) => refusals.every((other) => endOf(other) <= endOf(one)));
}

/** Returns the states of the send's scopes, from small to large. */
export function statesOf(input: RuleInput): ScopeState[] {
  const { send, application } = input;
  if (application.scopes.length === 0) return [];
  const states = [
    ...prefixesOf(send.number).map((prefix) => stateOf(application, 'prefix', prefix)),
    stateOf(application, 'country', send.country),
    stateOf(application, 'application', ''),
  ];
  return states.filter((state) => state !== undefined);
}

/** Checks R3, then R4. */
const tripOf = (input: RuleInput, countryAllowed: boolean): Trip | undefined =>
  prefixTrip(input) ?? (countryAllowed ? undefined : countryTrip(input));

const stateAfter = (trip: Trip, { application, now }: RuleInput): ScopeState =>
  pause(stateOf(application, trip.scope, trip.key), trip, now);

function effectsOf(trip: Trip, input: RuleInput): TripEffects {
  const since = evidenceSince(input.application, trip, input.now);
  const increments = subtractUnverified(trip, input.send, input.counts, { newCountry: isCountedAsNew(input), since });
  return { trip, state: stateAfter(trip, input), increments };
}

/** Returns the refusal that applies to everyone: a pause by a person, or an exceeded budget. */
export function refusalForEveryone({ send, counts, settings, now }: RuleInput, states: readonly ScopeState[]) {
  const byPerson = states.find((state) => isPaused(state, now) && state.rule === 'person');
  return byPerson ? refusalOf(byPerson) : budgetRefusal(send, counts.applicationDays, settings, now);
}

/**
 * Decides in this order: pauses by people, the budget, R0, R6, exceptions by people, R2, pauses by rules, R5, R3, R4. If
 * several paused scopes contain the recipient, the refusal names the scope whose pause ends last.
 */
export function decide(
  send: FraudSend,
  counts: FraudCounts,
  application: GuardedApplication,
  settings: FraudSettings,
  now: number,
): Decision {
  const input: RuleInput = { send, counts, application, settings, now };
  const established = isEstablished(input);
  const allow = (exempt = false, observed?: Refusal): Decision => ({
    allowed: true,
    exempt,
    newCountry: isCountedAsNew(input),
    observed,
  });
  const refuse = (refusal: Refusal, trip?: TripEffects, mark?: Increment): Decision => ({
    allowed: false,
    refusal,
    trip,
    mark,
  });

  const states = statesOf(input);
  const stop = refusalForEveryone(input, states);
  if (stop) return refuse(stop);
  if (isExempt(send, settings, now)) return allow(true);
  const paused = states.filter((state) => isPaused(state, now));
  const allowed = (scope: ScopeState['scope']) =>
    states.some((state) => state.scope === scope && isAllowed(state, now));
  const spend = spendRefusal(send, counts.applicationDays, application, settings, now);
  if (spend && !allowed('application')) return refuse(spend);
  if (allowed('prefix')) return allow(true);
  if (allowed('application')) return allow();
  const newCountry = allowed('country') ? undefined : newCountryRefusal(input);
  if (newCountry) return refuse(newCountry);
  const concerned = paused.filter(({ scope }) => scope !== 'application' || !(established || allowed('country')));
  const pause = lastEnding(concerned.map(refusalOf));
  if (pause) return refuse(pause);

  if (isConversionUnknown(application, counts.applicationDays, now)) return allow();
  const source = sourceRefusal(send, counts, usualConversion(input), settings, now);
  const trip = tripOf(input, allowed('country'));
  const observing = now < application.guardedSince + settings.observeDays * DAY || !application.everVerified;
  const refusal = source ?? (trip && refusalOf(stateAfter(trip, input)));
  if (observing || (!source && trip && !isLarge(trip, input))) return allow(false, refusal);
  if (!refusal) return allow();
  if (source) return refuse(source, undefined, markOf(source, counts, now));
  return refuse(refusal, trip && effectsOf(trip, input));
}
