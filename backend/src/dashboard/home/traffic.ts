/** Finds days with unusual traffic, and budgets that it uses up. */
import { LIST } from '../../platform/list.js';
import type { ChannelName } from '../../platform/contract/channels.js';
import { dayBefore, localDay } from '../../platform/local-day.js';
import {
  BUDGET_ALERTS,
  isBudgetUrgent,
  LIMIT_OF,
  mostUsed,
  stopsAt,
  usedShare,
  type BudgetsView,
  type BudgetUnit,
  type BudgetView,
} from '../../modules/budgets/budgets.js';
import { NAMED_COUNTRIES } from '../../modules/fraud/fraud-texts.js';
import { countryInSentence } from '../../modules/recipients/country.js';
import { settingsPath, suggestedBudgetPath } from '../applications/parts.js';
import { channelMessages } from '../messages/labels.js';
import {
  budgetEnd,
  budgetReset,
  budgetStart,
  expectedText,
  raiseAdvice,
  raisedBudget,
  usedText,
  usedUpTime,
} from '../protection/budget-times.js';
import {
  conversionRate,
  countText,
  isHigh,
  isLow,
  JUDGED_CODES,
  messagesText,
  NOTABLE_MESSAGES,
  percent,
  total,
  usualOf,
  type Sum,
} from '../usage/figures.js';
import { titleOf, USUAL_DAYS, type AccountTraffic, type ApplicationTraffic, type Concern } from './concern.js';

/** Countries are named until they explain this share of the missing codes. */
const EXPLAINED_SHARE = 0.8;

