/** Reads the state of an account for Home and for the weekly email. */
import { DAY, HOUR, MINUTE } from '../../platform/clock.js';
import { dayBefore, localDay, startOfLocalDay } from '../../platform/local-day.js';
import type { Actor } from '../../modules/access/actor.js';
import { CHANNELS, type ChannelName } from '../../platform/contract/channels.js';
import type { Application } from '../../modules/applications/application.js';
import { messagesOf, type FraudOverview, type LatelyView } from '../../modules/fraud/fraud-overview.js';
import { isManualHint } from '../../modules/fraud/fraud-texts.js';
import { PERIOD_MS } from '../../modules/fraud/refusal-counts.js';
import { hasWrongRecipient } from '../../modules/messages/explanation.js';
import { MAX_STORED_PER_HOUR } from '../../modules/messages/record-refusal.js';
import { acceptedAttempt, type Message, type VisibleState } from '../../modules/messages/message.js';
import type { ChannelView } from '../../modules/providers/channel-view.js';
import { countryOf } from '../../modules/recipients/recipient.js';
import { unitsOf } from '../../modules/usage/usage.js';
import { createPeopleOf } from '../messages/group-by-reason.js';
import { reasonKey } from '../messages/reasons.js';
import type { Modules } from '../modules.js';
import type { ApplicationVisit } from '../page.js';
import { createRefusedCost } from '../protection/refused-cost.js';
import { countedSince } from '../protection/unusual.js';
import { hasAnyPrice, sumOf, usualCostOf, type Sum } from '../usage/figures.js';
import { concernsOf, isFailing, manualPausesOf } from './attention.js';
import {
  COUNTED_FAILURES,
  COUNTED_OVERDUE,
  USUAL_DAYS,
  type AccountState,
  type AccountTraffic,
  type ApplicationState,
  type ApplicationTraffic,
  type CalledWebhook,
  type Concern,
  type LastSent,
  type UpkeepState,
} from './concern.js';
import type { EndedPeriod, Refused, WithoutNamed } from './ended-period.js';
import { outageOf, rescueGroups, wayOf, type Outage } from './outages.js';
import { namedCountries } from './traffic.js';

/** Messages that wait longer than this are delayed. */
const OVERDUE_MS = 2 * MINUTE;
/** An account that sent its first messages this long ago needs a backup. */
const BACKUP_DAYS = 7;
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
  | 'upkeep'
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

/** `named` and `others`: of today. */
export interface HomeState extends Failures, WithoutNamed {
  readonly concerns: readonly Concern[];
  /** Manual pauses, and places that are allowed. */
  readonly manualPauses: readonly Concern[];
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
  const newest = async (size: number, states: readonly VisibleState[], channel?: ChannelName) => {
    const pages = states.map((state) => lookup.page({ applicationIds, state, channel }, undefined, size));
    const found = (await Promise.all(pages)).flatMap(({ messages }) => messages);
    return found.sort((a, b) => b.createdAt - a.createdAt);
  };
  const failures = await newest(COUNTED_FAILURES, ['failed', 'expired']);
  const channels = [...new Set([...failures, ...rescued].map(({ channel }) => channel))];
  const lastSent = channels.map(async (channel) => {
    const [sent] = await newest(1, ['sent', 'delivered'], channel);
    return sent ? [[channel, { at: sent.createdAt, provider: acceptedAttempt(sent)?.provider }] as const] : [];
  });
  return { failures, lastSent: new Map((await Promise.all(lastSent)).flat()) };
}

