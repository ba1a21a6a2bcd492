/** Compares the share of undelivered messages with the usual share. */
import { dayBefore, localDay } from '../../platform/local-day.js';
import type { Modules } from '../modules.js';
import {
  countText,
  deliveryRate,
  isHigh,
  JUDGED_CODES,
  messagesText,
  NOTABLE_FAILURES,
  percent,
  sumOf,
  type Sum,
} from '../usage/figures.js';

const COMPARED_DAYS = 30;
const WEEK = 7;

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
    const verb = now.undelivered === 1 ? 'was' : 'were';
    const text = `${period}, ${reports} ${verb} not delivered. That is ${percent(share)}`;
    if (reportsIn(before) < JUDGED_CODES) return { text: `${text}.`, isUsual: false };
    const isUsual = !isHigh(share, usual) || now.undelivered < NOTABLE_FAILURES;
    const comparison = `${isUsual ? 'as usual' : 'more than usual'} (${percent(usual)})`;
    const advice = isUsual ? " You don't need to do anything." : '';
    return { text: `${text}, ${comparison}.${advice}`, isUsual };
  };
}
