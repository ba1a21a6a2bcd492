/** Finds facts of the last days that cost money or customers, the most urgent first. */
import type { Application } from '../../modules/applications/application.js';
import { BUDGET_ALERTS, usedShare, type BudgetsView } from '../../modules/budgets/budgets.js';
import type { ChannelView } from '../../modules/providers/channel-view.js';
import { countryName } from '../../modules/recipients/country.js';
import { problemsOf, type DomainView } from '../../modules/sender-domains/sender-domain.js';
import { isPaused, type Webhook } from '../../modules/webhooks/webhook.js';
import { pathOf } from '../applications/parts.js';
import { providerPath, SENDER_DOMAINS_PATH } from '../channels/labels.js';
import { CHANNEL_NAMES } from '../messages/labels.js';
import { protectionPath } from '../protection/protection-pages.js';
import { conversionRate, countText, moneyText, percent, rate, total, type Sum } from '../usage/figures.js';
import { hostOf, webhookPath } from '../webhooks/labels.js';

export interface Concern {
  readonly title: string;
  readonly text: string;
  readonly link: { readonly href: string; readonly label: string };
}

export interface ApplicationState {
  readonly application: Application;
  readonly webhooks: readonly Webhook[];
  readonly budgets: BudgetsView;
  /** The refusals of the fraud guard, in sentences; empty if there are none. */
  readonly refusals: string;
}

export interface AccountState {
  readonly channels: readonly ChannelView[];
  readonly domains: readonly DomainView[];
  readonly applications: readonly ApplicationState[];
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

function providerConcern({ channel, state }: ChannelView): Concern | undefined {
  if (!('through' in state) || state.state.kind !== 'failing') return undefined;
  const { through } = state;
  return {
    title: `${through.name} is failing on ${CHANNEL_NAMES[channel]}`,
    text: `The last attempt failed because ${state.state.reason}.`,
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

function failuresConcern({ sent, failed }: Sum): Concern | undefined {
  const share = rate(failed, sent + failed);
  if (failed < NOTABLE_FAILURES || share === undefined || share < NOTABLE_FAILURE_RATE) return undefined;
  return {
    title: `${countText(failed)} messages failed or expired today`,
    text: `That is ${percent(share)} of today's messages. Their recipients got nothing.`,
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

function refusalConcern({ application, refusals }: ApplicationState): Concern | undefined {
  if (refusals === '') return undefined;
  return {
    title: `${application.name}: the fraud guard holds messages back`,
    text: refusals,
    link: { href: protectionPath(application), label: 'Open Protection' },
  };
}

function budgetConcern({ application, budgets }: ApplicationState): Concern | undefined {
  const { heldBack } = budgets;
  const share = usedShare(budgets);
  if (share < BUDGET_ALERTS[1]) return undefined;
  const held =
    heldBack > 0 ? ` ${countText(heldBack)} ${heldBack === 1 ? 'message was' : 'messages were'} held back.` : '';
  return {
    title: `${application.name}: ${percent(Math.min(1, share))} of a daily budget is used`,
    text: `At 100%, all messages that cost money are refused until midnight UTC.${held}`,
    link: { href: `${pathOf(application)}/settings#limits`, label: 'Change the budget' },
  };
}

const webhookConcerns = ({ application, webhooks }: ApplicationState): Concern[] =>
  webhooks
    .filter((webhook) => webhook.failures > 0 && !isPaused(webhook))
    .map((webhook) => ({
      title: `${application.name}: the webhook to ${hostOf(webhook)} is failing`,
      text: `${webhook.failures === 1 ? 'The last call' : `The last ${countText(webhook.failures)} calls`} failed. Events are kept and sent again.`,
      link: { href: webhookPath(application, webhook), label: 'Open the webhook' },
    }));

export function concernsOf({
  channels,
  domains,
  applications,
  today,
  lately,
  usual,
}: AccountState): readonly Concern[] {
  return [
    ...channels.map(providerConcern),
    failuresConcern(today),
    conversionConcern(lately, usual),
    ...applications.map(budgetConcern),
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
