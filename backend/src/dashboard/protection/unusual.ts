/** Texts about countries in which unusually few codes are entered, for the Protection page, Home and the weekly email. */
import { QUIET_MS, type LatelyView } from '../../modules/fraud/fraud-overview.js';
import { countsText, enteredPlace, listOf, NAMED_COUNTRIES } from '../../modules/fraud/fraud-texts.js';
import type { LatestTo } from '../../modules/messages/message-filter.js';
import { DAY, startOfDay } from '../../platform/clock.js';
import { countryInSentence } from '../../modules/recipients/country.js';
import { momentText } from '../components/time.js';
import { groupBy } from '../group-by.js';
import { urlOf } from '../messages/filter.js';
import { countText, total } from '../usage/figures.js';

/** Fewer delivery reports do not show whether codes arrive. */
const MIN_REPORTS = 5;

/** Countries in the same situation. */
export interface Unusual {
  readonly countries: readonly LatelyView[];
  /** Whether the application serves the countries, or many people there entered codes on earlier days. */
  readonly hasCustomers: boolean;
  /** Whether no message has been sent there, or refused, for some time. */
  readonly isQuiet: boolean;
  /** Whether nothing is left to decide: it was probably fraud, and is quiet. */
  readonly isOver: boolean;
  /** When the newest message was created, in epoch milliseconds; undefined if it is no longer stored. */
  readonly newest: number | undefined;
  /** No message was sent or refused after this time, in epoch milliseconds; undefined if it goes on. */
  readonly endedAt: number | undefined;
  /** The number of messages in the hour that ends with the newest one of each country. */
  readonly inLastHour: number;
  /** The report of most codes to customers; undefined for other recipients, or with too few reports. */
  readonly report: 'delivered' | 'undelivered' | undefined;
  /** The number of codes with this report. */
  readonly reported: number;
}

/** The start of the previous UTC day, since which codes are counted. */
export const countedSince = (now: number): number => startOfDay(now) - DAY;

/** The list of an application's messages to a country since yesterday (UTC). */
export const messagesPath = (application: string, country: string | undefined, now: number, zone: string): string =>
  urlOf('/messages', { application, country, from: countedSince(now), zone });

function reportOf({ isNew }: LatelyView, latest: LatestTo | undefined): Unusual['report'] {
  if (isNew || !latest || latest.delivered + latest.undelivered < MIN_REPORTS) return undefined;
  return latest.delivered > latest.undelivered ? 'delivered' : 'undelivered';
}

/**
 * Groups countries by their situation: first those to which messages are still sent. `refusedUntil`: when the guard last
 * refused a message to a country; 0 if it refused none.
 */
export function situationsOf(
  unusual: readonly LatelyView[],
  latestTo: (country: string) => LatestTo | undefined,
  refusedUntil: (country: string) => number,
  now: number,
): readonly Unusual[] {
  const lastTo = ({ key }: LatelyView) => Math.max(latestTo(key)?.at ?? now, refusedUntil(key));
  const isQuiet = (view: LatelyView) => lastTo(view) < now - QUIET_MS;
  const situationOf = (view: LatelyView) => [isQuiet(view), view.isNew, reportOf(view, latestTo(view.key))].join();
  const groups = groupBy(unusual, situationOf).map((countries): Unusual => {
    const [first] = countries as [LatelyView];
    const latest = countries.flatMap(({ key }) => latestTo(key) ?? []);
    const report = reportOf(first, latestTo(first.key));
    const isOver = isQuiet(first) && first.isNew;
    return {
      countries,
      hasCustomers: !first.isNew,
      isQuiet: isQuiet(first),
      isOver,
      endedAt: isOver ? Math.max(...countries.map(lastTo)) : undefined,
      newest: latest.length > 0 ? Math.max(...latest.map(({ at }) => at)) : undefined,
      report,
      inLastHour: total(latest.map((one) => one.inLastHour)),
      reported: report ? total(latest.map((one) => one[report])) : 0,
    };
  });
  return groups.sort((a, b) => Number(a.isQuiet) - Number(b.isQuiet));
}

export const recipientsIn = (country: string): string =>
  country === '' ? 'numbers without a country' : countryInSentence(country);

/** `Likely fraud`, `Codes not arriving` */
export function problemOf({ hasCustomers, report }: Pick<Unusual, 'hasCustomers' | 'report'>): string {
  if (!hasCustomers) return 'Likely fraud';
  if (report === 'delivered') return 'Possible fraud';
  return report === 'undelivered' ? 'Codes not arriving' : 'Codes not entered';
}