/** `Cuba (0 of 25)`; "" if a few countries do not explain most of the missing codes. */
function lessEnteredText(countries: AccountTraffic['latelyByCountry'], usualRate: number): string {
  const missing = [...countries]
    .map(([country, { codes, verified }]) => ({ country, codes, verified, count: codes * usualRate - verified }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count);
  const all = total(missing.map(({ count }) => count));
  let explained = 0;
  const named = missing.slice(0, NAMED_COUNTRIES).filter(({ count }) => {
    const isNeeded = explained < EXPLAINED_SHARE * all;
    explained += count;
    return isNeeded;
  });
  if (explained <= all / 2) return '';
  const texts = named.map(({ country, codes, verified }) => {
    const place = country === '' ? 'email addresses' : countryInSentence(country);
    return `${place} (${countText(verified)} of ${countText(codes)})`;
  });
  return LIST.format(texts);
}

/** The countries that the concerns of applications name. */
export const namedCountries = ({ applications }: AccountTraffic): ReadonlySet<string> =>
  new Set(applications.flatMap(({ refusals }) => refusals?.unusual.map(({ key }) => key) ?? []));

type Counted = Pick<Sum, 'sent' | 'codes' | 'verified'>;

function countedIn(countries: ReadonlyMap<string, Sum>): Counted {
  const sums = [...countries.values()];
  const totalOf = (name: keyof Counted) => total(sums.map((sum) => sum[name]));
  return { sent: totalOf('sent'), codes: totalOf('codes'), verified: totalOf('verified') };
}

const without = (countries: ReadonlyMap<string, Sum>, named: ReadonlySet<string>): ReadonlyMap<string, Sum> =>
  new Map([...countries].filter(([country]) => !named.has(country)));

/** Whether fewer codes are entered than usual; undefined if there are too few codes to judge. */
function isConversionLow(counted: Counted, usual: Sum): boolean | undefined {
  const isJudged = counted.codes >= JUDGED_CODES && usual.codes >= JUDGED_CODES;
  return isJudged ? isLow(conversionRate(counted)!, conversionRate(usual)!) : undefined;
}

/** Leaves out the countries that the concerns of applications name. */
export function conversionConcern(account: AccountTraffic): Concern | undefined {
  const { usual, latelyByCountry, now: at, timeZone } = account;
  const named = namedCountries(account);
  const others = without(latelyByCountry, named);
  const counted = countedIn(others);
  if (!isConversionLow(counted, usual)) return undefined;
  const before = conversionRate(usual)!;
  const today = localDay(at, timeZone);
  const rate = percent(conversionRate(counted));
  const affected = lessEnteredText(others, before);
  const fact = `${rate} of the ${named.size > 0 ? 'other ' : ''}codes have been entered since yesterday; usually, ${percent(before)} are.${affected && ` Most affected: ${affected}.`}`;
  return {
    title: 'Fewer codes entered than usual',
    fact,
    text: `${fact} Codes may not be arriving, or bots may be requesting them.`,
    link: { href: `/dashboard/usage?from=${dayBefore(today, 1)}&to=${today}#by-country`, label: 'Show countries' },
  };
}

/** The messages of a day with unusually many; undefined on other days. */
interface HighTraffic {
  readonly usual: number;
  /** The countries that the concerns of applications name, and that are left out of `counted`. */
  readonly named: readonly string[];
  readonly counted: Counted;
  /** Whether at least half of the messages above the usual number went to the named countries. */
  readonly isExplained: boolean;
  /** Whether fewer of the counted codes are entered than usual; undefined if there are too few to judge. */
  readonly isLow: boolean | undefined;
}

/** Reports a day with unusually many messages before it has ended, unless an earlier day had as many. */
export function highTraffic(account: AccountTraffic): HighTraffic | undefined {
  const { today, todayByCountry, usual: before, sentBefore } = account;
  const usual = usualOf(sentBefore);
  if (usual === undefined || today.sent < NOTABLE_MESSAGES || !isHigh(today.sent, usual)) return undefined;
  if (today.sent <= Math.max(...sentBefore)) return undefined;
  const all = namedCountries(account);
  const present = [...all].filter((country) => todayByCountry.has(country));
  const unusual = total(present.map((country) => todayByCountry.get(country)!.sent));
  const isExplained = present.length > 0 && unusual >= (today.sent - usual) / 2;
  // The codes to all countries are compared if that is enough to see that most are customers.
  const named = isConversionLow(today, before) === false ? [] : present;
  const counted = named.length === 0 ? today : countedIn(without(todayByCountry, all));
  return { usual, named, counted, isExplained, isLow: isConversionLow(counted, before) };
}

const TRAFFIC_ADVICE = ' If you did not expect this, check for a loop in your application, and for bots.';

/** ` 90% of the codes were entered, so the recipients are probably customers.`; otherwise what to check. */
function trafficVerdict({ named, counted, isLow }: HighTraffic, usual: Sum): string {
  if (isLow === undefined) return TRAFFIC_ADVICE;
  const countries = LIST.format(named.map(countryInSentence));
  const start = named.length === 0 ? ' ' : ` Without the codes to ${countries}, `;
  const share = `${percent(conversionRate(counted))} of the codes were entered`;
  return isLow
    ? `${start}${named.length === 0 ? 'Only' : 'only'} ${share}, compared with ${percent(conversionRate(usual))} in the ${USUAL_DAYS} days before yesterday.${TRAFFIC_ADVICE}`
    : `${start}${share}, so the recipients are probably customers.`;
}

/** `Mostly customers: 90% of codes entered.`; otherwise what to check. */
function shortVerdict({ named, counted, isLow }: HighTraffic): string {
  if (isLow === undefined) return 'Check for a loop in your application, and for bots.';
  const share = `${percent(conversionRate(counted))} of ${named.length > 0 ? 'other ' : ''}codes entered`;
  return isLow ? `Only ${share}: check for a loop in your application, and for bots.` : `Mostly customers: ${share}.`;
}

/** Whether Home reports a concern about the budget. */
const isShort = (budgets: BudgetsView): boolean => usedShare(budgets) >= BUDGET_ALERTS[1];

/** Whether the application of the budgets sent most of today's messages. */
const hasMostTraffic = ({ messages }: BudgetsView, { today }: AccountTraffic): boolean =>
  messages.used > today.sent / 2;

/** Leaves out traffic that a concern of an application or of a budget already explains. */
export function trafficConcern(account: AccountTraffic): Concern | undefined {
  const { today, sentBefore, now, timeZone } = account;
  const traffic = highTraffic(account);
  if (!traffic || traffic.isExplained) return undefined;
  if (account.applications.some(({ budgets }) => isShort(budgets) && hasMostTraffic(budgets, account)))
    return undefined;
  const day = localDay(now, timeZone);
  return {
    title: `${messagesText(today.sent)} today, usually ${countText(traffic.usual)}`,
    text: `Yesterday's total was ${countText(sentBefore.at(-1)!)}. ${shortVerdict(traffic)}`,
    lastingText: '',
    isQuiet: traffic.isLow === false,
    link: { href: `/dashboard/usage?from=${day}&to=${day}#by-country`, label: 'Show countries' },
  };
}

/**
 * Compares today's messages with usual days. `comparison`: `2,150 messages since midnight, usually 1,070 a day`; `verdict`:
 * ` 91% of the codes were entered, so …`; `short`: the same for Home. All are "" on a day with usual traffic. `isSuspicious`:
 * whether it may be fraud or bots; `isHarmless`: whether the recipients are probably customers.
 */
export function budgetTraffic(budgets: BudgetsView, account: AccountTraffic) {
  const traffic = highTraffic(account);
  const isSuspicious = traffic?.isExplained === true || traffic?.isLow === true;
  if (!traffic || traffic.isExplained || !hasMostTraffic(budgets, account))
    return { comparison: '', verdict: '', short: '', isSuspicious, isHarmless: false };
  const { today, usual } = account;
  const comparison = `${messagesText(today.sent)} since midnight, usually ${countText(traffic.usual)} a day`;
  const verdict = trafficVerdict(traffic, usual);
  return {
    comparison,
    verdict,
    short: shortVerdict(traffic),
    isSuspicious,
    isHarmless: traffic.isLow === false,
  };
}

/** The most channels that a title names. */
const NAMED_CHANNELS = 2;

/** `SMS and voice calls` */
const messagesOf = (channels: readonly ChannelName[]): string =>
  channels.length === 0 || channels.length > NAMED_CHANNELS
    ? 'paid messages'
    : LIST.format(channels.map(channelMessages));

/** `SMS stops`, `SMS and voice calls stop` */
const stopText = (channels: readonly ChannelName[]): string =>
  `${messagesOf(channels)} ${channels.length === 1 && channels[0] !== 'VOICE' ? 'stops' : 'stop'}`;

/** `17 of 20 USD` */
const shortUse = (unit: BudgetUnit, budget: BudgetView, currency: string): string =>
  usedText(unit, budget, currency).replaceAll(/(?<=\d)[.,]00(?= )/g, '');

export function budgetConcern(
  { application, budgets, budgetChannels }: ApplicationTraffic,
  account: AccountTraffic,
): Concern | undefined {
  const { currency, now, timeZone } = account;
  const { heldBack, cost } = budgets;
  if (!isShort(budgets)) return undefined;
  const share = usedShare(budgets);
  const counted = heldBack > 0 ? messagesText(heldBack) : '';
  const refused = counted && ` ${counted} ${heldBack === 1 ? 'was' : 'were'} refused.`;
  const budget = mostUsed(budgets);
  const unit = budget === cost ? 'cost' : 'messages';
  const used = usedText(unit, budget, currency);
  const isUsedUp = share >= 1;
  const usedUp = isUsedUp ? undefined : usedUpTime(budget, now, timeZone);
  const channels = budgetChannels[unit];
  const effect = isUsedUp
    ? `${messagesOf(channels)} refused until ${budgetEnd(now, timeZone)}`
    : usedUp && `${stopText(channels)} ${usedUp}`;
  const limited =
    unit === 'cost' ? 'all SMS, WhatsApp messages and voice calls that cost money' : 'the messages that it limits';
  const { ceilings } = application;
  const { comparison, verdict, short, isSuspicious, isHarmless } = budgetTraffic(budgets, account);
  const limits = { now, currency, ceilings, isSuspicious };
  const raised = usedUp === undefined ? undefined : raisedBudget(unit, budget, limits);
  const advice = raised ? ` ${raiseAdvice(unit, budget, limits)}` : '';
  const name = unit === 'cost' ? 'daily budget' : 'daily message budget';
  // The title gives the cause if it is known. Otherwise, people could mistake a busy day for fraud, and not raise the budget.
  const isBusyDay = isHarmless && usedUp !== undefined;
  const state = isUsedUp ? `${name} used up` : effect ? name : `${name} ${percent(share)} used`;
  const title = [isBusyDay ? 'busy day' : state, effect].filter(Boolean).join(': ');
  const reset = budgetReset(now, timeZone);
  const outlook = effect ? '' : `Resets ${reset}.`;
  // The figures of Home count from midnight of the account's time zone.
  const start = budgetStart(now, timeZone);
  const since = raised ? '' : start === '00:00' ? ' today' : ` since ${start}`;
  const expected = raised ? `, ${expectedText(unit, budget, limits)} expected by ${budgetEnd(now, timeZone)}` : '';
  const amount = shortUse(unit, budget, currency);
  const use = `${isBusyDay ? `Budget${since}: ${amount}` : `${amount} used${since}`}${expected}.`;
  const facts = [use, outlook, counted && `${counted} refused.`];
  return {
    ...titleOf(account, application, title),
    // The cause first, unless it needs a check.
    fact: (isHarmless ? [short, ...facts] : [...facts, short]).filter(Boolean).join(' '),
    text: `${effect ? '' : `When it is used up, ${limited} are refused.`}${refused}${advice}${verdict}`.trim(),
    figures: [`${used} used since ${start} (${percent(share)})`, `resets ${reset}`, comparison]
      .filter(Boolean)
      .join(' · '),
    lastingText: '',
    stopsAt: stopsAt(budgets, now),
    isUrgent: isBudgetUrgent(budgets, now),
    budget: unit,
    link: {
      href: raised
        ? suggestedBudgetPath(application, LIMIT_OF[unit], raised.value)
        : settingsPath(application, 'limits'),
      label: raised ? `Raise budget to ${raised.amount} a day` : 'Change budget',
    },
  };
}
