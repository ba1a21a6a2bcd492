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
  /** How many messages were undelivered in the period, compared with the usual share; "" if none was. */
  readonly text: string;
  readonly isUsual: boolean;
}

const reportsIn = ({ delivered, undelivered }: Sum): number => delivered + undelivered;

/** Returns whether the share in a period is usual, as the end of a sentence. */
function compare(now: Sum, before: Sum): Pick<UndeliveredShare, 'text' | 'isUsual'> & { readonly isMore?: boolean } {
  const share = 1 - (deliveryRate(now) ?? 1);
  if (reportsIn(before) < JUDGED_CODES) return { text: `${percent(share)}.`, isUsual: false };
  const usual = 1 - deliveryRate(before)!;
  if (Math.max(now.undelivered, usual * reportsIn(now)) < NOTABLE_FAILURES)
    return { text: `too few messages to compare with the usual ${percent(usual)}.`, isUsual: true };
  if (share >= SIMILAR_FACTOR * usual)
    return { text: `${percent(share)}, more than usual (${percent(usual)}).`, isUsual: false, isMore: true };
  const comparison = SIMILAR_FACTOR * share < usual ? 'less than' : 'about the same as';
  return { text: `${comparison} usual (${percent(usual)}).`, isUsual: true };
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
    const { text, isUsual } = compare(now, before);
    const period = isToday ? 'today' : 'in the last 7 days';
    const sentence = `${countText(now.undelivered)} of ${messagesText(reportsIn(now))} with a delivery report ${now.undelivered === 1 ? 'was' : 'were'} undelivered. That is ${text}`;
    return { since: startOfLocalDay(first, zone), period, text: now.undelivered === 0 ? '' : sentence, isUsual };
  };
}
