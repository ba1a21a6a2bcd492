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

/** `412 messages refused yesterday, 20 today`; "" if the guard refused none. */
function refusedByDay({ countries }: Unusual, refused: number, state: ApplicationTraffic): string {
  if (refused === 0) return '';
  const keys = countries.map(({ key }) => key);
  const ofToday = guardPart(state)?.refusals.filter(({ country }) => keys.includes(country)) ?? [];
  const today = total(ofToday.map(({ messages }) => messages));
  if (today >= refused) return `${messagesText(refused)} refused today`;
  return `${messagesText(refused - today)} refused yesterday${today > 0 ? `, ${countText(today)} today` : ''}`;
}

/** The last end of the recent pauses of these countries. */
function pausedUntil({ countries }: Unusual, { unusual }: ApplicationTraffic): number | undefined {
  const ends = countries.flatMap(({ key }) => unusual.get(key)?.pausedUntil ?? []);
  return ends.length === 0 ? undefined : Math.max(...ends);
}

/** `You serve France: 0 of 23 codes entered since yesterday, all delivered.`, `0 of 36 codes entered; 412 messages refused yesterday, 20 today. Not paused since 03:00.`; for emails, `You serve France: 0 of 23 codes entered since Jan 15, 2027, 01:00, all delivered. Cost: about 1.20 USD.` */
function unusualFact(
  unusual: Unusual,
  refused: number,
  state: ApplicationTraffic,
  { now, timeZone }: AccountTraffic,
  emailCost?: string,
): string {
  const { countries, isOver } = unusual;
  const isEmail = emailCost !== undefined;
  const verified = total(countries.map((one) => one.verified));
  const sent = total(countries.map((one) => one.sent));
  const [, reported] = countedFigures(unusual, timeZone, now);
  const entered = `${countText(verified)} of ${countText(sent)} codes entered`;
  const byDay = refusedByDay(unusual, refused, state);
  if (isOver && byDay && !isEmail) {
    const until = pausedUntil(unusual, state);
    const end = until === undefined ? 'now' : `since ${momentText(until, now, timeZone)}`;
    return `${entered}; ${byDay}. Not paused ${end}.`;
  }
  const served = servedText(unusual);
  const since = isEmail ? dateText(countedSince(now), timeZone) : 'yesterday';
  const all = byDay && isEmail ? `${messagesText(refused)} refused` : byDay;
  const counts = [`${entered} since ${since}`, reported, all].filter(Boolean).join(', ');
  return [`${served ? `${served}: ` : ''}${counts}.`, emailCost].filter(Boolean).join(' ');
}

/** `, until 02:00`: the time of the last message; "" while it goes on. */
const untilText = ({ isOver, newest }: Unusual, { now, timeZone }: AccountTraffic): string =>
  isOver && newest !== undefined ? `, until ${momentText(newest, now, timeZone)}` : '';

/** As many messages within an hour are urgent. */
const FAST_MESSAGES = 10;
/** Messages that cost this share of the daily budget are urgent. */
const COSTLY_SHARE = 0.1;

function unusualConcern(unusual: Unusual, state: ApplicationTraffic, account: AccountTraffic): Concern {
  const { currency, now, timeZone } = account;
  const { countries, isQuiet, isOver, hasCustomers, inLastHour, newest, report } = unusual;
  const { application, budgets } = state;
  const named = countries.flatMap(({ key }) => (key === '' ? [] : [key]));
  const at = protectionPath(application);
  const sums = sumsOf(unusual, state);
  const amount = sums.cost > 0 && `about ${moneyText(sums.cost, currency)}`;
  const [entered, reported, latest] = countedFigures(unusual, timeZone, now);
  const figures = [
    entered,
    reported,
    amount,
    sums.refused > 0 && `${countText(sums.refused)} more refused`,
    latest,
    shareText(unusual, account),
  ];
  return {
    ...titleOf(account, application, `${unusualTitle(unusual, sums.refused > 0)}${untilText(unusual, account)}`),
    fact: unusualFact(unusual, sums.refused, state, account),
    text: unusualAdvice(unusual),
    figures: figures.filter(Boolean).join(' · '),
    lastingText: unusualFact(unusual, sums.refused, state, account, amount ? `Cost: ${amount}.` : ''),
    times: timesOf(['latest message:', newest]),
    isQuiet,
    isOver,
    endedAt: newest,
    // Customers may be among the recipients, so there is time to check, unless the messages cost much.
    isUrgent:
      !isQuiet && (!hasCustomers || inLastHour >= FAST_MESSAGES || sums.cost >= COSTLY_SHARE * budgets.cost.limit),
    countries: countries.map(({ key }) => key),
    link:
      hasCustomers && isOneCountry(unusual)
        ? { href: messagesPath(application.appKey, named[0]!, now, timeZone) }
        : { href: at },
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
    (country) => (unusual.get(country)?.refused ?? 0) > 0,
    now,
  );

/** Lists countries with few entered codes, those in the same situation together. Leaves out situations that ended more than a day ago. */
export const unusualConcerns = (state: ApplicationTraffic, account: AccountTraffic): Concern[] =>
  situationsIn(state, account.now)
    .filter(({ isOver, newest }) => !isOver || newest! > account.now - DAY)
    .map((unusual) => unusualConcern(unusual, state, account));
