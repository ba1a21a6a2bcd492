/** Finds facts of the last days that cost money or customers, the most urgent first. */
import type { ChannelName } from '../../platform/contract/channels.js';
import { dayBefore, localDay, startOfLocalDay, UTC } from '../../platform/local-day.js';
import { DAY, MINUTE, startOfDay } from '../../platform/clock.js';
import type { Application } from '../../modules/applications/application.js';
import type { Challenged } from '../../modules/fraud/fraud.js';
import type { FraudNewsOf } from '../../modules/fraud/fraud-overview.js';
import {
  acceptedAttempt,
  type Attempt,
  type Message,
  type Rescued,
  type VisibleState,
} from '../../modules/messages/message.js';
import { BUDGET_ALERTS, usedShare, type BudgetsView } from '../../modules/budgets/budgets.js';
import type { ChannelView } from '../../modules/providers/channel-view.js';
import { countryInSentence, countryName } from '../../modules/recipients/country.js';
import { problemsOf, type DomainView } from '../../modules/sender-domains/sender-domain.js';
import { isAccepted, isPaused, type Attempt as Call, type Webhook } from '../../modules/webhooks/webhook.js';
import { localText } from '../../platform/local-time.js';
import { settingsPath } from '../applications/parts.js';
import { groupBy } from '../group-by.js';
import { providerPath, SENDER_DOMAINS_PATH } from '../channels/labels.js';
import { urlOf } from '../messages/filter.js';
import { CHANNEL_NAMES, channelInSentence } from '../messages/labels.js';
import { protectionPath } from '../protection/protection-pages.js';
import { conversionRate, countText, moneyText, percent, rate, total, type Sum } from '../usage/figures.js';
import { hostOf, webhookPath } from '../webhooks/labels.js';

export interface Concern {
  readonly title: string;
  readonly text: string;
  /** When it started, in epoch milliseconds; undefined if unknown. */
  readonly since?: number | undefined;
  /** The latest sign of it, such as a failed message, and its time in epoch milliseconds; undefined if unknown. */
  readonly latest?: { readonly what: string; readonly at: number } | undefined;
  /** Whether it has ended, so that nothing needs to be done at once. */
  readonly isOver?: boolean;
  readonly link: { readonly href: string; readonly label: string };
}

/** A webhook with its latest calls, newest first; without calls if it works, or if the person may not see them. */
export type CalledWebhook = Webhook & { readonly calls: readonly Call[] };

export interface ApplicationState {
  readonly application: Application;
  readonly webhooks: readonly CalledWebhook[];
  readonly budgets: BudgetsView;
  /** The fraud guard's pauses and refusals; undefined without any. */
  readonly refusals: Omit<FraudNewsOf, 'application'> | undefined;
  /** The latest message that the guard refused today; undefined without any. */
  readonly lastRefused: { readonly country: string; readonly at: number } | undefined;
}

/** The number of days before yesterday that the latest days are compared with. */
export const USUAL_DAYS = 12;

/** The number of failed and of expired messages that are counted one by one. */
export const COUNTED_FAILURES = 100;

export interface Failure extends Pick<Message, 'channel' | 'createdAt' | 'finishedAt' | 'state'> {
  /** Why the attempts failed; "" if none was made. */
  readonly problem: string;
}

/** When the newest message that a provider accepted was created, by channel. */
export type LastSent = ReadonlyMap<ChannelName, number>;

export interface AccountState {
  readonly channels: readonly ChannelView[];
  readonly domains: readonly DomainView[];
  readonly applications: readonly ApplicationState[];
  /** The latest failed and expired messages, newest first, at most {@link COUNTED_FAILURES} of each. */
  readonly failures: readonly Failure[];
  readonly lastSent: LastSent;
  /** The latest messages that were sent after a failed attempt, newest first. */
  readonly rescued: readonly Rescued[];
  readonly currency: string;
  /** IANA name of the account's time zone. */
  readonly timeZone: string;
  readonly now: number;
  readonly today: Sum;
  /** The sum of yesterday and today. */
  readonly lately: Sum;
  /** The same by country; "" for email. */
  readonly latelyByCountry: ReadonlyMap<string, Sum>;
  /** The sum of the days before yesterday. */
  readonly usual: Sum;
}

