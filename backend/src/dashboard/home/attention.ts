/** Finds facts of the last days that cost money or customers, the most urgent first. */
import { LIST } from '../../platform/list.js';
import { capitalized } from '../../platform/capitalized.js';
import { dayBefore, localDay } from '../../platform/local-day.js';
import type { Application } from '../../modules/applications/application.js';
import type { Challenged } from '../../modules/fraud/fraud.js';
import {
  BUDGET_ALERTS,
  isBudgetUrgent,
  mostUsed,
  stopsAt,
  usedShare,
  type BudgetsView,
} from '../../modules/budgets/budgets.js';
import { countryInSentence } from '../../modules/recipients/country.js';
import { problemsOf, type DomainView } from '../../modules/sender-domains/sender-domain.js';
import { isAccepted, isPaused, type Webhook } from '../../modules/webhooks/webhook.js';
import { settingsPath } from '../applications/parts.js';
import { dateText, momentText } from '../components/time.js';
import { SENDER_DOMAINS_PATH } from '../channels/labels.js';
import { budgetReset, budgetStart, usedUpTime } from '../protection/budget-times.js';
import { protectionPath } from '../protection/protection-pages.js';
import {
  countedSince,
  countedText,
  isOneCountry,
  messagesPath,
  situationsOf,
  sendingText,
  unusualAdvice,
  unusualTitle,
  type Unusual,
} from '../protection/unusual.js';
import {
  conversionRate,
  countText,
  isHigh,
  isLow,
  JUDGED_CODES,
  messagesText,
  moneyText,
  NOTABLE_MESSAGES,
  percent,
  total,
  usualOf,
  type Sum,
} from '../usage/figures.js';
import { hostOf, webhookPath } from '../webhooks/labels.js';
import {
  timesOf,
  USUAL_DAYS,
  type AccountState,
  type ApplicationState,
  type CalledWebhook,
  type Concern,
  type ManualPauses,
} from './concern.js';
import { failuresConcern, outageConcern, outageOf, providerConcern, rescueConcerns } from './outages.js';

/** At most this many countries are named, until they explain this share of the missing codes. */
const NAMED_COUNTRIES = 3;
const EXPLAINED_SHARE = 0.8;

/** Names the application, unless it is the only one. */
const titleOf = ({ applications }: AccountState, { name }: Application, text: string): string =>
  applications.length > 1 ? `${name}: ${text}` : capitalized(text);

function domainConcern(view: DomainView): Concern | undefined {
  const checks = [...new Set(problemsOf(view).map(({ check }) => check))];
  if (checks.length === 0) return undefined;
  return {
    title: `Emails from ${view.domain} may be rejected or end up in spam`,
    text: `DNS records are missing or wrong: ${checks.join(', ')}.`,
    link: { href: SENDER_DOMAINS_PATH, label: 'Show how to correct it' },
  };
}

/** ` Most affected are codes to Cuba (0 of 25 entered).`; "" if a few countries do not explain most of the missing codes. */
function lessEnteredText(countries: AccountState['latelyByCountry'], usualRate: number): string {
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
    return `${place} (${countText(verified)} of ${countText(codes)} entered)`;
  });
  return ` Most affected are codes to ${LIST.format(texts)}.`;
}