/** `Possible fraud: France`, `Likely fraud: Bangladesh` */
export function unusualTitle(unusual: Unusual): string {
  const { countries } = unusual;
  const names = countries.slice(0, NAMED_COUNTRIES).map(({ key }) => recipientsIn(key));
  return `${problemOf(unusual)}: ${listOf(names, countries.length)}`;
}

/** `, ongoing`, `, not paused`, `, ended` if the guard refused messages, so that another text states the time, otherwise `, ended 02:00`; "" for customers whose codes do not arrive. */
export function unusualState(unusual: Unusual, refused: number, now: number, zone: string): string {
  const { endedAt, isQuiet, hasCustomers, report } = unusual;
  if (endedAt !== undefined) return refused > 0 ? ', ended' : `, ended ${momentText(endedAt, now, zone)}`;
  if (hasCustomers && report !== 'delivered') return '';
  return isQuiet ? ', not paused' : ', ongoing';
}

export const isOneCountry = ({ countries }: Unusual): boolean => countries.length === 1 && countries[0]!.key !== '';

/** Returns the country, or the words for several. */
export const placeOf = (unusual: Unusual): string =>
  isOneCountry(unusual) ? countryInSentence(unusual.countries[0]!.key) : 'these countries';

/** `0 of 23 codes entered`, `all delivered`, `latest message: 07:09` */
export function countedFigures({ countries, report, reported, newest }: Unusual, zone: string, now: number) {
  const counts = countries
    .slice(0, NAMED_COUNTRIES)
    .map(
      (view, n) =>
        `${countsText(view)}${n === 0 ? ' codes entered' : ''}${countries.length > 1 ? ` ${enteredPlace(view.key)}` : ''}`,
    );
  const isAll = reported >= total(countries.map(({ sent }) => sent));
  return [
    listOf(counts, countries.length),
    report && `${isAll ? 'all' : countText(reported)} ${report}`,
    newest !== undefined && `latest message: ${momentText(newest, now, zone)}`,
  ] as const;
}

/** `You serve France`; undefined if the countries differ, and if customers there have entered codes but it is not listed. */
export function servedText(unusual: Unusual): string | undefined {
  const { countries, hasCustomers } = unusual;
  if (countries.some(({ key }) => key === '')) return undefined;
  if (countries.every(({ isServed }) => isServed)) return `You serve ${placeOf(unusual)}`;
  return hasCustomers ? undefined : `You do not serve ${placeOf(unusual)}`;
}

/** Says that a limit has not been reached: `Not paused yet: 23 unused codes; the limit is 40.`; "" for countries that are never paused automatically. */
function limitText({ countries }: Unusual): string {
  const limits = countries.flatMap(({ unusedLimit }) => (unusedLimit === undefined ? [] : Math.floor(unusedLimit)));
  if (limits.length < countries.length) return '';
  const [{ sent, verified }] = countries as [LatelyView];
  const unused = sent - verified;
  // The counted excess decreases with time.
  if (countries.length > 1 || unused > limits[0]!)
    return 'Not paused yet: the number of unused codes in the last hours is below the limit. ';
  return `Not paused yet: ${countText(unused)} unused codes; the limit is ${countText(limits[0]!)}. `;
}

/** Advises the owner, with what shows that the recipients are customers, or that nothing shows it. */
export function unusualAdvice(unusual: Unusual): string {
  const { countries, hasCustomers, isQuiet, report } = unusual;
  const place = placeOf(unusual);
  const isServed = countries.every((one) => one.isServed);
  if (report === 'delivered') {
    const served = isServed ? `You serve ${place}. ` : '';
    return `${limitText(unusual)}${served}If the recipients are not your customers, this is probably fraud: pause ${place}.`;
  }
  if (hasCustomers) {
    const evidence = isServed ? `You serve ${place}` : `Many people in ${place} have entered codes before`;
    const check = report
      ? 'choose “Show messages” to see why they were not delivered'
      : 'check whether these messages were delivered';
    return `${evidence}, so ${check}. If the recipients are not your customers, pause ${place}.`;
  }
  if (!isQuiet) return `You do not serve ${place}. Pause ${place} if you have no customers there.`;
  return `Pause ${place} if you have no customers there.`;
}
