/**
 * The measures for judging a send: the usual conversion of its country, the excesses of its scopes, and their limits. The
 * numbers that owners can change are in `fraud-settings.ts`.
 */
import { DAY, HOUR, startOfDay } from '../../platform/clock.js';
import type { DayCount, Excess, ExcessChange, FraudSend, Knowledge, ScopeRef, ScopeState } from './fraud.js';
import type { FraudSettings } from './fraud-settings.js';
import { isWatched } from './pause-state.js';
import { prefixesOf } from '../recipients/number-prefixes.js';

/** The days before today that are compared with today. */
export const USUAL_DAYS = 14;

/** Expected before there is any evidence, with the weight of {@link PRIOR_RECIPIENTS}. */
const PRIOR = 0.6;
const PRIOR_RECIPIENTS = 50;
/** With this many recipients on earlier days, today's recipients do not change what is usual. */
const ENOUGH_RECIPIENTS = 100;
/** Another country's usual conversion is at least this share of the application's. */
const LEAST_SHARE = 0.7;
/** A conversion is suspicious only if it is this much below the usual one. */
const LEAST_EFFECT = 0.15;
const LEAST_CONVERSION = 0.05;

/** The change to an excess when a recipient is counted. */
export const ONE_RECIPIENT: ExcessChange = { excess: 1, sent: 1, verified: 0 };

export const noExcess = (now: number): Excess => ({ excess: 0, sent: 0, verified: 0, since: now, at: now });

/** Returns the excess at `now`. `perHour`: the decrease per hour. */
export function excessAt(before: Excess | undefined, perHour: number, now: number): Excess {
  if (before === undefined) return noExcess(now);
  const excess = before.excess - (Math.max(0, now - before.at) / HOUR) * perHour;
  return excess > 0 ? { ...before, excess, at: Math.max(before.at, now) } : noExcess(now);
}

/** `excesses-store.ts` does the same in SQL. */
export function changeExcess(before: Excess | undefined, change: ExcessChange, perHour: number, at: number): Excess {
  const current = excessAt(before, perHour, at);
  return {
    ...current,
    excess: Math.max(0, current.excess + change.excess),
    sent: current.sent + change.sent,
    verified: current.verified + change.verified,
  };
}

class Sums {
  sent = 0;
  verified = 0;

  add({ sent, verified }: DayCount): void {
    this.sent += sent;
    this.verified += verified;
  }
}

/** The recipients of the days before today, and of all days. */
class Counts {
  readonly past = new Sums();
  readonly all = new Sums();

  add(one: DayCount, today: number): void {
    this.all.add(one);
    if (one.day < today) this.past.add(one);
  }

  estimate(prior: number): number {
    const { sent, verified } = this.past.sent >= ENOUGH_RECIPIENTS ? this.past : this.all;
    return (PRIOR_RECIPIENTS * prior + verified) / (PRIOR_RECIPIENTS + sent);
  }
}

interface Conversion {
  readonly usual: number;
  /** Verified recipients of the country on the days before today. */
  readonly verifiedBefore: number;
  readonly verifiedYesterday: number;
  /** Share of all recipients of the application who entered a code; 0 if nobody has. */
  readonly share: number;
  /** Whether the application has had verified recipients for a week. */
  readonly isMature: boolean;
  /** Verified recipients of the application on an average day before today. */
  readonly verifiedPerDay: number;
}

/** `days`: all countries of the application. Reads them once, because each send needs its conversion. */
export function conversionOf(days: readonly DayCount[], country: string, isHome: boolean, now: number): Conversion {
  const today = startOfDay(now);
  const application = new Counts();
  const own = new Counts();
  const daysBefore = new Set<number>();
  let verifiedYesterday = 0;
  let isMature = false;
  for (const one of days) {
    const { day, verified } = one;
    application.add(one, today);
    if (day < today) daysBefore.add(day);
    if (day <= today - 7 * DAY && verified > 0) isMature = true;
    if (one.country !== country) continue;
    own.add(one, today);
    if (day === today - DAY) verifiedYesterday += verified;
  }
  const conversion = application.estimate(PRIOR);
  const usual = own.estimate(conversion);
  return {
    usual: isHome ? usual : Math.max(usual, LEAST_SHARE * conversion),
    verifiedBefore: own.past.verified,
    verifiedYesterday,
    share: application.all.verified / Math.max(1, application.all.sent),
    isMature,
    verifiedPerDay: application.past.verified / Math.max(1, daysBefore.size),
  };
}

