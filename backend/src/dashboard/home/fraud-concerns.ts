/** Finds pauses, refusals and countries with few entered codes that need attention. */
import { DAY } from '../../platform/clock.js';
import { listOf, NAMED_COUNTRIES } from '../../modules/fraud/fraud-texts.js';
import { countryInSentence } from '../../modules/recipients/country.js';
import { dateText, momentText } from '../components/time.js';
import { protectionPath } from '../applications/parts.js';
import {
  countedFigures,
  countedSince,
  isOneCountry,
  messagesPath,
  recipientsIn,
  servedText,
  situationsOf,
  unusualAdvice,
  unusualState,
  unusualTitle,
  type Unusual,
} from '../protection/unusual.js';
import { countText, messagesText, moneyText, total } from '../usage/figures.js';
import {
  timesOf,
  titleOf,
  type AccountState,
  type AccountTraffic,
  type ApplicationState,
  type ApplicationTraffic,
  type Concern,
} from './concern.js';
import { highTraffic } from './traffic.js';

// Refusals by a manual pause are intended.
const guardPart = ({ refusals }: ApplicationTraffic) => refusals?.parts.find(({ isManual }) => !isManual);

/** The refusals of an attack that goes on after its pause: the countries of all of them are still unusual. */
function continuedPart(state: ApplicationTraffic) {
  const part = guardPart(state);
  const isUnusual = (country: string) => state.refusals!.unusual.some(({ key }) => key === country);
  return part?.pauses === '' && part.refusals.every(({ country }) => isUnusual(country)) ? part : undefined;
}

/** Describes the pauses and refusals of the guard. The concern is over once the pauses have ended. */
export function refusalConcern(state: ApplicationState, account: AccountState): Concern | undefined {
  const { application, refusals, lastRefused: last } = state;
  const part = guardPart(state);
  if (!part || continuedPart(state)) return undefined;
  const { pauses, reason, refused, refusals: refusedTo, since } = part;
  const isOver = pauses === '';
  const country = last?.country ? ` to ${countryInSentence(last.country)}` : '';
  // Earlier messages were not refused because of the current pauses.
  const refusedAt = last && last.at >= (since ?? 0) ? last.at : undefined;
  const isCalm = refusals?.parts.every((one) => one.pauses === '');
  const places = [...new Set(refusedTo.map((one) => recipientsIn(one.country)))];
  const named = listOf(places.slice(0, NAMED_COUNTRIES), places.length);
  return {
    ...titleOf(account, application, isOver ? `Messages refused: ${named}` : pauses.slice(0, -1)),
    fact: [refused, isCalm && 'Nothing is paused now.'].filter(Boolean).join(' ') || reason,
    text: [reason, refused, isCalm && 'Nothing is paused now.'].filter(Boolean).join(' '),
    times: timesOf(['since', since], [`latest refused message${country}:`, refusedAt]),
    isOver,
    endedAt: last?.at,
    link: { href: protectionPath(application) },
  };
}

/** `48 of today's 110 messages`; "" if the traffic has a concern of its own. */
function shareText({ countries }: Unusual, account: AccountTraffic): string {
  if (!highTraffic(account)?.isExplained) return '';
  const { today, todayByCountry } = account;
  const sent = total(countries.map(({ key }) => todayByCountry.get(key)?.sent ?? 0));
  return `${countText(sent)} of today's ${messagesText(today.sent)}`;
}

/** The estimated cost of the messages, and the number of messages that the guard refused. */
function sumsOf({ countries }: Unusual, state: ApplicationTraffic) {
  const found = countries.flatMap(({ key }) => state.unusual.get(key) ?? []);
  // Other refusals have a concern of their own.
  const isOwn = !guardPart(state) || continuedPart(state) !== undefined;
  return { cost: total(found.map((one) => one.cost)), refused: isOwn ? total(found.map((one) => one.refused)) : 0 };
}

/** `0 of 23 codes entered` */
const enteredOf = ({ countries }: Unusual): string =>
  `${countText(total(countries.map(({ verified }) => verified)))} of ${countText(total(countries.map(({ sent }) => sent)))} codes entered`;

/** The estimated cost as text, and the number of messages that the guard refused. */
interface Sums {
  readonly amount: string;
  readonly refused: number;
}

/**
 * `0 of 23 codes entered; about 1.20 USD. Are the recipients your customers?`, beside a button that pauses the country;
 * `432 messages refused, 36 sent until 02:00 (about 2.72 USD). Not paused now.` once it is over.
 */
