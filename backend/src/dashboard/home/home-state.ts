/** Reads the state of an account for Home and for the weekly email. */
import { DAY } from '../../platform/clock.js';
import { dayBefore, localDay, startOfLocalDay } from '../../platform/local-day.js';
import type { Actor } from '../../modules/access/actor.js';
import type { Application } from '../../modules/applications/application.js';
import { messagesOf, type LatelyView } from '../../modules/fraud/fraud-overview.js';
import { isManualHint } from '../../modules/fraud/fraud-texts.js';
import { hasWrongRecipient } from '../../modules/messages/explanation.js';
import type { MessageFilter } from '../../modules/messages/message-filter.js';
import { acceptedAttempt, type Message, type VisibleState } from '../../modules/messages/message.js';
import type { ChannelView } from '../../modules/providers/channel-view.js';
import { countryOf } from '../../modules/recipients/recipient.js';
import { groupBy } from '../group-by.js';
import { createPeopleOf } from '../messages/group-by-reason.js';
import type { Modules } from '../modules.js';
import type { ApplicationVisit } from '../page.js';
import { createRefusedCost } from '../protection/refused-cost.js';
import { countedSince } from '../protection/unusual.js';
import { hasAnyPrice, NOTABLE_FAILURES, sumOf, total, type Counts, type Sum } from '../usage/figures.js';
import { concernsOf, isFailing, manualPausesOf } from './attention.js';
import {
  COUNTED_FAILURES,
  USUAL_DAYS,
  type AccountState,
  type ApplicationState,
  type CalledWebhook,
  type Concern,
  type LastSent,
  type ManualPauses,
  type SentThrough,
} from './concern.js';
import type { EndedPeriod, Refused } from './ended-period.js';
import { outageOf, rescuesOf, sentThrough, type Outage } from './outages.js';
import { namedCountries } from './traffic.js';

const SHOWN_DAYS = USUAL_DAYS + 2;
/** How many refused messages are read, to find the latest one that the fraud guard refused. */
const READ_REFUSALS = 20;
/** How many calls of a failing webhook are read, to find its first failure. */
const READ_CALLS = 50;

export type HomeModules = Modules<
  | 'applications'
  | 'budgets'
  | 'clock'
  | 'fraud'
  | 'messages'
  | 'otp'
  | 'providers'
  | 'senderDomains'
  | 'usage'
  | 'webhooks'
>;

/** The person who sees the state, and the account's parts that the caller has read. */
interface Viewer {
  readonly actor: Actor;
  readonly accountId: number;
  readonly applications: readonly Application[];
  readonly channels: readonly ChannelView[];
  readonly mayHaveProviders: boolean;
}

/** Sees one application, without the providers and domains of the account, which Home describes. */
export const viewerOf = ({ actor, application }: ApplicationVisit): Viewer => ({
  actor,
  accountId: application.accountId,
  applications: [application],
  channels: [],
  mayHaveProviders: false,
});

export interface HomeState extends Failures {
  readonly concerns: readonly Concern[];
  readonly manualPauses: readonly ManualPauses[];
  readonly outage: Outage | undefined;
  /** The last days in the account's time zone, today last. */
  readonly days: readonly { readonly day: string; readonly sum: Sum }[];
  readonly currency: string;
  /** Whether a price is set for any channel. Without one, costs are unknown instead of 0. */
  readonly hasPrice: boolean;
  readonly timeZone: string;
  /** Reads what happened on the last days before today. */
  ended(days: number): Promise<EndedPeriod>;
}

export interface Failures {
  /** Failed and expired messages, newest first, at most {@link COUNTED_FAILURES} of each. */
  readonly failures: readonly Message[];
  readonly lastSent: LastSent;
}