/** Returns the lowest conversion that is still normal. `tolerance`: percentage of the usual conversion. */
export const normalConversion = (usual: number, tolerance: number): number =>
  Math.max(LEAST_CONVERSION, Math.min((usual * tolerance) / 100, usual - LEAST_EFFECT));

export interface Place extends Conversion {
  readonly isHome: boolean;
  /** Whether the owner serves the country: it is the home country, or listed. */
  readonly isListed: boolean;
  /** Neither listed nor a country with enough verified recipients on earlier days. */
  readonly isNew: boolean;
  /**
   * The key of the scope that judges the country together with others in which hardly anybody entered a code: "" for new
   * countries, `served` for listed ones; undefined for established countries and the home country.
   */
  readonly together: '' | 'served' | undefined;
  /** Whether voice calls and any number of notifications may go to the country: it is listed, or has many users. */
  readonly isTrusted: boolean;
  readonly normal: number;
  /** Whether the conversion means something: people enter codes, and most of the entered codes are known. */
  readonly isJudged: boolean;
}

export interface Gauge extends ScopeRef {
  /** The scope is paused above this excess. */
  readonly limit: number;
  /** How much of the excess an hour takes away. */
  readonly perHour: number;
  /** The reaction above the limit. `alert`: only a notice to the owners. */
  readonly reaction: 'refuse' | 'challenge' | 'alert';
}

interface CountryInput {
  readonly send: Pick<FraudSend, 'country'>;
  readonly known: Pick<Knowledge, 'application' | 'days'>;
  readonly settings: FraudSettings;
  readonly now: number;
}

export interface RuleInput extends CountryInput {
  readonly send: FraudSend;
  readonly known: Knowledge;
}

/** Each recent pause of a prefix lowers the limits of the country's other prefixes to this share. */
const PREFIX_SHRINK = 0.75;
const LEAST_SHRINK = 0.3;
/** How much of a prefix's excess an hour takes away: first the smaller prefix. */
export const PREFIX_PER_HOUR = [0.5, 1] as const;
export const PREFIX_PAUSES_PER_HOUR = 0.5;

/** If codes are checked elsewhere and a smaller share is reported as entered, the site does not report them all. */
const LEAST_REPORTED = 0.1;
/** The limit of a country that the owner lists is this many times as high. */
export const LISTED_FACTOR = 1.6;
/** A country is trusted if it has this many times as many verified recipients as an established country needs. */
const SERVED_FACTOR = 10;
export const BURST_PER_HOUR = 600;
/** A busy application's burst may contain this share of the verified recipients of a day. */
const BURST_SHARE = 1 / 20;
/** While a country needs a challenge, an hour takes away this share of the limit. */
const CHALLENGE_SHARE = 1 / 4;

/** Whether a share of entered codes means something. `verifiedElsewhere`: whether codes are checked elsewhere. */
export const isJudged = (share: number, verifiedElsewhere: boolean): boolean =>
  share > (verifiedElsewhere ? LEAST_REPORTED : 0);

export function placeOf({ send, known, settings, now }: CountryInput): Place {
  const { homeCountry, countries, verifiedElsewhere } = known.application;
  const isHome = send.country === homeCountry;
  const isListed = isHome || countries.includes(send.country);
  const conversion = conversionOf(known.days, send.country, isHome, now);
  const isProven = isHome || conversion.verifiedBefore >= settings.establishedVerifications;
  return {
    ...conversion,
    isHome,
    isListed,
    isNew: !isListed && !isProven,
    isTrusted: isListed || conversion.verifiedBefore >= SERVED_FACTOR * settings.establishedVerifications,
    together: isProven ? undefined : isListed ? 'served' : '',
    normal: normalConversion(conversion.usual, settings.tolerance),
    isJudged: isJudged(conversion.share, verifiedElsewhere),
  };
}

/** A limit of 0 is off. */
const limitOf = (value: number, factor = 1): number => (value === 0 ? Infinity : value * factor);