function unusualFact(unusual: Unusual, { amount, refused }: Sums, now: number, zone: string) {
  const { countries, isOver, endedAt, hasCustomers, report } = unusual;
  const entered = enteredOf(unusual);
  const cost = amount && ` (${amount})`;
  if (isOver) {
    const sent = total(countries.map((one) => one.sent));
    return refused > 0
      ? `${messagesText(refused)} refused, ${countText(sent)} sent until ${momentText(endedAt!, now, zone)}${cost}. Not paused now.`
      : `${entered}${cost}. Not paused now.`;
  }
  const [, reported] = countedFigures(unusual, zone, now);
  const counts = [entered, report === 'undelivered' && reported].filter(Boolean).join(', ');
  const figures = [counts, refused > 0 && `${messagesText(refused)} refused`, amount].filter(Boolean).join('; ');
  if (!hasCustomers) return `You have no known customers there: ${figures}.`;
  return `${figures}.${isOneCountry(unusual) && report === 'delivered' ? ' Are the recipients your customers?' : ''}`;
}

/** `You serve France: 0 of 23 codes entered since Jan 15, 2027, 01:00, all delivered. Cost: about 1.20 USD.` */
function lastingText(unusual: Unusual, { amount, refused }: Sums, now: number, zone: string): string {
  const [, reported] = countedFigures(unusual, zone, now);
  const served = servedText(unusual);
  const entered = `${enteredOf(unusual)} since ${dateText(countedSince(now), zone)}`;
  const counts = [entered, reported, refused > 0 && `${messagesText(refused)} refused`].filter(Boolean).join(', ');
  return `${served ? `${served}: ` : ''}${counts}.${amount && ` Cost: ${amount}.`}`;
}

/** As many messages within an hour are urgent. */
const FAST_MESSAGES = 10;
/** Messages that cost this share of the daily budget are urgent. */
const COSTLY_SHARE = 0.1;

function unusualConcern(unusual: Unusual, state: ApplicationTraffic, account: AccountTraffic): Concern {
  const { currency, now, timeZone } = account;
  const { countries, isQuiet, isOver, endedAt, hasCustomers, inLastHour, newest, report } = unusual;
  const { application, budgets } = state;
  const named = countries.flatMap(({ key }) => (key === '' ? [] : [key]));
  const at = protectionPath(application);
  const messages = isOneCountry(unusual) ? messagesPath(application.appKey, named[0], now, timeZone) : undefined;
  const { cost, refused } = sumsOf(unusual, state);
  const amount = cost > 0 ? `about ${moneyText(cost, currency)}` : '';
  const sums = { amount, refused };
  const [entered, reported, latest] = countedFigures(unusual, timeZone, now);
  const figures = [
    entered,
    reported,
    amount,
    refused > 0 && `${countText(refused)} more refused`,
    latest,
    shareText(unusual, account),
  ];
  return {
    ...titleOf(account, application, `${unusualTitle(unusual)}${unusualState(unusual, refused, now, timeZone)}`),
    lastingTitle: unusualTitle(unusual),
    fact: unusualFact(unusual, sums, now, timeZone),
    text: unusualAdvice(unusual),
    figures: figures.filter(Boolean).join(' · '),
    lastingText: lastingText(unusual, sums, now, timeZone),
    times: timesOf(['latest message:', newest]),
    isQuiet,
    isOver,
    isUnsettled: isOver && refused === 0,
    endedAt,
    // Customers may be among the recipients, so there is time to check, unless the messages cost much.
    isUrgent: !isQuiet && (!hasCustomers || inLastHour >= FAST_MESSAGES || cost >= COSTLY_SHARE * budgets.cost.limit),
    countries: countries.map(({ key }) => key),
    link: { href: hasCustomers && report !== 'delivered' && messages ? messages : at },
    messages: isOver ? undefined : messages,
    pause:
      named.length > 0
        ? {
            at,
            countries: named.slice(0, NAMED_COUNTRIES),
            isFirst: !hasCustomers || report === 'delivered',
            isDoubtful: hasCustomers,
          }
        : undefined,
  };
}

/** The unusual countries of an application, grouped by their situation. */
export const situationsIn = ({ refusals, unusual }: ApplicationTraffic, now: number): readonly Unusual[] =>
  situationsOf(
    refusals?.unusual ?? [],
    (country) => unusual.get(country)?.latest,
    (country) => unusual.get(country)?.refusedUntil ?? 0,
    now,
  );

/** Lists countries with few entered codes, those in the same situation together. Leaves out situations that ended more than a day ago. */
export const unusualConcerns = (state: ApplicationTraffic, account: AccountTraffic): Concern[] =>
  situationsIn(state, account.now)
    .filter(({ endedAt = account.now }) => endedAt > account.now - DAY)
    .map((unusual) => unusualConcern(unusual, state, account));
