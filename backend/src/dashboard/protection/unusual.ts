/** Texts about countries in which unusually few codes are entered, for the Protection page, Home and the weekly email. */
import { QUIET_MS, type LatelyView } from '../../modules/fraud/fraud-overview.js';
import { listOf, NAMED_COUNTRIES } from '../../modules/fraud/fraud-texts.js';
import { DAY, startOfDay } from '../../platform/clock.js';
import { countryInSentence } from '../../modules/recipients/country.js';
import { momentText } from '../components/time.js';
import { groupBy } from '../group-by.js';
import { urlOf } from '../messages/filter.js';

/** Countries in the same situation. */
export interface Unusual {
  readonly countries: readonly LatelyView[];
  /** Whether the application serves the countries, or many people there entered codes on earlier days. */
  readonly hasCustomers: boolean;
  /** Whether no message has been sent there for some time. */
  readonly isQuiet: boolean;
  /** When the newest message was created, in epoch milliseconds; undefined if it is no longer stored. */
  readonly newest: number | undefined;
}

/** The list of an application's messages to a country since yesterday (UTC). */
export const messagesPath = (application: string, country: string, now: number, zone: string): string =>
  urlOf('/messages', { application, country, from: startOfDay(now) - DAY, zone });

/** Groups countries by their situation: first those to which messages are still sent. */
export function situationsOf(
  unusual: readonly LatelyView[],
  newestTo: (country: string) => number | undefined,
  now: number,
): readonly Unusual[] {
  const isQuiet = ({ key }: LatelyView) => (newestTo(key) ?? now) < now - QUIET_MS;
  const groups = groupBy(unusual, (view) => `${isQuiet(view)} ${view.isNew}`).map((countries): Unusual => {
    const [first] = countries as [LatelyView];
    const times = countries.flatMap(({ key }) => newestTo(key) ?? []);
    return {
      countries,
      hasCustomers: !first.isNew,
      isQuiet: isQuiet(first),
      newest: times.length > 0 ? Math.max(...times) : undefined,
    };
  });
  return groups.sort((a, b) => Number(a.isQuiet) - Number(b.isQuiet));
}

/** `codes to France may not be arriving`, `codes to Bangladesh look like fraud` */
export function unusualTitle({ countries, hasCustomers, isQuiet }: Unusual): string {
  const names = countries
    .slice(0, NAMED_COUNTRIES)
    .map(({ key }) => (key === '' ? 'numbers without a country' : countryInSentence(key)));
  const codes = `codes to ${listOf(names, countries.length, ',')}`;
  if (hasCustomers) return `${codes} may not ${isQuiet ? 'have arrived' : 'be arriving'}`;
  return isQuiet ? `${codes} looked like fraud, and have stopped` : `${codes} look like fraud`;
}

/** Returns the country, or the words for several. */
const placeOf = ({ countries }: Unusual): string =>
  countries.length === 1 && countries[0]!.key !== '' ? countryInSentence(countries[0]!.key) : 'these countries';

/** `messages are still being sent`, `no message has been sent since 02:00` */
export const sendingText = ({ isQuiet, newest }: Unusual, zone: string, now: number): string =>
  isQuiet ? `no message has been sent since ${momentText(newest!, now, zone)}` : 'messages are still being sent';

/** Advises the owner, with what shows that the recipients are customers, or that nothing shows it. */
export function unusualAdvice(unusual: Unusual): string {
  const { countries, hasCustomers, isQuiet } = unusual;
  const place = placeOf(unusual);
  if (hasCustomers) {
    const evidence = countries.every(({ isServed }) => isServed)
      ? `You serve ${place}`
      : `Many people in ${place} have entered codes before`;
    return `${evidence}, so check whether these messages were delivered. If the recipients are not your customers, pause ${place}.`;
  }
  const pause = isQuiet ? 'New messages will be sent, so pause' : 'Pause';
  return `You do not serve ${place}. ${pause} ${place} if you have no customers there.`;
}
