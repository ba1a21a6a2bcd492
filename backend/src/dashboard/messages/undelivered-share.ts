/** Compares the share of undelivered messages with the usual share. */
import { dayBefore, localDay, startOfLocalDay } from '../../platform/local-day.js';
import type { Modules } from '../modules.js';
import {
  countText,
  deliveryRate,
  JUDGED_CODES,
  messagesText,
  NOTABLE_FAILURES,
  percent,
  sumOf,
  type Sum,
} from '../usage/figures.js';

const COMPARED_DAYS = 30;
const WEEK = 7;
/** Shares are similar if neither is this many times the other. */
const SIMILAR_FACTOR = 1.5;

export interface UndeliveredShare {
  /** When the period started, in epoch milliseconds. */
  readonly since: number;
  /** `today` or `in the last 7 days` */
  readonly period: string;
  /** How many messages were undelivered in the period, without a period at the end; "" if none was. */
  readonly figures: string;
  /** `about as many as usual (1%)` */
  readonly comparison: string;
  readonly isUsual: boolean;
}

const reportsIn = ({ delivered, undelivered }: Sum): number => delivered + undelivered;

type Comparison = Pick<UndeliveredShare, 'comparison' | 'isUsual'> & { readonly isMore?: boolean };

function compare(now: Sum, before: Sum): Comparison {
  const share = 1 - (deliveryRate(now) ?? 1);
  if (reportsIn(before) < JUDGED_CODES) return { comparison: percent(share), isUsual: false };
  const usual = 1 - deliveryRate(before)!;
  if (Math.max(now.undelivered, usual * reportsIn(now)) < NOTABLE_FAILURES)
    return { comparison: `too few messages to compare with the usual ${percent(usual)}`, isUsual: true };
  if (share >= SIMILAR_FACTOR * usual)
    return { comparison: `${percent(share)}, more than usual (${percent(usual)})`, isUsual: false, isMore: true };
  const comparison = SIMILAR_FACTOR * share < usual ? 'fewer than' : 'about as many as';
  return { comparison: `${comparison} usual (${percent(usual)})`, isUsual: true };
}

/** Returns how many messages with a delivery report were not delivered in the last week or, if today has unusually many, today. */
export function createUndeliveredShare({ applications, clock, usage }: Modules<'applications' | 'clock' | 'usage'>) {
  return async function undeliveredShare(
    accountId: number,
    applicationIds: readonly number[],
  ): Promise<UndeliveredShare> {
    const zone = await applications.profiles.timeZoneOf(accountId);
    const today = localDay(clock.now(), zone);
    const week = dayBefore(today, WEEK - 1);
    const range = { applicationIds, from: dayBefore(today, COMPARED_DAYS), to: today };
    const counts = await usage.service.sums(range, ['day']);
    const since = (first: string) => sumOf(counts.filter(({ day }) => day >= first));
    const before = sumOf(counts.filter(({ day }) => day < week));
    const isToday = reportsIn(since(today)) >= JUDGED_CODES && compare(since(today), before).isMore === true;
    const first = isToday ? today : week;
    const now = since(first);
    const { comparison, isUsual } = compare(now, before);
    const period = isToday ? 'today' : 'in the last 7 days';
    const were = now.undelivered === 1 ? 'was' : 'were';
    const figures =
      now.undelivered === 0
        ? ''
        : `${countText(now.undelivered)} of ${messagesText(reportsIn(now))} with a delivery report ${were} undelivered`;
    return { since: startOfLocalDay(first, zone), period, figures, comparison, isUsual };
  };
}
