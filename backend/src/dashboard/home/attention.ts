/** Finds facts of the last days that cost money or customers, the most urgent first. */
import { capitalized } from '../../platform/capitalized.js';
import { dayBefore, localDay } from '../../platform/local-day.js';
import { DAY, HOUR, startOfDay } from '../../platform/clock.js';
import type { Application } from '../../modules/applications/application.js';
import type { Challenged } from '../../modules/fraud/fraud.js';
import { QUIET_MS } from '../../modules/fraud/fraud-overview.js';
import { thresholdsText, unusualPlaces } from '../../modules/fraud/fraud-texts.js';
import { BUDGET_ALERTS, usedShare, usedUpAt } from '../../modules/budgets/budgets.js';
import { countryInSentence, countryName } from '../../modules/recipients/country.js';
import { problemsOf, type DomainView } from '../../modules/sender-domains/sender-domain.js';
import { isAccepted, isPaused, type Webhook } from '../../modules/webhooks/webhook.js';
import { settingsPath } from '../applications/parts.js';
import { SENDER_DOMAINS_PATH } from '../channels/labels.js';
import { momentText } from '../components/time.js';
import { budgetReset, budgetStart, usedUpTime } from '../protection/budget-times.js';
import { protectionPath } from '../protection/protection-pages.js';
import {
  conversionRate,
  countText,
  isHigh,
  JUDGED_CODES,
  moneyText,
  NOTABLE_MESSAGES,
  percent,
  rate,
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

/** Codes that are entered less often than this share of the usual rate do not arrive, or are not wanted. */
const LOW_CONVERSION = 0.75;
/** At most this many countries are named, until they explain this share of the missing codes. */
const NAMED_COUNTRIES = 3;
/** A budget that will be used up within this time is urgent. */
const URGENT_MS = 2 * HOUR;
const EXPLAINED_SHARE = 0.8;

const LIST = new Intl.ListFormat('en-GB');

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

/** Leaves out the countries that the entries of applications name. */
function conversionConcern(account: AccountState): Concern | undefined {
  const { usual, latelyByCountry, now: at, timeZone, applications } = account;
  const named = new Set(applications.flatMap(({ refusals }) => refusals?.unusual.map(({ key }) => key) ?? []));
  const others = new Map([...latelyByCountry].filter(([country]) => !named.has(country)));
  const sums = [...others.values()];
  const codes = total(sums.map((sum) => sum.codes));
  const now = rate(total(sums.map(({ verified }) => verified)), codes);
  const before = conversionRate(usual);
  if (now === undefined || before === undefined || codes < JUDGED_CODES || usual.codes < JUDGED_CODES) return undefined;
  if (now >= LOW_CONVERSION * before) return undefined;
  const today = localDay(at, timeZone);
  return {
    title: 'Fewer codes are entered than usual',
    text: `${percent(now)} of the ${named.size > 0 ? 'other ' : ''}codes sent since yesterday were entered, compared with ${percent(before)} in the ${USUAL_DAYS} days before.${lessEnteredText(others, before)} Codes may not be arriving, or bots may be requesting them.`,
    link: { href: `/dashboard/usage?from=${dayBefore(today, 1)}&to=${today}#by-country`, label: 'Show by country' },
  };
}

const TRAFFIC_ADVICE = ' If you did not expect this, check for a loop in your application, and for bots.';

/** ` 90% of today's codes were entered, as usual, so these are probably customers.`; otherwise what to check. */
function trafficVerdict(today: Sum, usual: Sum): string {
  const now = conversionRate(today);
  const before = conversionRate(usual);
  if (now === undefined || before === undefined || today.codes < JUDGED_CODES || usual.codes < JUDGED_CODES)
    return TRAFFIC_ADVICE;
  return now < LOW_CONVERSION * before
    ? ` Only ${percent(now)} of today's codes were entered, compared with ${percent(before)} in the ${USUAL_DAYS} days before yesterday.${TRAFFIC_ADVICE}`
    : ` ${percent(now)} of today's codes were entered, as usual, so these are probably customers.`;
}

/** Reports unusually many messages today, before the day has ended, unless an earlier day had as many. */
function trafficConcern({ today, usual: before, sentBefore, now, timeZone }: AccountState): Concern | undefined {
  const usual = usualOf(sentBefore);
  if (usual === undefined || today.sent < NOTABLE_MESSAGES || !isHigh(today.sent, usual)) return undefined;
  if (today.sent <= Math.max(...sentBefore)) return undefined;
  const day = localDay(now, timeZone);
  return {
    title: `${countText(today.sent)} messages so far today, compared with ${countText(usual)} on a usual day`,
    text: `The usual number is the median of the last ${sentBefore.length} days. Yesterday had ${countText(sentBefore.at(-1)!)}.${trafficVerdict(today, before)}`,
    lastingText: '',
    link: { href: `/dashboard/usage?from=${day}&to=${day}#by-country`, label: 'Show today' },
  };
}

// Refusals by a manual pause are intended.
const guardPart = ({ refusals }: ApplicationState) => refusals?.parts.find(({ isManual }) => !isManual);

/** The refusals of an attack that goes on after its pause: the countries of all of them are still unusual. */
function continuedPart(state: ApplicationState) {
  const part = guardPart(state);
  const isUnusual = (country: string) => state.refusals!.unusual.some(({ key }) => key === country);
  return part?.pauses === '' && part.countries.every(isUnusual) ? part : undefined;
}

export const messagesText = (count: number): string => (count === 1 ? '1 message' : `${countText(count)} messages`);

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
    title: titleOf(
      account,
      application,
      isOver ? `the fraud guard refused ${messagesText(messages)}` : pauses.slice(0, -1),
    ),
    text: [reason, refused, isCalm && 'Nothing is paused now.'].filter(Boolean).join(' '),
    times: timesOf(['since', since], [`latest refused message${country}:`, refusedAt]),
    isOver,
    link: { href: protectionPath(application), label: 'Open Protection' },
  };
}

