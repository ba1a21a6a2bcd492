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

/** `Until 02:00: 0 of 36 codes entered, 432 more messages refused. Not paused now.`; for emails, `0 of 23 codes entered since Jan 15, 2027, 01:00, all delivered. Cost: about 1.20 USD. Pause if these are not your customers.` */
function unusualFact(unusual: Unusual, refused: number, { now, timeZone }: AccountTraffic, emailCost?: string): string {
  const { countries, hasCustomers, isOver, newest, report } = unusual;
  const isEmail = emailCost !== undefined;
  const verified = total(countries.map((one) => one.verified));
  const sent = total(countries.map((one) => one.sent));
  const [, reported] = countedFigures(unusual, timeZone, now);
  const counts = [
    `${countText(verified)} of ${countText(sent)} codes entered${isEmail ? ` since ${dateText(countedSince(now), timeZone)}` : ''}`,
    reported,
    refused > 0 && `${countText(refused)} more ${refused === 1 ? 'message' : 'messages'} refused`,
  ];
  const period = isOver && !isEmail && newest !== undefined ? `Until ${momentText(newest, now, timeZone)}: ` : '';
  const advice = `Pause if ${hasCustomers ? 'these are not your customers' : 'you have no customers there'}.`;
  const decision = isOver ? 'Not paused now.' : advice;
  const end = report === 'undelivered' ? '' : decision;
  return [`${period}${counts.filter(Boolean).join(', ')}.`, emailCost, end].filter(Boolean).join(' ');
}

function unusualConcern(unusual: Unusual, state: ApplicationTraffic, account: AccountTraffic): Concern {
  const { currency, now, timeZone } = account;
  const { countries, isQuiet, isOver, hasCustomers, newest, report } = unusual;
  const { application } = state;
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
    ...titleOf(account, application, unusualTitle(unusual, sums.refused > 0)),
    fact: unusualFact(unusual, sums.refused, account),
    text: unusualAdvice(unusual),
    figures: figures.filter(Boolean).join(' · '),
    lastingText: unusualFact(unusual, sums.refused, account, amount ? `Cost: ${amount}.` : ''),
    times: timesOf(['latest message:', isQuiet ? undefined : newest]),
    isQuiet,
    isOver,
    endedAt: newest,
    isUrgent: !isQuiet,
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
  situationsOf(refusals?.unusual ?? [], (country) => unusual.get(country)?.latest, now);

/** Lists countries with few entered codes, those in the same situation together. Leaves out situations that ended more than a day ago. */
export const unusualConcerns = (state: ApplicationTraffic, account: AccountTraffic): Concern[] =>
  situationsIn(state, account.now)
    .filter(({ isOver, newest }) => !isOver || newest! > account.now - DAY)
    .map((unusual) => unusualConcern(unusual, state, account));