/** Fewer failures are everyday life, such as numbers with a typing error. */
const NOTABLE_FAILURES = 5;
const NOTABLE_FAILURE_RATE = 0.05;
/** As many failures within this time, and as many times more than usual, are an outage. */
const OUTAGE_MS = 30 * MINUTE;
const OUTAGE_FAILURES = 20;
const OUTAGE_FACTOR = 5;
/** A rate is compared only if it is the result of this many codes. */
const JUDGED_CODES = 50;
/** Codes that are entered less often than this share of the usual rate do not arrive, or are not wanted. */
const LOW_CONVERSION = 0.75;
/** At most this many countries are named, until they explain this share of the missing codes. */
const NAMED_COUNTRIES = 3;
const EXPLAINED_SHARE = 0.8;

type Failures = readonly Failure[];

const LIST = new Intl.ListFormat('en-GB');

const latestOf = (what: string, at: number | undefined): Concern['latest'] =>
  at === undefined ? undefined : { what, at };

/** `10 messages`; `at least 120 messages` if older ones since then were not read. */
function failureCount(affected: Failures, failures: Failures, since: number): string {
  const isCut = (['failed', 'expired'] as const).some((state) => {
    const read = failures.filter((message) => message.state === state);
    return read.length >= COUNTED_FAILURES && (read.at(-1)!.finishedAt ?? 0) >= since;
  });
  return `${isCut ? 'at least ' : ''}${countText(affected.length)} ${affected.length === 1 ? 'message' : 'messages'}`;
}

/** The failing provider of a channel, and since when it fails. */
function failingOf({ channel, state }: ChannelView) {
  if (!('through' in state) || state.state.kind !== 'failing') return undefined;
  return { channel, through: state.through, ...state.state };
}

/** A failed attempt of a message that another provider or channel then sent. */
interface Rescue extends Rescued {
  readonly failed: Attempt;
}

const rescuesOf = (rescued: AccountState['rescued']): Rescue[] =>
  rescued.flatMap((message) =>
    message.attempts
      .filter(({ success, provider }) => !success && provider !== undefined)
      .map((failed) => ({ ...message, failed })),
  );

/** ` 41 messages went through Vonage instead.`; "" if none did. */
function insteadText(rescues: readonly Rescue[]): string {
  const through = rescues.map((rescue) => acceptedAttempt(rescue)?.provider ?? CHANNEL_NAMES[rescue.channel]);
  const count = rescues.length === 1 ? '1 message' : `${countText(rescues.length)} messages`;
  return rescues.length === 0 ? '' : ` ${count} went through ${LIST.format(new Set(through))} instead.`;
}

function providerConcern(view: ChannelView, { failures, rescued }: AccountState): Concern | undefined {
  const failing = failingOf(view);
  if (!failing) return undefined;
  const { channel, through, reason, since } = failing;
  const affected = failures.filter((message) => message.channel === channel && (message.finishedAt ?? 0) >= since);
  const lost =
    affected.length === 0 ? '' : ` Since then, ${failureCount(affected, failures, since)} failed or expired.`;
  const rescues = rescuesOf(rescued).filter(
    ({ failed }) => failed.provider === through.name && failed.channel === channel && (failed.at ?? 0) >= since,
  );
  return {
    title: `${through.name} is failing on ${CHANNEL_NAMES[channel]}`,
    text: `The last attempt failed because ${reason}.${lost}${insteadText(rescues)}`,
    since,
    latest: latestOf('failed message', affected[0]?.createdAt),
    link: { href: providerPath(through.id), label: 'Open the provider' },
  };
}

function domainConcern(view: DomainView): Concern | undefined {
  const checks = [...new Set(problemsOf(view).map(({ check }) => check))];
  if (checks.length === 0) return undefined;
  return {
    title: `Emails from ${view.domain} may be rejected or end up in spam`,
    text: `DNS records are missing or wrong: ${checks.join(', ')}.`,
    link: { href: SENDER_DOMAINS_PATH, label: 'Show how to correct it' },
  };
}

