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