/** The countries that the concerns of applications name. */
export const namedCountries = ({ applications }: AccountState): ReadonlySet<string> =>
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
function conversionConcern(account: AccountState): Concern | undefined {
  const { usual, latelyByCountry, now: at, timeZone } = account;
  const named = namedCountries(account);
  const others = without(latelyByCountry, named);
  const counted = countedIn(others);
  if (!isConversionLow(counted, usual)) return undefined;
  const before = conversionRate(usual)!;
  const today = localDay(at, timeZone);
  return {
    title: 'Fewer codes are entered than usual',
    text: `${percent(conversionRate(counted))} of the ${named.size > 0 ? 'other ' : ''}codes sent since yesterday were entered, compared with ${percent(before)} in the ${USUAL_DAYS} days before.${lessEnteredText(others, before)} Codes may not be arriving, or bots may be requesting them.`,
    link: { href: `/dashboard/usage?from=${dayBefore(today, 1)}&to=${today}#by-country`, label: 'Show by country' },
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
function highTraffic(account: AccountState): HighTraffic | undefined {
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

/** ` 90% of the codes were entered, so these are probably customers.`; otherwise what to check. */
function trafficVerdict({ named, counted, isLow }: HighTraffic, usual: Sum): string {
  if (isLow === undefined) return TRAFFIC_ADVICE;
  const countries = LIST.format(named.map(countryInSentence));
  const start = named.length === 0 ? ' ' : ` Without the codes to ${countries}, `;
  const share = `${percent(conversionRate(counted))} of the codes were entered`;
  return isLow
    ? `${start}${named.length === 0 ? 'Only' : 'only'} ${share}, compared with ${percent(conversionRate(usual))} in the ${USUAL_DAYS} days before yesterday.${TRAFFIC_ADVICE}`
    : `${start}${share}, so these are probably customers.`;
}

/** Whether Home reports a concern about the budget. */
const isShort = (budgets: BudgetsView): boolean => usedShare(budgets) >= BUDGET_ALERTS[1];

/** Whether the application of the budgets sent most of today's messages. */
const hasMostTraffic = ({ messages }: BudgetsView, { today }: AccountState): boolean => messages.used > today.sent / 2;

/** Leaves out traffic that a concern of an application or of a budget already explains. */
function trafficConcern(account: AccountState): Concern | undefined {
  const { today, usual: before, sentBefore, now, timeZone } = account;
  const traffic = highTraffic(account);
  if (!traffic || traffic.isExplained) return undefined;
  if (account.applications.some(({ budgets }) => isShort(budgets) && hasMostTraffic(budgets, account)))
    return undefined;
  const day = localDay(now, timeZone);
  return {
    title: `${countText(today.sent)} messages so far today, compared with ${countText(traffic.usual)} on a usual day`,
    text: `The usual number is the median of the last ${sentBefore.length} days. Yesterday had ${countText(sentBefore.at(-1)!)}.${trafficVerdict(traffic, before)}`,
    lastingText: '',
    isQuiet: traffic.isLow === false,
    link: { href: `/dashboard/usage?from=${day}&to=${day}#by-country`, label: 'Show today' },
  };
}

// Refusals by a manual pause are intended.
const guardPart = ({ refusals }: ApplicationState) => refusals?.parts.find(({ isManual }) => !isManual);

/** The refusals of an attack that goes on after its pause: the countries of all of them are still unusual. */
function continuedPart(state: ApplicationState) {
  const part = guardPart(state);
  const isUnusual = (country: string) => state.refusals!.unusual.some(({ key }) => key === country);
  return part?.pauses === '' && part.refusals.every(({ country }) => isUnusual(country)) ? part : undefined;
}

/** Describes the pauses and refusals of the guard. The concern is over once the pauses have ended. */
function refusalConcern(state: ApplicationState, account: AccountState): Concern | undefined {
  const { application, refusals, lastRefused: last } = state;
  const part = guardPart(state);
  if (!part || continuedPart(state)) return undefined;
  const { pauses, reason, messages, refused, since } = part;
  const isOver = pauses === '';
  const country = last?.country ? ` to ${countryInSentence(last.country)}` : '';
  // Earlier messages were not refused because of the current pauses.
  const refusedAt = last && last.at >= (since ?? 0) ? last.at : undefined;
  const isCalm = refusals?.parts.every((one) => one.pauses === '');
  return {
    title: titleOf(account, application, isOver ? `Protection refused ${messagesText(messages)}` : pauses.slice(0, -1)),
    fact: refused,
    text: [reason, refused, isCalm && 'Nothing is paused now.'].filter(Boolean).join(' '),
    times: timesOf(['since', since], [`latest refused message${country}:`, refusedAt]),
    isOver,
    link: { href: protectionPath(application), label: 'Open Protection' },
  };
}

/** `48 of today's 110 messages went to these countries.`; "" if the traffic has a concern of its own. */
function shareText({ countries }: Unusual, account: AccountState): string {
  if (!highTraffic(account)?.isExplained) return '';
  const { today, todayByCountry } = account;
  const sent = total(countries.map(({ key }) => todayByCountry.get(key)?.sent ?? 0));
  const where = countries.length === 1 ? 'this country' : 'these countries';
  return `${countText(sent)} of today's ${messagesText(today.sent)} went to ${where}.`;
}

/** `0 of 10 codes were entered in Cuba since yesterday. All these messages cost about 0.50 USD. Passbell refused 20 more messages.` */
function unusualFacts(unusual: Unusual, state: ApplicationState, account: AccountState): readonly string[] {
  const { currency, now, timeZone } = account;
  const found = unusual.countries.flatMap(({ key }) => state.unusual.get(key) ?? []);
  const cost = total(found.map((one) => one.cost));
  // Other refusals have a concern of their own.
  const refused = !guardPart(state) || continuedPart(state) ? total(found.map((one) => one.refused)) : 0;
  return [
    cost > 0 ? `All these messages cost about ${moneyText(cost, currency)}.` : '',
    refused > 0 ? `Passbell refused ${countText(refused)} more ${refused === 1 ? 'message' : 'messages'}.` : '',
    unusual.report && !unusual.isQuiet ? '' : sendingText(unusual, timeZone, now),
  ];
}

/** `0 of 23 codes entered, latest message at 07:09` */
function enteredText({ countries, newest }: Unusual, { now, timeZone }: AccountState): string {
  const verified = total(countries.map((one) => one.verified));
  const sent = total(countries.map((one) => one.sent));
  const latest = newest === undefined ? '' : `, latest message at ${momentText(newest, now, timeZone)}`;
  return `${countText(verified)} of ${countText(sent)} codes entered${latest}`;
}

function unusualConcern(unusual: Unusual, state: ApplicationState, account: AccountState): Concern {
  const { now, timeZone } = account;
  const { countries, isQuiet, hasCustomers, newest, report } = unusual;
  const { application } = state;
  const named = countries.flatMap(({ key }) => (key === '' ? [] : [key]));
  const at = protectionPath(application);
  const [cost, ...facts] = unusualFacts(unusual, state, account);
  const sentencesOf = (...texts: readonly (string | undefined)[]) =>
    [...texts, unusualAdvice(unusual)].filter(Boolean).join(' ');
  return {
    title: titleOf(account, application, unusualTitle(unusual)),
    fact: enteredText(unusual, account),
    text: sentencesOf(shareText(unusual, account), countedText(unusual), cost, ...facts),
    lastingText: sentencesOf(countedText(unusual, `since ${dateText(countedSince(now), timeZone)}`), cost),
    times: timesOf(['latest message:', isQuiet ? undefined : newest]),
    isQuiet,
    isUrgent: !isQuiet,
    link:
      hasCustomers && isOneCountry(unusual)
        ? { href: messagesPath(application.appKey, named[0]!, now, timeZone), label: 'Show messages' }
        : { href: at, label: 'Open Protection' },
    pause:
      named.length > 0 && named.length <= NAMED_COUNTRIES
        ? { at, countries: named, isFirst: !hasCustomers || report === 'delivered', isDoubtful: hasCustomers }
        : undefined,
  };
}

/** Lists countries with few entered codes, those in the same situation together. */
function unusualConcerns(state: ApplicationState, account: AccountState): Concern[] {
  const latestTo = (country: string) => state.unusual.get(country)?.latest;
  const situations = situationsOf(state.refusals?.unusual ?? [], latestTo, account.now);
  return situations.map((unusual) => unusualConcern(unusual, state, account));
}

/** ` Already twice a usual day: 2,150 messages (usually 1,070). 91% of the codes were entered, so …`; "" on other days. */
function budgetTraffic(budgets: BudgetsView, account: AccountState): string {
  const traffic = highTraffic(account);
  if (!traffic || traffic.isExplained || !hasMostTraffic(budgets, account)) return '';
  const { today, usual } = account;
  const factor = Math.floor(today.sent / traffic.usual);
  const times = factor === 2 ? 'twice' : `${countText(factor)} times`;
  return ` Already ${times} a usual day: ${messagesText(today.sent)} (usually ${countText(traffic.usual)}).${trafficVerdict(traffic, usual)}`;
}

function budgetConcern({ application, budgets }: ApplicationState, account: AccountState): Concern | undefined {
  const { currency, now, timeZone } = account;
  const { heldBack, cost, messages } = budgets;
  if (!isShort(budgets)) return undefined;
  const share = usedShare(budgets);
  const refused =
    heldBack > 0 ? ` ${countText(heldBack)} ${heldBack === 1 ? 'message was' : 'messages were'} refused.` : '';
  const budget = mostUsed(budgets);
  const isCost = budget === cost;
  const used = isCost
    ? `${moneyText(cost.used, currency)} of ${moneyText(cost.limit, currency)}`
    : `${countText(messages.used)} of ${countText(messages.limit)} messages`;
  const isUsedUp = share >= 1;
  const usedUpTitle = isUsedUp ? 'until the daily budget resets' : usedUpTime(budget, now, timeZone);
  const effect = usedUpTitle
    ? 'The budget resets'
    : 'When it is used up, all messages that cost money are refused until it resets';
  const ofBudget = `${percent(Math.min(1, share))} of the daily ${isCost ? 'budget' : 'message budget'} is used`;
  return {
    title: titleOf(
      account,
      application,
      usedUpTitle ? `messages that cost money ${isUsedUp ? 'are refused' : 'will stop'} ${usedUpTitle}` : ofBudget,
    ),
    fact: `${used} used`,
    text: `${usedUpTitle ? `${ofBudget}: ${used}` : `${used} used`} since ${budgetStart(now, timeZone)}.${refused} ${effect} ${budgetReset(now, timeZone)}.${budgetTraffic(budgets, account)}`,
    lastingText: '',
    stopsAt: stopsAt(budgets, now),
    isUrgent: isBudgetUrgent(budgets, now),
    link: { href: settingsPath(application, 'limits'), label: 'Change the budget' },
  };
}

export const isFailing = (webhook: Webhook): boolean => webhook.failures > 0 && !isPaused(webhook);

function webhookConcern(application: Application, webhook: CalledWebhook, account: AccountState): Concern {
  const { calls, failures } = webhook;
  const success = calls.findIndex(({ status }) => isAccepted(status));
  const failed = success < 0 ? calls : calls.slice(0, success);
  const [last] = failed;
  // Otherwise, it may have failed before the oldest stored call.
  const isComplete = success >= 0 || failed.length >= failures;
  const lastCalls = failures === 1 ? 'the last call' : `the last ${countText(failures)} calls`;
  const result =
    !last || last.status === null
      ? `Your server did not reply to ${lastCalls}.`
      : `Your server rejected ${lastCalls} with status ${last.status}.`;
  return {
    title: titleOf(account, application, `the webhook to ${hostOf(webhook)} is failing`),
    fact: result,
    text: `${result} Passbell stores the events and tries again.`,
    times: timesOf(
      ['since', isComplete ? failed.at(-1)?.calledAt : undefined],
      ['latest failed call:', last?.calledAt],
    ),
    link: { href: webhookPath(application, webhook), label: 'Open the webhook' },
  };
}

const webhookConcerns = ({ application, webhooks }: ApplicationState, account: AccountState): Concern[] =>
  webhooks.filter(isFailing).map((webhook) => webhookConcern(application, webhook, account));

/** Returns what is urgent first, then what needs a decision, then what is quiet or over; of each, first what stops all messages soonest. */
export function concernsOf(account: AccountState): readonly Concern[] {
  const { channels, domains, applications } = account;
  const outage = outageOf(account);
  const concerns = [
    ...channels.map((channel) => providerConcern(channel, account)),
    outage ? outageConcern(outage, account) : failuresConcern(account),
    ...applications.flatMap((application) => unusualConcerns(application, account)),
    conversionConcern(account),
    ...applications.map((application) => refusalConcern(application, account)),
    ...applications.map((application) => budgetConcern(application, account)),
    trafficConcern(account),
    ...applications.flatMap((application) => webhookConcerns(application, account)),
    ...domains.map(domainConcern),
    ...(outage ? [] : rescueConcerns(account)),
  ].filter((concern) => concern !== undefined);
  const rankOf = ({ isUrgent, isOver, isQuiet }: Concern) => (isOver ? 3 : isQuiet ? 2 : isUrgent ? 0 : 1);
  // Problems that already stop messages keep their order.
  const dueOf = ({ stopsAt = Infinity }: Concern) => Math.max(stopsAt, account.now);
  return concerns.sort((a, b) => rankOf(a) - rankOf(b) || (dueOf(a) === dueOf(b) ? 0 : dueOf(a) - dueOf(b)));
}

/** Describes manual pauses, and the messages that they refused: `Brazil is paused manually.` */
export const manualPausesOf = (account: AccountState): readonly ManualPauses[] =>
  account.applications.flatMap(({ application, refusals }) => {
    const part = refusals?.parts.find(({ isManual, pauses }) => isManual && pauses !== '');
    if (!part) return [];
    const text = titleOf(account, application, [part.pauses, part.refused].filter(Boolean).join(' '));
    return { text, href: protectionPath(application) };
  });

/** Messages that the fraud guard refused. */
export interface Refused {
  readonly messages: number;
  /** ISO 3166 code; "" for numbers without a country. */
  readonly country: string;
  /** Estimated cost of the messages, in ten-thousandths of a currency unit; 0 if the price is unknown. */
  readonly cost: number;
}

function refusedText(refused: readonly Refused[], currency: string): string {
  const messages = total(refused.map((one) => one.messages));
  if (messages === 0) return '';
  const countries = new Map<string, number>();
  for (const { country, messages: count } of refused) countries.set(country, (countries.get(country) ?? 0) + count);
  const [main, count] = [...countries].sort(([, a], [, b]) => b - a)[0]!;
  const most = count === messages ? '' : ', most of them';
  const where = main !== '' && count > messages / 2 ? `${most} to ${countryInSentence(main)}` : '';
  const cost = total(refused.map((one) => one.cost));
  const price =
    cost === 0 ? '' : ` ${messages === 1 ? 'It' : 'They'} would have cost about ${moneyText(cost, currency)}.`;
  return ` Protection refused ${messagesText(messages)}${where}.${price}`;
}

function challengedText(challenged: readonly Challenged[]): string {
  const people = total(challenged.map((one) => one.people));
  if (people === 0) return '';
  const [{ country, people: most }] = challenged as [Challenged];
  const isOne = challenged.every((one) => one.country === country);
  const where =
    country !== '' && most > people / 2
      ? `${isOne ? '' : ', most of them'} in ${countryInSentence(country)}${isOne ? '' : ','}`
      : '';
  return ` ${countText(people)} ${people === 1 ? 'recipient' : 'recipients'}${where} had to solve a challenge first.`;
}

/** Messages of a day or week that has ended. */
export interface EndedPeriod {
  readonly sum: Sum;
  /** The countries with messages that the concerns of applications name, and the messages to all others. */
  readonly named: readonly string[];
  readonly others: Sum;
  readonly refused: readonly Refused[];
  readonly challenged: readonly Challenged[];
}

/** Describes a period that has ended: `1,204 messages were sent, and 91% of the codes were entered.` */
export function periodText({ sum, named, others, refused, challenged }: EndedPeriod, currency: string): string {
  const { sent, failed } = sum;
  const guarded = `${refusedText(refused, currency)}${challengedText(challenged)}`;
  if (sent + failed === 0) return `No messages were sent.${guarded}`;
  const entered = conversionRate(sum);
  const without = conversionRate(others);
  const isExplained = without !== undefined && entered !== undefined && isLow(entered, without);
  const reason = isExplained
    ? ` (${percent(without)} without ${LIST.format(named.map((country) => countryInSentence(country)))})`
    : '';
  const codes = entered === undefined ? '' : `, and ${percent(entered)} of the codes were entered${reason}`;
  const failures = failed === 0 ? '' : ` ${countText(failed)} ${failed === 1 ? 'message' : 'messages'} failed.`;
  return `${countText(sent)} ${sent === 1 ? 'message was' : 'messages were'} sent${codes}.${failures}${guarded}`;
}