/** The most messages that were created within {@link OUTAGE_MS}, newest first. */
function worstOf<Dated extends Pick<Message, 'createdAt'>>(failures: readonly Dated[]): readonly Dated[] {
  const within = ({ createdAt }: Dated) =>
    failures.filter((other) => other.createdAt <= createdAt && other.createdAt > createdAt - OUTAGE_MS);
  const none: readonly Dated[] = [];
  return failures.map(within).reduce((worst, some) => (some.length > worst.length ? some : worst), none);
}

function mostCommon(texts: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
}

/** The list of the messages that ended in the most common state of these failures. */
const failuresLink = (failures: Failures, from: number, until: number | undefined, zone: string): Concern['link'] => {
  const state = mostCommon(failures.map((failure) => failure.state)) as VisibleState | undefined;
  return { href: urlOf('/messages', { state: state ?? 'failed', from, until, zone }), label: 'Show the messages' };
};

/** Whether later messages were sent on the channel. */
const isRecovered = (newest: Failure, { lastSent }: AccountState): boolean =>
  (lastSent.get(newest.channel) ?? 0) > newest.createdAt;

const clockText = (ms: number, timeZone: string): string => localText(ms, timeZone).slice(11);

/** `between 02:10 and 02:29 (Europe/Berlin)` */
const betweenText = (first: number, last: number, timeZone: string): string =>
  `between ${clockText(first, timeZone)} and ${clockText(last, timeZone)} (${timeZone})`;

/** ` Later SMS messages were sent, the latest at 09:48.` */
function recoveryText(newest: Failure | undefined, account: AccountState): string {
  if (!newest) return '';
  const name = channelInSentence(newest.channel);
  if (!isRecovered(newest, account)) return ` No message has been sent by ${name} since then.`;
  const sentAt = account.lastSent.get(newest.channel)!;
  return ` Later messages were sent by ${name}, the latest at ${clockText(sentAt, account.timeZone)}.`;
}

/** Describes an outage that may be over: many more failures in a short time than are usual. */
function outageConcern(account: AccountState): Concern | undefined {
  const { failures, rescued, now, timeZone, usual } = account;
  const worst = worstOf(failures.filter(({ createdAt }) => createdAt > now - DAY));
  const usually = (usual.failed * OUTAGE_MS) / (USUAL_DAYS * DAY);
  if (worst.length < OUTAGE_FAILURES || worst.length < OUTAGE_FACTOR * usually) return undefined;
  const last = worst[0]!.createdAt;
  const first = worst.at(-1)!.createdAt;
  const problem = mostCommon(worst.map((one) => one.problem).filter((text) => text !== ''));
  const rescues = rescuesOf(rescued).filter(({ createdAt }) => createdAt >= first && createdAt <= last);
  return {
    title: `${failureCount(worst, failures, first)} failed ${betweenText(first, last, timeZone)}`,
    text: `${problem === undefined ? '' : `${problem}. `}They did not reach their recipients.${insteadText(rescues)}${recoveryText(worst[0], account)}`,
    isOver: isRecovered(worst[0]!, account),
    link: failuresLink(worst, first, last, timeZone),
  };
}

/** Describes providers that failed while other providers or channels sent the messages. */
function rescueConcerns({ rescued, channels, timeZone: zone }: AccountState): Concern[] {
  const failing = channels.map(failingOf);
  return groupBy(rescuesOf(rescued), ({ failed }) => `${failed.channel} ${failed.provider}`).flatMap((group) => {
    const worst = worstOf(group);
    const { channel, provider } = group[0]!.failed;
    if (worst.length < NOTABLE_FAILURES) return [];
    if (failing.some((one) => one?.channel === channel && one.through.name === provider)) return [];
    const last = worst[0]!.createdAt;
    const first = worst.at(-1)!.createdAt;
    return {
      title: `${provider} failed on ${CHANNEL_NAMES[channel]} ${betweenText(first, last, zone)}`,
      text: `Reason: ${mostCommon(worst.map(({ failed }) => failed.message))}.${insteadText(worst)}`,
      isOver: true,
      link: { href: urlOf('/messages', { from: first, until: last, zone }), label: 'Show the messages' },
    };
  });
}

