import { dayBefore, localDay } from '../../platform/local-day.js';
import { localText } from '../../platform/local-time.js';
import { dayName } from '../components/time.js';
import { shortDay } from '../usage/period.js';

/** `today, 02:10`, `today, 02:10–02:29`, `Jan 7, 03:00 – today, 07:09` */
export function spanText(first: number, last: number, now: number, zone: string): string {
  const today = localDay(now, zone);
  const nameOf = (ms: number) => {
    const day = localDay(ms, zone);
    return day < dayBefore(today, 1) ? shortDay(day) : dayName(day, today).toLowerCase();
  };
  const clockOf = (ms: number) => localText(ms, zone).slice(11);
  const start = `${nameOf(first)}, ${clockOf(first)}`;
  if (localText(first, zone) === localText(last, zone)) return start;
  if (nameOf(first) === nameOf(last)) return `${start}–${clockOf(last)}`;
  return `${start} – ${nameOf(last)}, ${clockOf(last)}`;
}
