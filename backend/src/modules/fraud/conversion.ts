/** The usual conversion of a country: the share of recipients who enter their code. */
import { DAY } from '../../platform/clock.js';
import type { DayCount } from './fraud.js';

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

export const startOfDay = (ms: number): number => Math.floor(ms / DAY) * DAY;

interface Sums {
  readonly sent: number;
  readonly verified: number;
}

const sumOf = (days: readonly DayCount[]): Sums => ({
  sent: days.reduce((sum, { sent }) => sum + sent, 0),
  verified: days.reduce((sum, { verified }) => sum + verified, 0),
});

function estimate(days: readonly DayCount[], prior: number, today: number): number {
  const past = sumOf(days.filter(({ day }) => day < today));
  const { sent, verified } = past.sent >= ENOUGH_RECIPIENTS ? past : sumOf(days);
  return (PRIOR_RECIPIENTS * prior + verified) / (PRIOR_RECIPIENTS + sent);
}

export interface Conversion {
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

/** `days`: all countries of the application. */
export function conversionOf(days: readonly DayCount[], country: string, isHome: boolean, now: number): Conversion {
  const today = startOfDay(now);
  const own = days.filter((one) => one.country === country);
  const before = days.filter(({ day }) => day < today);
  const application = estimate(days, PRIOR, today);
  const usual = estimate(own, application, today);
  const { sent, verified } = sumOf(days);
  const daysBefore = new Set(before.map(({ day }) => day)).size;
  return {
    usual: isHome ? usual : Math.max(usual, LEAST_SHARE * application),
    verifiedBefore: sumOf(own.filter(({ day }) => day < today)).verified,
    verifiedYesterday: sumOf(own.filter(({ day }) => day === today - DAY)).verified,
    share: verified / Math.max(1, sent),
    isMature: days.some(({ day, verified }) => day <= today - 7 * DAY && verified > 0),
    verifiedPerDay: sumOf(before).verified / Math.max(1, daysBefore),
  };
}

/** Returns the lowest conversion that is still normal. `tolerance`: percentage of the usual conversion. */
export const normalConversion = (usual: number, tolerance: number): number =>
  Math.max(LEAST_CONVERSION, Math.min((usual * tolerance) / 100, usual - LEAST_EFFECT));