/** Returns the latest failures. Expired messages count, because codes expire during an outage of all providers. */
async function latestFailures(
  { lookup }: HomeModules['messages'],
  applicationIds: readonly number[],
  rescued: AccountState['rescued'],
): Promise<Failures> {
  const newest = async (
    size: number,
    states: readonly VisibleState[],
    filter: Omit<MessageFilter, 'applicationIds'>,
  ) => {
    const pages = states.map((state) => lookup.page({ applicationIds, state, ...filter }, undefined, size));
    const found = (await Promise.all(pages)).flatMap(({ messages }) => messages);
    return found.sort((a, b) => b.createdAt - a.createdAt);
  };
  const failures = await newest(COUNTED_FAILURES, ['failed', 'expired'], {});
  const channels = [...new Set([...failures, ...rescued].map(({ channel }) => channel))];
  const latest = async (key: SentThrough, filter: Omit<MessageFilter, 'applicationIds'>) => {
    const [sent] = await newest(1, ['sent', 'delivered'], filter);
    return sent ? [[key, { at: sent.createdAt, provider: acceptedAttempt(sent)?.provider }] as const] : [];
  };
  const rescues = groupBy(rescuesOf(rescued), ({ failed }) => sentThrough(failed.channel, failed.provider!));
  const replaced = rescues.filter((group) => group.length >= NOTABLE_FAILURES);
  const lastSent = [
    ...channels.map((channel) => latest(channel, { channel })),
    ...replaced.map((group) => {
      const { failed, createdAt } = group[0]!;
      const isThrough = (message: Message) => acceptedAttempt(message)?.provider === failed.provider;
      const filter = { channel: failed.channel, condition: isThrough, from: createdAt };
      return latest(sentThrough(failed.channel, failed.provider!), filter);
    }),
  ];
  return { failures, lastSent: new Map((await Promise.all(lastSent)).flat()) };
}