/** The gauges of the number's prefixes: first the smaller one. */
function prefixGauges({ send, known, settings, now }: RuleInput, reaction: Gauge['reaction']): Gauge[] {
  const pauses = known.excessOf({ scope: 'prefixPauses', key: send.country });
  const shrink = Math.max(LEAST_SHRINK, PREFIX_SHRINK ** excessAt(pauses, PREFIX_PAUSES_PER_HOUR, now).excess);
  const limits = [settings.prefixUnverified, settings.rangeUnverified].map((limit) => limitOf(limit, shrink));
  return prefixesOf(send.number).map((key, n) => ({
    scope: 'prefix',
    key,
    reaction,
    limit: limits[n]!,
    perHour: PREFIX_PER_HOUR[n]!,
  }));
}

export function countryGauge({ send, known, settings }: CountryInput, place: Place): Gauge {
  const country = { scope: 'country', key: send.country, perHour: 1 } as const;
  const { hasChallenge } = known.application;
  if (place.isHome) {
    // A young application has few customers to lose, and an attack costs more than it earns.
    const reaction = place.isMature && settings.pauseHome === 0 ? 'alert' : 'refuse';
    return { ...country, limit: limitOf(settings.homeUnverified), reaction: hasChallenge ? 'challenge' : reaction };
  }
  const limit = limitOf(settings.countryUnverified, place.isListed ? LISTED_FACTOR : 1);
  return { ...country, limit, reaction: hasChallenge && !place.isNew ? 'challenge' : 'refuse' };
}

/** Returns the gauges of a send, from small to large. */
export function gaugesOf(input: RuleInput, place: Place): Gauge[] {
  const { send, known, settings } = input;
  const reaction = known.application.hasChallenge && !place.isNew ? 'challenge' : 'refuse';
  const gauges = prefixGauges(input, reaction);
  if (send.address !== undefined)
    gauges.push({
      scope: 'address',
      key: send.address,
      limit: limitOf(settings.addressUnverified),
      perHour: 1,
      reaction,
    });
  gauges.push(countryGauge(input, place));
  if (place.together !== undefined)
    gauges.push({
      scope: 'newCountries',
      key: place.together,
      limit: limitOf(settings.newCountriesUnverified),
      perHour: 1,
      reaction,
    });
  const burst = Math.max(limitOf(settings.burstUnverified), place.verifiedPerDay * BURST_SHARE);
  // Codes to a new country must not let the codes of customers need a challenge.
  if (!known.application.hasChallenge || !place.isNew)
    gauges.push({ scope: 'burst', key: '', limit: burst, perHour: BURST_PER_HOUR, reaction });
  // Nothing is stored for limits that are off.
  return gauges.filter(({ limit }) => limit < Infinity);
}

/** Judges codes whose requests contain a solved challenge, which programs can solve as well. */
export const solvedGauge = ({ send, settings }: RuleInput, { isHome, isMature }: Place): Gauge => ({
  scope: 'solved',
  key: send.country,
  limit: limitOf(settings.homeUnverified),
  perHour: 1,
  reaction: isHome && isMature ? 'alert' : 'refuse',
});

/** Returns how much of the excess an hour takes away while messages need a challenge. */
const challengePerHour = ({ scope, limit, perHour }: Pick<Gauge, 'scope' | 'limit' | 'perHour'>): number =>
  scope === 'country' ? Math.max(perHour, limit * CHALLENGE_SHARE) : perHour;

/** Returns how much of the excess an hour takes away now. */
export const perHourOf = (gauge: Gauge, known: Knowledge, now: number): number =>
  isWatched(known.stateOf(gauge), known.excessOf(gauge), now) ? challengePerHour(gauge) : gauge.perHour;

export const currentExcess = (gauge: Gauge, known: Knowledge, now: number): Excess =>
  excessAt(known.excessOf(gauge), perHourOf(gauge, known, now), now);

/** Returns whether messages of the scope need a challenge. */
export const isChallenging = (
  gauge: Pick<Gauge, 'scope' | 'limit' | 'perHour'>,
  state: ScopeState | undefined,
  excess: Excess | undefined,
  now: number,
): boolean => isWatched(state, excess, now) && excessAt(excess, challengePerHour(gauge), now).excess >= gauge.limit / 2;