function unusualConcern(state: ApplicationState, account: AccountState): Concern | undefined {
  const { currency, now, timeZone } = account;
  const { application, refusals, lastUnusual, unusualCost } = state;
  if (!refusals || refusals.unusual.length === 0) return undefined;
  const since = momentText(startOfDay(now) - DAY, now, timeZone);
  const continued = continuedPart(state);
  const [country, ...others] = continued?.countries ?? [];
  const place = country && others.length === 0 ? ` to ${countryInSentence(country)}` : '';
  const refused = continued
    ? ` Earlier today, ${messagesText(continued.messages)}${place} ${continued.messages === 1 ? 'was' : 'were'} refused.`
    : '';
  const advice = `If the recipients are not your customers, pause these messages.${refused}`;
  const cost = unusualCost === 0 ? '' : ` have cost about ${moneyText(unusualCost, currency)}`;
  const [latest] = lastUnusual;
  const isQuiet = latest !== undefined && latest.at < now - QUIET_MS;
  const isActive = (country: string) => lastUnusual.some((one) => one.country === country && one.at >= now - QUIET_MS);
  const active = refusals.unusual.filter(({ key }) => isActive(key));
  const thresholds = active.length > 0 ? ` ${thresholdsText(active)}` : '';
  const sent = isQuiet
    ? `No message since ${momentText(latest.at, now, timeZone)}. If they start again, they are sent.`
    : active.length < lastUnusual.length
      ? `Messages to ${LIST.format(active.map(({ key }) => countryInSentence(key)))} are still being sent.${cost && ` Messages to these countries${cost} since ${since}.`}`
      : `These messages are still being sent${cost && `, and${cost} since ${since}`}.`;
  return {
    title: titleOf(account, application, unusualPlaces(refusals.unusual)),
    text: `${sent}${thresholds} ${advice}`,
    lastingText: `${cost && `These messages${cost}. `}${advice}`,
    times: isQuiet
      ? []
      : lastUnusual.slice(0, NAMED_COUNTRIES).map(({ country: code, at }, n) => {
          return [`${n === 0 ? 'latest message: ' : ''}${countryName(code)},`, at] as const;
        }),
    isQuiet,
    isUrgent: !isQuiet,
    link: { href: protectionPath(application), label: 'Open Protection' },
  };
}

