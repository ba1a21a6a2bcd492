/** Compares the share of undelivered messages with the usual share. */
import { dayBefore, localDay } from '../../platform/local-day.js';
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
  readonly text: string;
  readonly isUsual: boolean;
}

const reportsIn = ({ delivered, undelivered }: Sum): number => delivered + undelivered;

/** Returns how many messages with a delivery report were not delivered today or, if there are few reports, in the last week. */
export function createUndeliveredShare({ applications, clock, usage }: Modules<'applications' | 'clock' | 'usage'>) {
  return async function undeliveredShare(
    accountId: number,
    applicationIds: readonly number[],
  ): Promise<UndeliveredShare | undefined> {
    const today = localDay(clock.now(), await applications.profiles.timeZoneOf(accountId));
    const range = { applicationIds, from: dayBefore(today, COMPARED_DAYS), to: today };
    const counts = await usage.service.sums(range, ['day']);
    const since = (first: string) => sumOf(counts.filter(({ day }) => day >= first));
    const isToday = reportsIn(since(today)) >= JUDGED_CODES;
    const first = isToday ? today : dayBefore(today, WEEK - 1);
    const now = since(first);
    const before = sumOf(counts.filter(({ day }) => day < first));
    if (now.undelivered === 0) return undefined;
    const share = 1 - deliveryRate(now)!;
    const usual = 1 - (deliveryRate(before) ?? 1);
    const reports = `${countText(now.undelivered)} of ${messagesText(reportsIn(now))} with a delivery report`;
    const period = isToday ? 'Today' : 'In the last 7 days';
    const text = `${period}, ${reports} ${now.undelivered === 1 ? 'was' : 'were'} not delivered. That is`;
    if (reportsIn(before) < JUDGED_CODES) return { text: `${text} ${percent(share)}.`, isUsual: false };
    if (Math.max(now.undelivered, usual * reportsIn(now)) < NOTABLE_FAILURES)
      return { text: `${text} too few messages to compare with the usual ${percent(usual)}.`, isUsual: true };
    const isUsual = share < SIMILAR_FACTOR * usual;
    if (!isUsual) return { text: `${text} ${percent(share)}, more than usual (${percent(usual)}).`, isUsual };
    const comparison = SIMILAR_FACTOR * share < usual ? 'less than' : 'about as';
    return { text: `${text} ${comparison} usual (${percent(usual)}). You don't need to do anything.`, isUsual };
  };
}
