/** Finds facts of the last days that cost money or customers, the most urgent first. */
import type { Application } from '../../modules/applications/application.js';
import type { FraudNewsOf } from '../../modules/fraud/fraud-overview.js';
import type { Message } from '../../modules/messages/message.js';
import { BUDGET_ALERTS, usedShare, type BudgetsView } from '../../modules/budgets/budgets.js';
import type { ChannelView } from '../../modules/providers/channel-view.js';
import { countryName } from '../../modules/recipients/country.js';
import { problemsOf, type DomainView } from '../../modules/sender-domains/sender-domain.js';
import { isAccepted, isPaused, type Attempt, type Webhook } from '../../modules/webhooks/webhook.js';
import { pathOf } from '../applications/parts.js';
import { providerPath, SENDER_DOMAINS_PATH } from '../channels/labels.js';
import { CHANNEL_NAMES } from '../messages/labels.js';
import { protectionPath } from '../protection/protection-pages.js';
import { conversionRate, countText, moneyText, percent, rate, total, type Sum } from '../usage/figures.js';
import { hostOf, webhookPath } from '../webhooks/labels.js';

export interface Concern {
  readonly title: string;
  readonly text: string;
  /** When it started, and when it was last seen, in epoch milliseconds; undefined if unknown. */
  readonly since?: number | undefined;
  readonly lastAt?: number | undefined;
  readonly link: { readonly href: string; readonly label: string };
}

/** A webhook with its latest calls, newest first; without calls if it works, or if the person may not see them. */
export type CalledWebhook = Webhook & { readonly calls: readonly Attempt[] };

export interface ApplicationState {
  readonly application: Application;
  readonly webhooks: readonly CalledWebhook[];
  readonly budgets: BudgetsView;
  /** The fraud guard's pauses and refusals; undefined without any. */
  readonly refusals: Pick<FraudNewsOf, 'text' | 'since'> | undefined;
  /** When the guard refused the latest message; undefined if that is not known. */
  readonly refusedAt: number | undefined;
}

/** The number of failed and of expired messages that are counted one by one. */
export const COUNTED_FAILURES = 100;

export interface AccountState {
  readonly channels: readonly ChannelView[];
  readonly domains: readonly DomainView[];
  readonly applications: readonly ApplicationState[];
  /** The latest failed and expired messages, newest first, at most {@link COUNTED_FAILURES} of each. */
  readonly failures: readonly Pick<Message, 'channel' | 'createdAt' | 'finishedAt' | 'state'>[];
  readonly currency: string;
  readonly today: Sum;
  /** The sum of yesterday and today. */
  readonly lately: Sum;
  /** The sum of the days before yesterday. */
  readonly usual: Sum;
}

/** Fewer failures are everyday life, such as numbers with a typing error. */
const NOTABLE_FAILURES = 5;
const NOTABLE_FAILURE_RATE = 0.05;
/** A rate is compared only if it is the result of this many codes. */
const JUDGED_CODES = 50;
/** Codes that are entered less often than this share of the usual rate do not arrive, or are not wanted. */
const LOW_CONVERSION = 0.75;

type Failures = AccountState['failures'];

/** `10 messages`; `at least 120 messages` if older ones since then were not read. */
function failureCount(affected: Failures, failures: Failures, since: number): string {
  const isCut = (['failed', 'expired'] as const).some((state) => {
    const read = failures.filter((message) => message.state === state);
    return read.length >= COUNTED_FAILURES && (read.at(-1)!.finishedAt ?? 0) >= since;
  });
  return `${isCut ? 'at least ' : ''}${countText(affected.length)} ${affected.length === 1 ? 'message' : 'messages'}`;
}