export function createHomeState(core: HomeModules) {
  const { applications: accounts, senderDomains, messages, usage, webhooks, budgets, fraud, providers, clock } = core;
  const costOf = createRefusedCost(providers.routing);
  const peopleOf = createPeopleOf(core);

  async function webhooksOf(actor: Actor, application: Application): Promise<CalledWebhook[]> {
    const all = await webhooks.service.listAll(application);
    return Promise.all(
      all.map(async (webhook) => {
        const isShown = isFailing(webhook) && actor.may('own');
        const log = isShown && (await webhooks.service.log(actor, webhook, { limit: READ_CALLS }));
        return { ...webhook, calls: log ? log.attempts : [] };
      }),
    );
  }

  async function lastRefusedOf(application: Application): Promise<ApplicationState['lastRefused']> {
    const filter = { applicationIds: [application.id], state: 'refused' } as const;
    const { messages: refused } = await messages.lookup.page(filter, undefined, READ_REFUSALS);
    const last = refused.find(({ refusal }) => refusal?.code === 'FRAUD_SUSPECTED' && !isManualHint(refusal.hint));
    return last && { country: countryOf(last.recipient), at: last.createdAt };
  }

  async function unusualOf(
    { id }: Application,
    unusual: readonly LatelyView[] = [],
  ): Promise<ApplicationState['unusual']> {
    if (unusual.length === 0) return new Map();
    const now = clock.now();
    const from = countedSince(now);
    const byGuard = (await fraud.refusedBetween(id, from, now)).filter(({ rule }) => rule !== 'person');
    const entries = unusual.map(async ({ key: country, sent }) => {
      const latest = await messages.lookup.latestTo(id, country, from);
      const cost = costOf(id, { rule: 'country', country, messages: sent });
      const refused = messagesOf(byGuard.filter((refusal) => refusal.country === country));
      return [country, { latest, cost, refused }] as const;
    });
    return new Map(await Promise.all(entries));
  }

  /** `from`: the start of today in the account's time zone. */
  async function statesOf({ actor, applications }: Viewer, from: number): Promise<ApplicationState[]> {
    const news = await fraud.news(applications, from);
    return Promise.all(
      applications.map(async (application) => {
        const refusals = news.find((one) => one.application === application);
        return {
          application,
          webhooks: await webhooksOf(actor, application),
          budgets: await budgets.overview(application),
          refusals,
          lastRefused: refusals?.parts.some(({ isManual, messages: count }) => !isManual && count > 0)
            ? await lastRefusedOf(application)
            : undefined,
          unusual: await unusualOf(application, refusals?.unusual),
        };
      }),
    );
  }

  async function refusedBetween(applicationId: number, from: number, before: number): Promise<Refused[]> {
    const refusals = await fraud.refusedBetween(applicationId, from, before);
    return refusals.map((refusal) => {
      return { country: refusal.country, messages: refusal.messages, cost: costOf(applicationId, refusal) };
    });
  }

  async function enteredLaterOf(failures: readonly Message[], outage: Outage | undefined): Promise<number> {
    const ids = new Set(outage?.failures.map(({ id }) => id));
    const groups = groupBy(
      failures.filter(({ id }) => ids.has(id)),
      ({ applicationId }) => `${applicationId}`,
    );
    return total((await Promise.all(groups.map(peopleOf))).map(({ enteredLater }) => enteredLater));
  }

  return async function read(viewer: Viewer): Promise<HomeState> {
    const { actor, accountId, applications, channels, mayHaveProviders } = viewer;
    const applicationIds = applications.map(({ id }) => id);
    const now = clock.now();
    const timeZone = await accounts.profiles.timeZoneOf(accountId);
    const today = localDay(now, timeZone);
    const names = Array.from({ length: SHOWN_DAYS }, (_, n) => dayBefore(today, SHOWN_DAYS - 1 - n));
    const counts = await usage.service.sums({ applicationIds, from: names[0]!, to: today }, ['day', 'country']);
    const sumWhere = (matches: (day: string) => boolean) =>
      sumOf(counts.filter(({ day }: { day: string } & Counts) => matches(day)));
    const byCountrySince = (first: string) => {
      const since = counts.filter(({ day }) => day >= first);
      return new Map(since.map(({ country }) => [country, sumOf(since.filter((one) => one.country === country))]));
    };
    const rescued = await messages.lookup.rescued(applicationIds, now - DAY);
    const { failures, lastSent } = await latestFailures(messages, applicationIds, rescued);
    const currency = providers.routing.currency();
    const state: AccountState = {
      channels,
      domains: mayHaveProviders ? await senderDomains.list(actor, accountId) : [],
      applications: await statesOf(viewer, startOfLocalDay(today, timeZone)),
      failures: failures.map((message) => ({
        ...message,
        attempt: message.attempts.at(-1),
        hasWrongRecipient: hasWrongRecipient(message),
      })),
      lastSent,
      enteredLater: 0,
      rescued,
      currency,
      timeZone,
      now,
      today: sumWhere((day) => day === today),
      latelyByCountry: byCountrySince(names.at(-2)!),
      todayByCountry: byCountrySince(today),
      usual: sumWhere((day) => day < names.at(-2)!),
      sentBefore: names.slice(0, -1).map((day) => sumWhere((one) => one === day).sent),
    };

    const outage = outageOf(state);
    const account = { ...state, enteredLater: await enteredLaterOf(failures, outage) };

    async function ended(days: number): Promise<EndedPeriod> {
      const first = dayBefore(today, days);
      const from = startOfLocalDay(first, timeZone);
      const before = startOfLocalDay(today, timeZone);
      const refused = await Promise.all(applicationIds.map((id) => refusedBetween(id, from, before)));
      const challenged = await Promise.all(applicationIds.map((id) => fraud.challengedBetween(id, from, before)));
      const ofPeriod = counts.filter(({ day }) => day >= first && day < today);
      const named = [...namedCountries(account)].filter((country) => ofPeriod.some((one) => one.country === country));
      return {
        sum: sumOf(ofPeriod),
        named,
        others: sumOf(ofPeriod.filter(({ country }) => !named.includes(country))),
        refused: refused.flat(),
        challenged: challenged.flat().sort((a, b) => b.people - a.people),
      };
    }

    const days = names.map((day) => ({ day, sum: sumWhere((one) => one === day) }));
    return {
      concerns: concernsOf(account),
      manualPauses: manualPausesOf(account),
      outage,
      days,
      failures,
      lastSent,
      currency,
      hasPrice: hasAnyPrice(await providers.prices.list(actor, accountId)),
      timeZone,
      ended,
    };
  };
}
