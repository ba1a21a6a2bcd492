/** The texts of the emails to owners about pauses, alerts, refusals and budgets. They are in English, like the dashboard. */
import { capitalized } from '../../platform/capitalized.js';
import { SECOND, utcMinute } from '../../platform/clock.js';
import type { Application } from '../applications/application.js';
import { LIMITS } from '../applications/application-limits.js';
import type { BudgetNotice } from '../budgets/budget-notices.js';
import { LIMIT_OF, messagesText } from '../budgets/budgets.js';
import { isSentWhenServed, recipientsOf, ruleText } from '../fraud/fraud-texts.js';
import { MAX_ALLOWED_DAYS } from '../fraud/pause-state.js';
import { countryInSentence, countryName } from '../recipients/country.js';
import type { AlertNotice, FraudPause, RefusedNotice } from '../fraud/fraud-notices.js';
import type { DueNotice } from '../notices/notice.js';

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

const placeOf = (pause: FraudPause): string => (pause.scope === 'burst' ? 'all recipients' : recipientsOf(pause));

const durationText = ({ until }: FraudPause): string =>
  until === null ? 'until you resume them' : `until ${utcMinute(until * SECOND)}`;

const pauseText = (pause: FraudPause): string =>
  pause.isChallenged
    ? `${capitalized(placeOf(pause))} must solve a challenge before a code is sent. ${pause.reason}`
    : `Messages to ${placeOf(pause)} are paused ${durationText(pause)}. ${pause.reason}`;

const PAUSE_ADVICE =
  "People who were verified recently still get messages. If you expect this traffic, allow it on the Protection page. Otherwise, you do not need to do anything. If the attack continues and no challenge is on, turn one on in the application's settings.";
const CHALLENGE_ADVICE =
  'People who were verified recently need no challenge. The challenge ends automatically when the requests without a solution stop. If you expect this traffic, end the challenge on the Protection page.';

function adviceFor(pauses: readonly FraudPause[]): string {
  return pauses.every(({ isChallenged }) => isChallenged) ? CHALLENGE_ADVICE : PAUSE_ADVICE;
}

export function pausesMail({ name }: Named, pauses: readonly FraudPause[]): FraudMail {
  const [first] = pauses as [FraudPause];
  const more = pauses.length - MAX_LISTED;
  const title =
    pauses.length === 1
      ? `${name}: ${first.isChallenged ? '' : 'messages to '}${placeOf(first)} ${first.isChallenged ? 'must solve a challenge' : 'are paused'}`
      : `${name}: ${pauses.length} ${pauses.some(({ isChallenged }) => isChallenged) ? 'pauses and challenges' : 'pauses'}`;
  return {
    title,
    text: 'Protection refuses messages that look like SMS pumping or toll fraud, so that you do not pay for them.',
    items: [
      ...pauses.slice(0, MAX_LISTED).map(pauseText),
      ...(more > 0 ? [`${more} more ${more === 1 ? 'pause is' : 'pauses are'} listed on the Protection page.`] : []),
    ],
    advice: adviceFor(pauses),
  };
}

/** Returns the email about a daily budget, which applies to everyone. */
export function budgetMail({ name }: Named, { share, unit, isAutomatic, ...amounts }: BudgetNotice): FraudMail {
  const { spend, limit, currency } = amounts;
  const isCost = unit === 'cost';
  const [used, budget] = [spend, limit].map((amount) =>
    isCost ? amountText(amount, currency) : messagesText(Number(amount)),
  );
  const label = LIMITS[LIMIT_OF[unit]].label;
  const percent = `${Math.round(share * 100)}%`;
  return {
    title:
      share === 1 ? `${name} has used up its budget for today` : `${name} has used ${percent} of its budget for today`,
    text: `${isCost ? `Messages from ${name} have cost ${used}` : `${name} has sent ${used}`} today. ${isAutomatic ? 'The automatic' : 'Your'} daily budget is ${budget}. ${share === 1 ? 'All' : 'When it is reached, all'} SMS, WhatsApp messages and voice calls that cost money are refused until midnight UTC.`,
    items: [],
    advice: `If you expect this traffic, raise “${label}” under Limits in the application's settings. Otherwise, check on the Protection page which countries the messages go to, and in the settings, list the countries that you serve.`,
  };
}

export const alertMail = ({ name }: Named, { country, reason }: AlertNotice): FraudMail => ({
  title: `${name}: unusually many codes are not entered in ${countryInSentence(country)}`,
  text: `${reason} This can be an attack, or a problem with your provider or your site. Messages are not paused, because a pause would also stop messages to your customers.`,
  items: [],
  advice:
    "If this is an attack, turn on a challenge in the application's settings, or another one if one is already on. Until then, the daily budget limits the cost.",
});

const refusalText = ({ rule, country, messages, people }: RefusedNotice['refusals'][number]): string => {
  const counts = `${messagesText(messages)} to ${people} ${people === 1 ? 'number' : 'numbers'}`;
  return `${country === '' ? 'Numbers without a country' : countryName(country)}: ${ruleText(rule)} (${counts})`;
};

/** Whether such messages are sent once their country is added to the served countries. */
const canBeServed = ({ country, rule, isServed }: RefusedNotice['refusals'][number]): boolean =>
  country !== '' && !isServed && isSentWhenServed(rule);

export const refusedMail = ({ name }: Named, { day, refusals }: RefusedNotice): FraudMail => ({
  title: `${name}: Protection refused messages on ${day}`,
  text: 'These messages were not sent:',
  items: refusals.slice(0, MAX_LISTED).map(refusalText),
  advice: `If you expect this traffic, allow it on the Protection page for up to ${MAX_ALLOWED_DAYS} days.${refusals.some(canBeServed) ? ' If you have customers in a country that you do not serve yet, choose “Add to served countries” there.' : ''}`,
});

/** Returns one email about all pauses, and one for each other notice. */
export function fraudMails(application: Named, notices: readonly DueNotice[]): FraudMail[] {
  const bodiesOf = (kind: DueNotice['kind']) =>
    notices.filter((notice) => notice.kind === kind).map(({ body }) => JSON.parse(body));
  // Pauses and refusals are stored as webhook events.
  const pauses: FraudPause[] = bodiesOf('pause').map(({ data }) => data);
  const alerts: AlertNotice[] = bodiesOf('alert');
  const refused: RefusedNotice[] = bodiesOf('refused').map(({ data }) => data);
  const budgets: BudgetNotice[] = bodiesOf('spend');
  return [
    ...(pauses.length > 0 ? [pausesMail(application, pauses)] : []),
    ...alerts.map((alert) => alertMail(application, alert)),
    ...refused.map((one) => refusedMail(application, one)),
    ...budgets.map((budget) => budgetMail(application, budget)),
  ];
}