function providerConcern({ channel, state }: ChannelView, failures: Failures): Concern | undefined {
  if (!('through' in state) || state.state.kind !== 'failing') return undefined;
  const { through } = state;
  const { reason, since } = state.state;
  const affected = failures.filter((message) => message.channel === channel && (message.finishedAt ?? 0) >= since);
  const lost =
    affected.length === 0 ? '' : ` Since then, ${failureCount(affected, failures, since)} failed or expired.`;
  return {
    title: `${through.name} is failing on ${CHANNEL_NAMES[channel]}`,
    text: `The last attempt failed because ${reason}.${lost}`,
    since,
    lastAt: affected[0]?.createdAt,
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

function failuresConcern({ sent, failed }: Sum, failures: Failures): Concern | undefined {
  const share = rate(failed, sent + failed);
  if (failed < NOTABLE_FAILURES || share === undefined || share < NOTABLE_FAILURE_RATE) return undefined;
  return {
    title: `${countText(failed)} messages failed or expired today`,
    text: `That is ${percent(share)} of today's messages. Their recipients got nothing.`,
    lastAt: failures[0]?.createdAt,
    link: { href: '#failures', label: 'Show the latest failures' },
  };
}

function conversionConcern(lately: Sum, usual: Sum): Concern | undefined {
  const now = conversionRate(lately);
  const before = conversionRate(usual);
  if (now === undefined || before === undefined || lately.codes < JUDGED_CODES || usual.codes < JUDGED_CODES)
    return undefined;
  if (now >= LOW_CONVERSION * before) return undefined;
  return {
    title: 'Fewer codes are entered than usual',
    text: `${percent(now)} of the codes since yesterday were entered, and ${percent(before)} in the days before. Codes may not arrive, or may be requested by bots.`,
    link: { href: '/dashboard/usage?days=30#conversion-heading', label: 'Compare the days' },
  };
}

function refusalConcern({ application, refusals, refusedAt }: ApplicationState): Concern | undefined {
  if (!refusals) return undefined;
  return {
    title: `${application.name}: the fraud guard holds messages back`,
    text: refusals.text,
    since: refusals.since,
    lastAt: refusedAt,
    link: { href: protectionPath(application), label: 'Open Protection' },
  };
}

function budgetConcern({ application, budgets }: ApplicationState, currency: string): Concern | undefined {
  const { heldBack, cost, messages } = budgets;
  const share = usedShare(budgets);
  if (share < BUDGET_ALERTS[1]) return undefined;
  const held =
    heldBack > 0 ? ` ${countText(heldBack)} ${heldBack === 1 ? 'message was' : 'messages were'} held back.` : '';
  const used =
    cost.used / cost.limit >= share
      ? `${moneyText(cost.used, currency)} of ${moneyText(cost.limit, currency)}`
      : `${countText(messages.used)} of ${countText(messages.limit)} messages`;
  return {
    title: `${application.name}: ${percent(Math.min(1, share))} of a daily budget is used`,
    text: `${used}. At 100%, all messages that cost money are refused until midnight UTC.${held}`,
    link: { href: `${pathOf(application)}/settings#limits`, label: 'Change the budget' },
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
    text: `${failures === 1 ? 'The last call' : `The last ${countText(failures)} calls`} failed${reply}. Events are kept and sent again.`,
    // Otherwise, it may have failed before the oldest stored call.
    since: success < 0 && failed.length < failures ? undefined : failed.at(-1)?.calledAt,
    lastAt: last?.calledAt,
    link: { href: webhookPath(application, webhook), label: 'Open the webhook' },
  };
}

const webhookConcerns = ({ application, webhooks }: ApplicationState): Concern[] =>
  webhooks.filter(isFailing).map((webhook) => webhookConcern(application, webhook));

export function concernsOf({
  channels,
  domains,
  applications,
  failures,
  currency,
  today,
  lately,
  usual,
}: AccountState): readonly Concern[] {
  return [
    ...channels.map((channel) => providerConcern(channel, failures)),
    failuresConcern(today, failures),
    conversionConcern(lately, usual),
    ...applications.map((application) => budgetConcern(application, currency)),
    ...applications.map(refusalConcern),
    ...applications.flatMap(webhookConcerns),
    ...domains.map(domainConcern),
  ].filter((concern) => concern !== undefined);
}

/** Messages that the fraud guard refused yesterday. */
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
  const price = cost === 0 ? '' : `, which would have cost about ${moneyText(cost, currency)}`;
  return ` The fraud guard refused ${countText(messages)} ${messages === 1 ? 'message' : 'messages'}${where}${price}.`;
}

/** Describes a day that has ended: `Yesterday, 1,204 messages were sent, and 91% of the codes were entered.` */
export function yesterdayText(day: Sum, refused: readonly Refused[], currency: string): string {
  const { sent, failed } = day;
  const refusals = refusedText(refused, currency);
  if (sent + failed === 0) return `Yesterday, no message was sent.${refusals}`;
  const entered = conversionRate(day);
  const codes = entered === undefined ? '' : `, and ${percent(entered)} of the codes were entered`;
  const failures = failed === 0 ? '' : ` ${countText(failed)} failed.`;
  return `Yesterday, ${countText(sent)} ${sent === 1 ? 'message was' : 'messages were'} sent${codes}.${failures}${refusals}`;
}