function budgetConcern({ application, budgets }: ApplicationState, account: AccountState): Concern | undefined {
  const { currency, now, timeZone } = account;
  const { heldBack, cost, messages } = budgets;
  const share = usedShare(budgets);
  if (share < BUDGET_ALERTS[1]) return undefined;
  const refused =
    heldBack > 0 ? ` ${countText(heldBack)} ${heldBack === 1 ? 'message was' : 'messages were'} refused.` : '';
  const isCost = cost.used / cost.limit >= share;
  const used = isCost
    ? `${moneyText(cost.used, currency)} of ${moneyText(cost.limit, currency)}`
    : `${countText(messages.used)} of ${countText(messages.limit)} messages`;
  const budget = isCost ? cost : messages;
  const isUsedUp = share >= 1;
  const stopsAt = isUsedUp ? now : usedUpAt(budget, now);
  const usedUpTitle = isUsedUp ? 'until the daily budget resets' : usedUpTime(budget, now, timeZone);
  const ofBudget = `${percent(Math.min(1, share))} of the daily ${isCost ? 'budget' : 'message budget'} is used`;
  return {
    title: titleOf(
      account,
      application,
      usedUpTitle ? `all paid messages ${isUsedUp ? 'are refused' : 'will stop'} ${usedUpTitle}` : ofBudget,
    ),
    text: `${usedUpTitle ? `${ofBudget}: ${used}` : `${used} used`} since ${budgetStart(now, timeZone)}.${refused} ${isUsedUp ? 'It' : 'When it is used up, all messages that cost money are refused until it'} resets ${budgetReset(now, timeZone)}.`,
    lastingText: '',
    stopsAt,
    isUrgent: stopsAt !== undefined && stopsAt <= now + URGENT_MS,
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
  const reply = last ? ` (${last.status === null ? 'no reply' : `status ${last.status}`})` : '';
  return {
    title: titleOf(account, application, `the webhook to ${hostOf(webhook)} is failing`),
    text: `${failures === 1 ? 'The last call' : `The last ${countText(failures)} calls`} failed${reply}. Events are stored and retried.`,
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
    ...applications.map((application) => unusualConcern(application, account)),
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
  const where = main !== '' && count > messages / 2 ? `${most} to ${countryName(main)}` : '';
  const cost = total(refused.map((one) => one.cost));
  const price =
    cost === 0 ? '' : ` ${messages === 1 ? 'It' : 'They'} would have cost about ${moneyText(cost, currency)}.`;
  return ` The fraud guard refused ${countText(messages)} ${messages === 1 ? 'message' : 'messages'}${where}.${price}`;
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
  const [one, many] = challenged.every(({ isServed }) => isServed) ? ['customer', 'customers'] : ['person', 'people'];
  return ` ${countText(people)} ${people === 1 ? one : many}${where} had to complete an extra check.`;
}

/** Messages of a day or week that has ended. */
export interface EndedPeriod {
  readonly sum: Sum;
  readonly refused: readonly Refused[];
  readonly challenged: readonly Challenged[];
}

/** Describes a period that has ended: `1,204 messages were sent, and 91% of the codes were entered.` */
export function periodText({ sum, refused, challenged }: EndedPeriod, currency: string): string {
  const { sent, failed } = sum;
  const guarded = `${refusedText(refused, currency)}${challengedText(challenged)}`;
  if (sent + failed === 0) return `No messages were sent.${guarded}`;
  const entered = conversionRate(sum);
  const codes = entered === undefined ? '' : `, and ${percent(entered)} of the codes were entered`;
  const failures = failed === 0 ? '' : ` ${countText(failed)} ${failed === 1 ? 'message' : 'messages'} failed.`;
  return `${countText(sent)} ${sent === 1 ? 'message was' : 'messages were'} sent${codes}.${failures}${guarded}`;
}
