/** Reads the fraud guard's state for an application, for the Protection page and the command. */
import { DAY, type Clock } from '../../platform/clock.js';
import type { Application } from '../applications/application.js';
import type { Bucket, KeyedBucket } from './fraud.js';
import { appliedSettings } from './fraud-application.js';
import { BASELINE_DAYS, bucketStart } from './fraud-counters.js';
import { isConversionUnknown } from './fraud-evidence.js';
import { explain } from './fraud-explanation.js';
import type { Observation, FraudObservationsStore } from './fraud-observations-store.js';
import { stateText } from './fraud-overview-texts.js';
import type { FraudPauses, ScopeView } from './fraud-pauses.js';
import type { FraudSettings } from './fraud-settings.js';
import { budgetRefusal, spendLimit, spendRefusal, todaysSpend } from './fraud-spend.js';
import type { FraudStore, StoredApplication } from './fraud-store.js';

/**
 * - `waiting`: no message has been counted yet; the observation period starts with the first message.
 * - `observing`: fraud rules R3 to R5 only record the messages that they would refuse.
 * - `unverified`: R3 to R5 still only record, because no code of the application was ever verified.
 * - `elsewhere`: R3 to R5 are inactive, because codes are verified elsewhere and too few are reported.
 * - `acting`: all rules are active.
 */
export type ObservationPhase = 'waiting' | 'observing' | 'unverified' | 'elsewhere' | 'acting';

/** The numbers of recipients and verified recipients in a country or prefix. */
export interface ConversionView extends Pick<KeyedBucket, 'key' | 'sent' | 'verified'> {
  /** Whether it is paused or allowed. Recipients in allowed prefixes are not counted. */
  readonly state?: ScopeView['state'];
}

export interface FraudOverview {
  /** The guard's state as a sentence. */
  readonly state: string;
  readonly scopes: readonly ScopeView[];
  readonly observation: {
    readonly phase: ObservationPhase;
    /** Whole days; 0 unless the phase is `observing`. */
    readonly daysLeft: number;
    /** Messages that would have been refused, in the last {@link OBSERVED_DAYS} days. */
    readonly observed: readonly Observation[];
  };
  /**
   * Countries in the last 14 days and prefixes in the last 24 hours, with the most unverified recipients first. Allowed
   * prefixes that are not counted come last.
   */
  readonly conversion: { readonly countries: readonly ConversionView[]; readonly prefixes: readonly ConversionView[] };
  /** In ten-thousandths of the currency, since the start of the UTC day. */
  readonly spend: {
    readonly today: number;
    /** Undefined without a limit. */
    readonly limit: number | undefined;
    /**
     * Why messages are refused until the UTC day ends; "" if fraud rule R6 (the daily cost limit) refuses nothing. Only
     * the budget also applies to recipients who were verified.
     */
    readonly stopped: string;
  };
}

export const OBSERVED_DAYS = 30;
const MAX_OBSERVED = 20;
const LOWEST_COST = { cost: 1 };
const MAX_COUNTRIES = 12;
const MAX_PREFIXES = 12;

interface Dependencies {
  readonly store: Pick<FraudStore, 'applications' | 'read' | 'sums'>;
  readonly pauses: Pick<FraudPauses, 'list'>;
  readonly observations: Pick<FraudObservationsStore, 'since'>;
  readonly clock: Clock;
}

export type ReadFraudOverview = (application: Application) => Promise<FraudOverview>;

/**
 * Raises `sent` to at least `verified`: it can be lower, because unverified recipients of paused prefixes are
 * subtracted from the counts of their countries. Drops rows without recipients.
 */
const normalizeCounts = (sums: readonly ConversionView[]): ConversionView[] =>
  sums.map((sum) => ({ ...sum, sent: Math.max(sum.sent, sum.verified) })).filter(({ sent }) => sent > 0);

/** Leaves out a prefix of 1,000,000 numbers if all of its recipients are in a listed prefix of 10,000 numbers. */
const distinct = (prefixes: readonly ConversionView[]): ConversionView[] =>
  prefixes.filter(
    ({ key, sent }) =>
      !prefixes.some((other) => other.key.length > key.length && other.key.startsWith(key) && other.sent === sent),
  );

const NO_COUNTS = { sent: 0, verified: 0 };

