/** Reads the data for decisions in batches: counters and scope states, which are cached, and recipients. */
import { createBatcher } from '../../platform/batch.js';
import { SECOND, type Clock } from '../../platform/clock.js';
import { ApiError, UNAVAILABLE_RETRY_SECONDS } from '../../platform/contract/errors.js';
import type { Database } from '../../platform/db/database.js';
import { describeError, type Log } from '../../platform/log.js';
import type { FraudCounts, FraudSend, RecipientRecord, ScopeRef, ScopeState } from './fraud.js';
import type { FraudCache, Series } from './fraud-cache.js';
import { prefixesOf, readCounts } from './fraud-counters.js';
import type { FraudScopesStore } from './fraud-scopes-store.js';
import type { ApplicationRange, FraudStore, StoredApplication } from './fraud-store.js';

/**
 * When counters cannot be read, cached counts are used for this long. After that, all messages that cost money are
 * refused.
 */
const GRACE_MS = 30 * SECOND;

/** How long an application's state is cached: changes by other processes take effect after at most this time. */
const STATE_MS = SECOND;

/** A placeholder range that matches no counters. */
const NO_COUNTERS: ApplicationRange = {
  applicationId: 0,
  dimension: 'application',
  key: '',
  startsWith: false,
  size: 'day',
  from: 0,
};

interface Need {
  readonly applicationId: number;
  readonly series: readonly Series[];
  readonly recipientKeys: readonly string[];
}

interface ApplicationState {
  readonly stored: StoredApplication | undefined;
  readonly scopes: Map<string, ScopeState>;
  /** When any scope was last paused; 0 if never. */
  readonly pausedAt: number;
  readonly freshUntil: number;
}

export interface Known {
  /** Undefined until the first message of the application is counted. */
  readonly stored: StoredApplication | undefined;
  /** The states of the send's scopes. */
  readonly scopes: readonly ScopeState[];
  readonly counts: FraudCounts;
  readonly recipient: RecipientRecord | undefined;
  /** False if the data could not be read. In that case, the counts may be old, and the recipient's record is missing. */
  readonly isRead: boolean;
}

/** The parts of a send that select its counters. */
type CounterKeys = Pick<FraudSend, 'number' | 'country' | 'source'>;

const scopesOf = ({ number, country }: CounterKeys): ScopeRef[] => [
  ...prefixesOf(number).map((key) => ({ scope: 'prefix', key }) as const),
  { scope: 'country', key: country },
  { scope: 'application', key: '' },
];

const scopeId = ({ scope, key }: ScopeRef): string => `${scope} ${key}`;

interface Dependencies {
  readonly db: Database;
  readonly store: FraudStore;
  readonly scopesStore: FraudScopesStore;
  readonly cache: FraudCache;
  readonly clock: Clock;
  readonly log: Log;
}

export type FraudReader = ReturnType<typeof createFraudReader>;

export function createFraudReader({ db, store, scopesStore, cache, clock, log }: Dependencies) {
  const applications = new Map<number, ApplicationState>();
  let failingSince: number | undefined;

  async function readApplications(ids: readonly number[], now: number): Promise<void> {
    if (ids.length === 0) return;
    const stored = await store.applications(ids);
    const scopes = await scopesStore.of(ids);
    for (const id of ids) {
      const own = scopes.filter(({ applicationId }) => applicationId === id);
      const pausedAt = Math.max(0, ...own.map((scope) => scope.pausedAt));
      // A pause subtracts its unverified recipients from old buckets.
      if (applications.get(id)?.pausedAt !== pausedAt) cache.expire(id);
      applications.set(id, {
        stored: stored.get(id),
        scopes: new Map(own.map(({ applicationId: _id, ...state }) => [scopeId(state), state])),
        pausedAt,
        freshUntil: now + STATE_MS,
      });
    }
  }

  /** Refreshes stale cached data once for all sends in a batch. Returns the recipient record for each send. */
  const readBatch = createBatcher(async (needs: readonly Need[]) => {
    const now = clock.now();
    const isStale = (id: number) => (applications.get(id)?.freshUntil ?? 0) <= now;
    const ids = [...new Set(needs.map(({ applicationId }) => applicationId))];
    await readApplications(ids.filter(isStale), now);
    await cache.refresh(new Set(needs.flatMap(({ series }) => series)), now, store.read);
    const keys = needs.flatMap(({ recipientKeys }) => recipientKeys);
    const recipients = await store.recipients(db, keys, ids);
    return needs.map(({ recipientKeys }) =>
      recipientKeys.map((key) => recipients.get(key)).find((record) => record !== undefined),
    );
  });

  const isGraceOver = (now: number): boolean => failingSince !== undefined && now - failingSince >= GRACE_MS;

  /** Lets sends use the cached counts during the grace period after the first failed read, and throws afterwards. */
  function tolerateReadFailure(error: unknown): void {
    const now = clock.now();
    if (failingSince === undefined)
      log.error({ err: describeError(error) }, 'the fraud guard cannot read its counters');
    failingSince ??= now;
    if (!isGraceOver(now)) return;
    log.error({ err: describeError(error) }, 'the fraud guard refuses all messages that cost money');
    throw new ApiError('SERVICE_UNAVAILABLE', { retryAfterSeconds: UNAVAILABLE_RETRY_SECONDS });
  }

  async function readRecipient(need: Need): Promise<Pick<Known, 'recipient' | 'isRead'>> {
    try {
      const recipient = await readBatch(need);
      if (failingSince !== undefined) log.info('the fraud guard can read its counters again');
      failingSince = undefined;
      return { recipient, isRead: true };
    } catch (error) {
      tolerateReadFailure(error);
      return { recipient: undefined, isRead: false };
    }
  }

  return {
    async read(
      applicationId: number,
      counterKeys: CounterKeys,
      recipientKeys: readonly string[],
      now: number,
    ): Promise<Known> {
      const ranges: { series: Series; from: number }[] = [];
      readCounts(counterKeys, now, (read) => {
        ranges.push({ series: cache.series({ ...read, applicationId }, now), from: read.from });
        return [];
      });
      const series = ranges.map((range) => range.series);
      const read = await readRecipient({ applicationId, series, recipientKeys });
      let next = 0;
      const rowsOfNext = () => cache.rowsOf(ranges[next]!.series, ranges[next++]!.from);
      const { stored, scopes } = applications.get(applicationId) ?? { stored: undefined, scopes: new Map() };
      return {
        stored,
        scopes: scopes.size === 0 ? [] : scopesOf(counterKeys).flatMap((name) => scopes.get(scopeId(name)) ?? []),
        counts: readCounts(counterKeys, now, rowsOfNext),
        ...read,
      };
    },

    /** Returns whether all messages that cost money are refused. Reads again first if the last read failed. */
    async refusesPaid(): Promise<boolean> {
      const now = clock.now();
      if (failingSince !== undefined)
        await readRecipient({ applicationId: 0, series: [cache.series(NO_COUNTERS, now)], recipientKeys: [''] }).catch(
          () => undefined,
        );
      return isGraceOver(now);
    },

    isEverVerified: (applicationId: number): boolean => applications.get(applicationId)?.stored?.everVerified ?? false,

    /** Marks the application's scope states as stale, so that the next send reads them again. */
    forget(applicationId: number): void {
      const state = applications.get(applicationId);
      if (state) applications.set(applicationId, { ...state, freshUntil: 0 });
    },
  };
}
