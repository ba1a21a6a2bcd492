/** Finds facts of the last days that cost money or customers, the most urgent first. */
import type { Application } from '../../modules/applications/application.js';
import { allowedEffect, allowedPlaces, OPEN_ENDED } from '../../modules/fraud/fraud-texts.js';
import { capitalized } from '../../platform/capitalized.js';
import { problemsOf, type DomainView } from '../../modules/sender-domains/sender-domain.js';
import {
  failingSince,
  hasNeverWorked,
  isAccepted,
  isPaused,
  WEBHOOK_HOURS,
  type Attempt,
  type Webhook,
} from '../../modules/webhooks/webhook.js';
import { SENDER_DOMAINS_PATH } from '../channels/labels.js';
import { protectionPath } from '../applications/parts.js';
import { momentText } from '../components/time.js';
import { countText } from '../usage/figures.js';
import { hostOf, webhookPath } from '../webhooks/labels.js';
import {
  timesOf,
  titleOf,
  type AccountState,
  type ApplicationState,
  type CalledWebhook,
  type Concern,
} from './concern.js';
import { refusalConcern, unusualConcerns } from './fraud-concerns.js';
import { failuresConcern, outageConcern, outageOf, providerConcern, rescueConcerns } from './outages.js';
import { queueConcern, upkeepConcerns } from './upkeep-concerns.js';
import { budgetConcern, conversionConcern, trafficConcern } from './traffic.js';

function domainConcern(view: DomainView): Concern | undefined {
  const checks = [...new Set(problemsOf(view).map(({ check }) => check))];
  if (checks.length === 0) return undefined;
  return {
    title: `Emails may be rejected: ${view.domain}`,
    text: `DNS records are missing or wrong: ${checks.join(', ')}.`,
    link: { href: SENDER_DOMAINS_PATH, label: 'Check DNS records' },
  };
}

export const isFailing = (webhook: Webhook): boolean => webhook.failures > 0 && !isPaused(webhook);

/** `shop.example could not be reached`, `shop.example replied with 500`. `reply`: from the log, in which `The server` is the webhook. */
function outcomeOf(host: string, { status, reply }: Attempt): string {
  if (status !== null) return `${host} replied with ${status}`;
  const [, problem = 'did not reply'] = /^The server (.*)\.$/.exec(reply) ?? [];
  return `${host} ${problem}`;
}

function webhookConcern(application: Application, webhook: CalledWebhook, account: AccountState): Concern {
  const { calls, failures, pending } = webhook;
  const { now, timeZone } = account;
  const [last] = calls.filter(({ status }) => !isAccepted(status));
  const since = failingSince(calls, failures);
  const host = hostOf(webhook);
  const requests = failures === 1 ? 'the last request' : `the last ${countText(failures)} requests`;
  const start = since ? `since ${momentText(since, now, timeZone)}` : '';
  const neverWorked = hasNeverWorked(webhook, calls, now);
  const waiting = `${countText(pending)} ${pending === 1 ? 'event' : 'events'} waiting`;
  const problem = neverWorked ? 'never worked' : 'failing';
  const title =
    pending > 0
      ? `Webhook ${problem}: ${waiting}`
      : neverWorked
        ? 'Webhook has never worked'
        : `Webhook failing ${start}`;
  const retries =
    pending > 0
      ? `Events expire after ${WEBHOOK_HOURS} hours.`
      : `Events are retried for ${WEBHOOK_HOURS} hours, then dropped.`;
  const outcome = `${last ? outcomeOf(host, last) : `${host}: ${requests} failed`}.`;
  return {
    ...titleOf(account, application, title.trim()),
    lastingTitle: `Webhook failing: ${host}`,
    fact: `${pending > 0 && !neverWorked && start ? `${capitalized(start)}: ` : ''}${outcome} ${retries}`,
    text: `${capitalized(requests)} to your server failed. Events are retried for up to ${WEBHOOK_HOURS} hours.`,
    times: timesOf([failures === 1 ? 'at' : 'since', since], ['latest failed request:', last?.calledAt]),
    link: { href: webhookPath(application, webhook), label: 'Check webhook' },
  };
}

const webhookConcerns = ({ application, webhooks }: ApplicationState, account: AccountState): Concern[] =>
  webhooks.filter(isFailing).map((webhook) => webhookConcern(application, webhook, account));

/** Returns urgent concerns first, then those that need a decision, then quiet ones, then those that are over, newest first; of the others, first those that stop all messages soonest. */
export function sortConcerns(concerns: readonly (Concern | undefined)[], now: number): readonly Concern[] {
  const rankOf = ({ isUrgent, isOver, isQuiet }: Concern) => (isOver ? 3 : isQuiet ? 2 : isUrgent ? 0 : 1);
  // Problems that already stop messages keep their order.
  const dueOf = ({ isOver, endedAt = 0, stopsAt = Infinity }: Concern) => (isOver ? -endedAt : Math.max(stopsAt, now));
  return concerns
    .filter((concern) => concern !== undefined)
    .sort((a, b) => rankOf(a) - rankOf(b) || (dueOf(a) === dueOf(b) ? 0 : dueOf(a) - dueOf(b)));
}

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
    queueConcern(account),
    ...domains.map(domainConcern),
    ...upkeepConcerns(account),
    ...(outage ? [] : rescueConcerns(account)),
  ];
  return sortConcerns(concerns, account.now);
}

/** Describes manual pauses, the messages that they refused, and places that are allowed. They need no attention. */
export const manualPausesOf = (account: AccountState): readonly Concern[] =>
  account.applications.flatMap(({ application, refusals }) => {
    const { parts = [], allowed = [] } = refusals ?? {};
    const link = { href: protectionPath(application) };
    const concernOf = (title: string, text: string): Concern => ({
      ...titleOf(account, application, title),
      text,
      link,
    });
    const paused = parts.filter(({ isManual, pauses }) => isManual && pauses !== '');
    const places = allowedPlaces(allowed, (ms) => momentText(ms, account.now, account.timeZone));
    return [
      ...paused.map(({ pauses, refused }) => concernOf(pauses.slice(0, -1), `${OPEN_ENDED} ${refused}`.trim())),
      ...(places === '' ? [] : [{ ...concernOf(places, `${capitalized(allowedEffect(allowed))}.`), isAllowed: true }]),
    ];
  });