function withStates(
  rows: readonly ConversionView[],
  scope: ScopeView['scope'],
  scopes: readonly ScopeView[],
): ConversionView[] {
  return rows.map((row) => {
    const found = scopes.find((view) => view.scope === scope && view.key === row.key);
    return found ? { ...row, state: found.state } : row;
  });
}

export function createFraudOverview({ store, pauses, observations, clock }: Dependencies) {
  async function conversion(
    applicationId: number,
    scopes: readonly ScopeView[],
    now: number,
  ): Promise<FraudOverview['conversion']> {
    const from = bucketStart('day', now - BASELINE_DAYS * DAY);
    const countries = { applicationId, dimension: 'country', size: 'day', from } as const;
    const prefixes = { applicationId, dimension: 'prefix', size: 'minute', from: now - DAY } as const;
    // Twice as many as shown, because `distinct` may leave some out.
    const shown = distinct(normalizeCounts(await store.sums(prefixes, 2 * MAX_PREFIXES))).slice(0, MAX_PREFIXES);
    const uncounted = scopes.filter(
      ({ scope, key, state }) => scope === 'prefix' && state === 'allowed' && !shown.some((row) => row.key === key),
    );
    return {
      countries: withStates(normalizeCounts(await store.sums(countries, MAX_COUNTRIES)), 'country', scopes),
      prefixes: withStates([...shown, ...uncounted.map(({ key }) => ({ key, ...NO_COUNTS }))], 'prefix', scopes),
    };
  }

  const applicationDays = (applicationId: number, now: number): Promise<Bucket[]> =>
    store.read([
      {
        applicationId,
        dimension: 'application',
        key: '',
        startsWith: false,
        size: 'day',
        from: bucketStart('day', now - BASELINE_DAYS * DAY),
      },
    ]);

  return async function readFraudOverview(application: Application): Promise<FraudOverview> {
    const { id } = application;
    const now = clock.now();
    const scopes = await pauses.list(id);
    const known = {
      settings: appliedSettings(application),
      verifiedElsewhere: application.settings.verifiedElsewhere,
      now,
      stored: (await store.applications([id])).get(id),
      days: await applicationDays(id, now),
    };
    const spend = spendOf(known, scopes);
    const observed = await observations.since(id, bucketStart('day', now - OBSERVED_DAYS * DAY), MAX_OBSERVED);
    return {
      state: stateText(scopes, spend.stopped !== ''),
      scopes,
      observation: { ...observationOf(known), observed },
      conversion: await conversion(id, scopes, now),
      spend,
    };
  };
}

interface Known {
  readonly settings: FraudSettings;
  readonly verifiedElsewhere: boolean;
  /** Undefined until the first message is counted. */
  readonly stored: StoredApplication | undefined;
  readonly days: readonly Bucket[];
  readonly now: number;
}

function observationOf(known: Known): { phase: ObservationPhase; daysLeft: number } {
  const { stored, settings, days, now } = known;
  if (!stored) return { phase: 'waiting', daysLeft: 0 };
  if (isConversionUnknown(known, days, now)) return { phase: 'elsewhere', daysLeft: 0 };
  const left = stored.guardedSince + settings.observeDays * DAY - now;
  if (left > 0) return { phase: 'observing', daysLeft: Math.ceil(left / DAY) };
  return { phase: stored.everVerified ? 'acting' : 'unverified', daysLeft: 0 };
}

function spendOf(known: Known, scopes: readonly ScopeView[]): FraudOverview['spend'] {
  const { days, settings, verifiedElsewhere, now } = known;
  const { usual, budget } = spendLimit(days, settings, now);
  const limit = Math.min(usual, budget);
  const application = { everVerified: known.stored?.everVerified ?? false, verifiedElsewhere };
  const allowed = scopes.some(({ scope, state }) => scope === 'application' && state === 'allowed');
  const automatic = allowed ? undefined : spendRefusal(LOWEST_COST, days, application, settings, now);
  const refusal = budgetRefusal(LOWEST_COST, days, settings, now) ?? automatic;
  return {
    today: todaysSpend(days, now),
    limit: limit === Infinity ? undefined : limit,
    stopped: refusal ? explain(refusal, now) : '',
  };
}