/** Reads the figures of an account, and the budgets, pauses and unusual countries of its applications. */
export function createReadTraffic(core: HomeModules) {
  const { applications: accounts, messages, usage, budgets, fraud, providers, clock } = core;
  const costOf = createRefusedCost(providers.routing);

  const isPriced = ({ id }: Application, channel: ChannelName): boolean =>
    Object.values(providers.routing.pricesFor({ applicationId: id }, channel) ?? {}).some(
      (price) => unitsOf(price) > 0,
    );

  /** Returns the time after which no message to a country was refused; 0 without refusals. `from`: the start of the last period with refusals. */
  async function refusedUntilIn(id: number, country: string, from: number | undefined): Promise<number> {
    if (from === undefined) return 0;
    const to = from + PERIOD_MS;
    const stored = await messages.lookup.page(
      { applicationIds: [id], state: 'refused', country, from, to },
      undefined,
      1,
    );
    // Of many refusals, only the first ones are stored as messages.
    const isAllStored = messagesOf(await fraud.refusedBetween(id, from - HOUR, to)) < MAX_STORED_PER_HOUR;
    const [last] = isAllStored ? stored.messages : [];
    return last?.createdAt ?? Math.min(to, clock.now());
  }

  async function unusualOf(
    application: Application,
    unusual: readonly LatelyView[],
    yesterday: number,
  ): Promise<ApplicationTraffic['unusual']> {
    if (unusual.length === 0) return new Map();
    const { id } = application;
    const now = clock.now();
    const byGuard = (await fraud.refusedBetween(id, yesterday, now)).filter(({ rule }) => rule !== 'person');
    const countries = unusual.map(({ key }) => key);
    const latest = await messages.lookup.latestTo(id, countries, countedSince(now));
    const lastPeriods = await fraud.lastRefusals(id, yesterday);
    const entries = unusual.map(async ({ key: country, sent }) => {
      const cost = costOf(id, { rule: 'country', country, messages: sent });
      const refused = messagesOf(byGuard.filter((refusal) => refusal.country === country));
      const refusedUntil = await refusedUntilIn(id, country, lastPeriods.get(country));
      return [country, { latest: latest.get(country), cost, refused, refusedUntil }] as const;
    });
    return new Map(await Promise.all(entries));
  }

  /** `overview`: of the only application, if the caller has read it. */
  return async function readTraffic(accountId: number, applications: readonly Application[], overview?: FraudOverview) {
    const now = clock.now();
    const timeZone = await accounts.profiles.timeZoneOf(accountId);
    const today = localDay(now, timeZone);
    const names = Array.from({ length: SHOWN_DAYS }, (_, n) => dayBefore(today, SHOWN_DAYS - 1 - n));
    const range = { applicationIds: applications.map(({ id }) => id), from: names[0]!, to: today };
    const counts = await usage.service.sums(range, ['day', 'country']);
    const sumWhere = (matches: (day: string) => boolean) => sumOf(counts.filter(({ day }) => matches(day)));
    const days = names.map((day) => ({ day, sum: sumWhere((one) => one === day) }));
    const before = days.slice(0, -1).map(({ sum }) => sum);
    const yesterday = days.at(-2)!.day;
    const byCountrySince = (first: string) => {
      const since = counts.filter(({ day }) => day >= first);
      return new Map(since.map(({ country }) => [country, sumOf(since.filter((one) => one.country === country))]));
    };
    const news = await fraud.news(applications, startOfLocalDay(today, timeZone), overview);
    const stateOf = async (application: Application): Promise<ApplicationTraffic> => {
      const refusals = news.find((one) => one.application === application);
      const paid = CHANNELS.filter((channel) => providers.routing.isPaid(application, channel));
      return {
        application,
        budgets: await budgets.overview(application),
        budgetChannels: { cost: paid.filter((channel) => isPriced(application, channel)), messages: paid },
        refusals,
        unusual: await unusualOf(application, refusals?.unusual ?? [], startOfLocalDay(yesterday, timeZone)),
      };
    };
    const traffic: AccountTraffic = {
      applications: await Promise.all(applications.map(stateOf)),
      currency: providers.routing.currency(),
      timeZone,
      now,
      today: days.at(-1)!.sum,
      latelyByCountry: byCountrySince(yesterday),
      todayByCountry: byCountrySince(today),
      usual: sumWhere((day) => day < yesterday),
      sentBefore: before.map(({ sent }) => sent),
    };
    return { traffic, counts, days, usualCost: usualCostOf(before, traffic.currency) };
  };
}

