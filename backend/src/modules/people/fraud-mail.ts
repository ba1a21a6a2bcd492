/** The texts of the fraud guard's emails to owners. They are in English, like the dashboard. */
import { SECOND, utcMinute } from '../../platform/clock.js';
import type { Application } from '../applications/application.js';
import { LIMITS } from '../applications/application-limits.js';
import type { BudgetNotice } from '../budgets/budget-notices.js';
import { LIMIT_OF } from '../budgets/budgets.js';
import { countryInSentence } from '../fraud/fraud-place.js';
import type { FraudNotice, FraudPause, SpendNotice } from '../fraud/fraud-notice.js';

/** Maximum number of pauses that an email lists. The email only states the number of further pauses. */
const MAX_LISTED = 20;

export interface FraudMail {
  readonly title: string;
  readonly text: string;
  /**
   * The list in the email: one item for each of the first {@link MAX_LISTED} pauses, and the number of further pauses.
   * Empty for an alert about costs.
   */
  readonly items: readonly string[];
  readonly advice: string;
}

type Named = Pick<Application, 'name'>;

const amountText = (amount: string, currency: string): string => `${amount.slice(0, -2)} ${currency.toUpperCase()}`;

function placeOf({ scope, key, rule }: FraudPause): string {
  if (scope === 'prefix') return `numbers that start with ${key}`;
  if (scope === 'country') return key === '' ? 'numbers without a country' : `numbers in ${countryInSentence(key)}`;
  return rule === 'R6' ? 'all numbers' : 'numbers in all countries in which few codes have been verified so far';
}

const durationText = ({ until }: FraudPause): string =>
  until === null ? 'until you resume them' : `until ${utcMinute(until * SECOND)}`;

const pauseText = (pause: FraudPause): string =>
  `Messages to ${placeOf(pause)} are paused ${durationText(pause)}. ${pause.reason}`;

const PAUSE_ADVICE =
  'People who were verified before still get messages. If you expect this traffic, allow it on the Protection page. Otherwise, you do not need to do anything. If the attack continues, put a captcha in front of your form.';
const WAITING_ADVICE =
  'People who were verified before still get messages. Put a captcha in front of your form. Then resume or allow the messages on the Protection page: the pause does not end automatically.';
const STOP_ADVICE =
  'If you expect these costs and have set a budget, raise it: it applies to everyone. If you have not set a budget, people who were verified before still get messages, and you can allow all recipients for 24 hours on the Protection page.';

function adviceFor(pauses: readonly FraudPause[]): string {
  if (pauses.some(({ rule }) => rule === 'R6')) return STOP_ADVICE;
  return pauses.some(({ until }) => until === null) ? WAITING_ADVICE : PAUSE_ADVICE;
}

export function pausesMail({ name }: Named, pauses: readonly FraudPause[]): FraudMail {
  const [first] = pauses as [FraudPause];
  const more = pauses.length - MAX_LISTED;
  const title =
    pauses.length === 1 ? `${name}: messages to ${placeOf(first)} are paused` : `${name}: ${pauses.length} pauses`;
  return {
    title,
    text: 'The fraud guard refuses messages that look like SMS pumping or toll fraud, so that you do not pay for them.',
    items: [
      ...pauses.slice(0, MAX_LISTED).map(pauseText),
      ...(more > 0 ? [`${more} more ${more === 1 ? 'pause is' : 'pauses are'} listed on the Protection page.`] : []),
    ],
    advice: adviceFor(pauses),
  };
}

const messagesText = (amount: string): string => `${Number(amount).toLocaleString('en')} messages`;

/** Returns the email about a daily budget, which applies to everyone. */
export function budgetMail({ name }: Named, { share, unit, isAutomatic, ...amounts }: BudgetNotice): FraudMail {
  const { spend, limit, currency } = amounts;
  const isCost = unit === 'cost';
  const [used, budget] = [spend, limit].map((amount) => (isCost ? amountText(amount, currency) : messagesText(amount)));
  const label = LIMITS[LIMIT_OF[unit]].label;
  const percent = `${Math.round(share * 100)}%`;
  return {
    title:
      share === 1 ? `${name} has used up its budget for today` : `${name} has used ${percent} of its budget for today`,
    text: `${isCost ? `Messages from ${name} have cost ${used}` : `${name} has sent ${used}`} today. ${isAutomatic ? 'The automatic' : 'Your'} daily budget is ${budget}. ${share === 1 ? 'All' : 'When it is reached, all'} messages that cost money are refused until midnight UTC.`,
    items: [],
    advice: `If you expect this, raise “${label}” under Limits in the settings of the application. Otherwise, check on the Protection page which countries the messages go to, and list the countries that you serve in the settings.`,
  };
}

export function spendMail({ name }: Named, { share, spend, limit, currency, isBudget }: SpendNotice): FraudMail {
  const percent = `${Math.round(share * 100)}%`;
  const effect = isBudget
    ? 'When it is reached, all messages that cost money are refused until midnight UTC.'
    : 'When it is reached while fewer people than usual enter their codes, messages are refused until midnight UTC.';
  const exempt = isBudget ? '' : 'This limit does not apply to people who were verified recently. ';
  return {
    title: `${name} has reached ${percent} of its cost limit for today`,
    text: `Messages from ${name} have cost ${amountText(spend, currency)} today. The daily limit is ${amountText(limit, currency)}. ${effect}`,
    items: [],
    advice: `${exempt}If you do not expect these costs, check on the Protection page which countries they come from, and list the countries that you serve in the settings of the application.`,
  };
}

const isBudgetNotice = (notice: SpendNotice | BudgetNotice): notice is BudgetNotice => 'unit' in notice;

/** Returns one email about all pauses, and one for each spend alert. */
export function fraudMails(application: Named, notices: readonly FraudNotice[]): FraudMail[] {
  const pauses = notices.flatMap((notice) => ('pause' in notice ? [notice.pause] : []));
  const spends = notices.flatMap((notice) => ('spend' in notice ? [notice.spend] : []));
  return [
    ...(pauses.length > 0 ? [pausesMail(application, pauses)] : []),
    ...spends.map((spend) => (isBudgetNotice(spend) ? budgetMail(application, spend) : spendMail(application, spend))),
  ];
}