function failuresConcern(account: AccountState): Concern | undefined {
  const { today, failures, now, timeZone } = account;
  const { sent, failed } = today;
  const share = rate(failed, sent + failed);
  if (failed < NOTABLE_FAILURES || share === undefined || share < NOTABLE_FAILURE_RATE) return undefined;
  return {
    title: `${countText(failed)} messages failed or expired today`,
    text: `That is ${percent(share)} of today's messages. The messages did not reach their recipients.${recoveryText(failures[0], account)}`,
    latest: latestOf('failed message', failures[0]?.createdAt),
    isOver: failures[0] !== undefined && isRecovered(failures[0], account),
    link: failuresLink(failures, startOfLocalDay(localDay(now, timeZone), timeZone), undefined, timeZone),
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

function conversionConcern({ lately, usual, latelyByCountry, now: at, timeZone }: AccountState): Concern | undefined {
  const now = conversionRate(lately);
  const before = conversionRate(usual);
  if (now === undefined || before === undefined || lately.codes < JUDGED_CODES || usual.codes < JUDGED_CODES)
    return undefined;
  if (now >= LOW_CONVERSION * before) return undefined;
  const today = localDay(at, timeZone);
  return {
    title: 'Fewer codes are entered than usual',
    text: `${percent(now)} of the codes sent since yesterday were entered, compared with ${percent(before)} in the days before.${lessEnteredText(latelyByCountry, before)} Codes may not be arriving, or bots may be requesting them.`,
    link: { href: `/dashboard/usage?from=${dayBefore(today, 1)}&to=${today}#by-country`, label: 'Show by country' },
  };
}

function refusalConcern({ application, refusals, lastRefused }: ApplicationState): Concern | undefined {
  if (!refusals) return undefined;
  const { pauses, reason, refused, since } = refusals;
  if (pauses === '' && refused === '') return undefined;
  const country = lastRefused?.country ? ` to ${countryInSentence(lastRefused.country)}` : '';
  // Earlier messages were not refused because of the current pauses.
  const refusedAt = lastRefused && lastRefused.at >= (since ?? 0) ? lastRefused.at : undefined;
  const isOver = pauses === '';
  return {
    title: `${application.name}: ${isOver ? 'the fraud guard refused messages; nothing is paused now' : pauses.slice(0, -1)}`,
    text: [reason, refused].filter(Boolean).join(' '),
    since,
    latest: latestOf(`refused message${country}`, refusedAt),
    isOver,
    link: { href: protectionPath(application), label: 'Open Protection' },
  };
}

function unusualConcern({ application, refusals }: ApplicationState): Concern | undefined {
  if (!refusals?.unusual) return undefined;
  return {
    title: `${application.name}: few codes are entered (${refusals.unusual})`,
    text: 'Counted since yesterday. Messages are still sent. Pause them if these are not your customers.',
    link: { href: protectionPath(application), label: 'Open Protection' },
  };
}

/** Daily budgets are reset at midnight UTC: `until 02:00 (Europe/Berlin)`. */
function untilReset({ now, timeZone }: Pick<AccountState, 'now' | 'timeZone'>): string {
  if (timeZone === UTC) return 'until midnight UTC';
  return `until ${localText(startOfDay(now) + DAY, timeZone).slice(11)} (${timeZone})`;
}

function budgetConcern({ application, budgets }: ApplicationState, account: AccountState): Concern | undefined {
  const { currency } = account;
  const { heldBack, cost, messages } = budgets;
  const share = usedShare(budgets);
  if (share < BUDGET_ALERTS[1]) return undefined;
  const refused =
    heldBack > 0 ? ` ${countText(heldBack)} ${heldBack === 1 ? 'message was' : 'messages were'} refused.` : '';
  const used =
    cost.used / cost.limit >= share
      ? `${moneyText(cost.used, currency)} of ${moneyText(cost.limit, currency)}`
      : `${countText(messages.used)} of ${countText(messages.limit)} messages`;
  return {
    title: `${application.name}: ${percent(Math.min(1, share))} of a daily budget is used`,
    text: `${used}. At 100%, all messages that cost money are refused ${untilReset(account)}.${refused}`,
    link: { href: settingsPath(application, 'limits'), label: 'Change the budget' },
  };
}

export const isFailing = (webhook: Webhook): boolean => webhook.failures > 0 && !isPaused(webhook);

function webhookConcern(application: Application, webhook: CalledWebhook): Concern {
  const { calls, failures } = webhook;
  const success = calls.findIndex(({ status }) => isAccepted(status));
  const failed = success < 0 ? calls : calls.slice(0, success);
  const [last] = failed;
  const reply = last ? ` (${last.status === null ? 'no reply' : `status ${last.status}`})` : '';
  return {
    title: `${application.name}: the webhook to ${hostOf(webhook)} is failing`,
    text: `${failures === 1 ? 'The last call' : `The last ${countText(failures)} calls`} failed${reply}. Events are stored and retried.`,
    // Otherwise, it may have failed before the oldest stored call.
    since: success < 0 && failed.length < failures ? undefined : failed.at(-1)?.calledAt,
    latest: latestOf('failed call', last?.calledAt),
    link: { href: webhookPath(application, webhook), label: 'Open the webhook' },
  };
}

const webhookConcerns = ({ application, webhooks }: ApplicationState): Concern[] =>
  webhooks.filter(isFailing).map((webhook) => webhookConcern(application, webhook));

/** Returns the most serious facts first: lost messages, then what needs a decision, then what is over. */
export function concernsOf(account: AccountState): readonly Concern[] {
  const { channels, domains, applications } = account;
  const refusals = applications.map(refusalConcern);
  const outage = outageConcern(account);
  const unusual = applications.map(unusualConcern).filter((concern) => concern !== undefined);
  const concerns = [
    ...channels.map((channel) => providerConcern(channel, account)),
    outage ?? failuresConcern(account),
    // Names the same countries.
    ...(unusual.length > 0 ? unusual : [conversionConcern(account)]),
    ...refusals,
    ...applications.map((application) => budgetConcern(application, account)),
    ...applications.flatMap(webhookConcerns),
    ...domains.map(domainConcern),
    ...(outage ? [] : rescueConcerns(account)),
  ].filter((concern) => concern !== undefined);
  return [...concerns.filter(({ isOver }) => !isOver), ...concerns.filter(({ isOver }) => isOver)];
}

/** `No provider is failing, and nothing is paused right now.` */
export function nowText({ channels, applications }: AccountState): string {
  const failing = channels.flatMap((channel) => failingOf(channel)?.through.name ?? []);
  const names = [...new Set(failing)];
  const providers =
    names.length === 0
      ? 'No provider is failing'
      : `${LIST.format(names)} ${names.length === 1 ? 'is' : 'are'} failing`;
  const pauses = applications.flatMap(({ refusals }) => refusals?.pauses || []);
  return pauses.length === 0
    ? `${providers}, and nothing is paused right now.`
    : `${providers} right now. ${pauses.join(' ')}`;
}

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
  return ` ${countText(people)} ${people === 1 ? one : many}${where} had to solve a challenge.`;
}

/** Messages of a day or week that has ended. */
export interface EndedPeriod {
  readonly sum: Sum;
  readonly refused: readonly Refused[];
  readonly challenged: readonly Challenged[];
}

/** Describes a period that has ended: `Yesterday, 1,204 messages were sent, and 91% of the codes were entered.` */
export function periodText(
  name: 'In the last 7 days' | 'Yesterday',
  { sum, refused, challenged }: EndedPeriod,
  currency: string,
): string {
  const { sent, failed } = sum;
  const guarded = `${refusedText(refused, currency)}${challengedText(challenged)}`;
  if (sent + failed === 0) return `${name}, no messages were sent.${guarded}`;
  const entered = conversionRate(sum);
  const codes = entered === undefined ? '' : `, and ${percent(entered)} of the codes were entered`;
  const failures = failed === 0 ? '' : ` ${countText(failed)} ${failed === 1 ? 'message' : 'messages'} failed.`;
  return `${name}, ${countText(sent)} ${sent === 1 ? 'message was' : 'messages were'} sent${codes}.${failures}${guarded}`;
}