export function createHomeState(core: HomeModules) {
  const { senderDomains, messages, webhooks, fraud, providers, upkeep } = core;
  const { lookup } = messages;
  const costOf = createRefusedCost(providers.routing);
  const readTraffic = createReadTraffic(core);
  const peopleOf = createPeopleOf(core);

  async function webhooksOf(actor: Actor, application: Application): Promise<CalledWebhook[]> {
    const all = await webhooks.service.listAll(application);
    return Promise.all(
      all.map(async (webhook) => {
        const isShown = isFailing(webhook) && actor.may('own');
        const log = isShown && (await webhooks.service.log(actor, webhook, { limit: READ_CALLS }));
        return { ...webhook, calls: log ? log.attempts : [], pending: log ? log.pending : 0 };
      }),
    );
  }

  async function lastRefusedOf({
    application,
    refusals,
  }: ApplicationTraffic): Promise<ApplicationState['lastRefused']> {
    if (!refusals?.parts.some(({ isManual, messages: count }) => !isManual && count > 0)) return undefined;
    const filter = { applicationIds: [application.id], state: 'refused' } as const;
    const { messages: refused } = await lookup.page(filter, undefined, READ_REFUSALS);
    const last = refused.find(({ refusal }) => refusal?.code === 'FRAUD_SUSPECTED' && !isManualHint(refusal.hint));
    return last && { country: countryOf(last.recipient), at: last.createdAt };
  }

  /** Returns when each provider whose messages others sent instead sent its latest message. */
  async function lastThroughOf(applicationIds: readonly number[], rescued: AccountState['rescued']) {
    const entries = rescueGroups(rescued).map(async ([newest]) => {
      const { failed, provider, createdAt } = newest;
      const at = await lookup.latestThrough(applicationIds, failed.channel, provider, createdAt);
      return [wayOf(newest), at] as const;
    });
    return new Map(await Promise.all(entries));
  }

  /** Only the operator can renew the certificate, and back up the database. */
  async function upkeepOf(accountId: number, { now, sentBefore }: AccountTraffic): Promise<UpkeepState | undefined> {
    if (!(await providers.service.isOperatorAccount(accountId))) return undefined;
    const last = upkeep.hasBackups ? upkeep.lastBackupAt() : undefined;
    const isUsed = sentBefore.slice(0, -BACKUP_DAYS + 1).some((sent) => sent > 0);
    const needsBackup = upkeep.hasBackups && isUsed && (last === undefined || last < now - BACKUP_DAYS * DAY);
    return { certificate: upkeep.certificate(), lastBackupAt: last, needsBackup };
  }

  async function refusedBetween(applicationId: number, from: number, before: number): Promise<Refused[]> {
    const refusals = await fraud.refusedBetween(applicationId, from, before);
    return refusals.map((refusal) => {
      return { country: refusal.country, messages: refusal.messages, cost: costOf(applicationId, refusal) };
    });
  }

  return async function read(viewer: Viewer): Promise<HomeState> {
    const { actor, accountId, applications, channels, mayHaveProviders } = viewer;
    const applicationIds = applications.map(({ id }) => id);
    const { traffic, counts, days } = await readTraffic(accountId, applications);
    const { currency, now, timeZone } = traffic;
    const rescued = await lookup.rescued(applicationIds, now - DAY);
    const { failures, lastSent } = await latestFailures(messages, applicationIds, rescued);
    const stateOf = async (one: ApplicationTraffic): Promise<ApplicationState> => ({
      ...one,
      webhooks: await webhooksOf(actor, one.application),
      lastRefused: await lastRefusedOf(one),
    });
    const state: AccountState = {
      ...traffic,
      channels,
      domains: mayHaveProviders ? await senderDomains.list(actor, accountId) : [],
      applications: await Promise.all(traffic.applications.map(stateOf)),
      failures: failures.map((message) => ({
        ...message,
        attempt: message.attempts.at(-1),
        reasonKey: reasonKey(message),
        hasWrongRecipient: hasWrongRecipient(message),
      })),
      lastSent,
      overdue: await lookup.overdue(applicationIds, now - OVERDUE_MS, COUNTED_OVERDUE),
      upkeep: mayHaveProviders ? await upkeepOf(accountId, traffic) : undefined,
      enteredLater: 0,
      rescued,
      lastThrough: new Map(),
    };

    const outage = outageOf(state);
    const account = outage
      ? { ...state, enteredLater: (await peopleOf(outage.failures)).enteredLater }
      : { ...state, lastThrough: await lastThroughOf(applicationIds, rescued) };

    const today = days.at(-1)!.day;

    function withoutNamed(period: typeof counts): WithoutNamed {
      const named = [...namedCountries(account)].filter((country) => period.some((one) => one.country === country));
      return { named, others: sumOf(period.filter(({ country }) => !named.includes(country))) };
    }

    async function ended(period: number): Promise<EndedPeriod> {
      const first = dayBefore(today, period);
      const from = startOfLocalDay(first, timeZone);
      const before = startOfLocalDay(today, timeZone);
      const refused = await Promise.all(applicationIds.map((id) => refusedBetween(id, from, before)));
      const challenged = await Promise.all(applicationIds.map((id) => fraud.challengedBetween(id, from, before)));
      const ofPeriod = counts.filter(({ day }) => day >= first && day < today);
      return {
        sum: sumOf(ofPeriod),
        ...withoutNamed(ofPeriod),
        refused: refused.flat(),
        challenged: challenged.flat().sort((a, b) => b.people - a.people),
      };
    }

    return {
      concerns: concernsOf(account),
      manualPauses: manualPausesOf(account),
      outage,
      ...withoutNamed(counts.filter(({ day }) => day === today)),
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
