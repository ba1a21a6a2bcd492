/** Reads what decisions need to know, in batches: excesses, states of scopes and conversions, which are cached, and recipients. */
import { createBatcher } from '../../platform/batch.js';
import { DAY, SECOND, type Clock } from '../../platform/clock.js';
import { ApiError, UNAVAILABLE_RETRY_SECONDS } from '../../platform/contract/errors.js';
import type { Database } from '../../platform/db/database.js';
import { describeError, type Log } from '../../platform/log.js';
import { USUAL_DAYS } from './conversion.js';
import type { ExcessCache } from './excess-cache.js';
import { scopeName, type ApplicationScope, type ExcessesStore } from './excesses-store.js';
import type { DayCount, FraudSend, Knowledge, RecipientRecord, ScopeRef, ScopeState } from './fraud.js';
import type { FraudScopesStore } from './fraud-scopes-store.js';
import { isPaused } from './pause-state.js';
import { prefixesOf } from '../recipients/number-prefixes.js';
import type { RecipientsStore } from './recipients-store.js';

/**
 * When the guard's data cannot be read, cached data is used for this long. After that, all messages that cost money are
 * refused.
 */
const GRACE_MS = 30 * SECOND;
/** How long the states of an application's scopes are cached: other processes' changes take effect after this time. */
const STATE_MS = SECOND;
const DAYS_MS = 10 * SECOND;

interface ApplicationState {
  readonly states: ReadonlyMap<string, ScopeState>;
  freshUntil: number;
}

interface ApplicationDays {
  readonly days: readonly DayCount[];
  freshUntil: number;
}

interface Need {
  readonly applicationId: number;
  readonly scopes: readonly ApplicationScope[];
  readonly recipientKeys: readonly string[];
}

export interface Known extends Omit<Knowledge, 'application'> {
  /** False if the data could not be read. In that case, the data may be old, and the recipient's record is missing. */
  readonly isRead: boolean;
}

/** The parts of a send that select its scopes. */
type Destination = Pick<FraudSend, 'number' | 'country' | 'address'>;

/** All scopes whose excess a decision may need. */
export const scopesOf = ({ number, country, address }: Destination): ScopeRef[] => [
  ...prefixesOf(number).map((key): ScopeRef => ({ scope: 'prefix', key })),
  ...(address === undefined ? [] : [{ scope: 'address', key: address } as const]),
  { scope: 'country', key: country },
  { scope: 'newCountries', key: '' },
  { scope: 'newCountries', key: 'served' },
  { scope: 'burst', key: '' },
  { scope: 'solved', key: country },
  { scope: 'prefixPauses', key: country },
  { scope: 'notified', key: country },
  { scope: 'notified', key: '' },
];

interface Dependencies {
  readonly db: Database;
  readonly excesses: Pick<ExcessesStore, 'read' | 'days'>;
  readonly recipients: Pick<RecipientsStore, 'find'>;
  readonly scopesStore: Pick<FraudScopesStore, 'of'>;
  readonly cache: ExcessCache;
  readonly clock: Clock;
  readonly log: Log;
}

export type FraudReader = ReturnType<typeof createFraudReader>;

const NO_STATES: ReadonlyMap<string, ScopeState> = new Map();

/** Groups rows by application. */
const grouped = <T extends { readonly applicationId: number }>(rows: readonly T[], id: number): T[] =>
  rows.filter(({ applicationId }) => applicationId === id);

function expire(cached: ReadonlyMap<number, { freshUntil: number }>, applicationId: number): void {
  const entry = cached.get(applicationId);
  if (entry) entry.freshUntil = 0;
}

export function createFraudReader({ db, excesses, recipients, scopesStore, cache, clock, log }: Dependencies) {
  const states = new Map<number, ApplicationState>();
  const days = new Map<number, ApplicationDays>();
  let failingSince: number | undefined;

  async function readApplications(ids: readonly number[], now: number): Promise<void> {
    const isStale = (cached: ReadonlyMap<number, { freshUntil: number }>) => (id: number) =>
      (cached.get(id)?.freshUntil ?? 0) <= now;
    const oldStates = ids.filter(isStale(states));
    if (oldStates.length > 0) {
      const found = await scopesStore.of(oldStates);
      for (const id of oldStates) {
        const own = new Map(grouped(found, id).map((state) => [scopeName(state), state]));
        states.set(id, { states: own, freshUntil: now + STATE_MS });
      }
    }
    const oldDays = ids.filter(isStale(days));
    if (oldDays.length === 0) return;
    const found = await excesses.days(oldDays, now - USUAL_DAYS * DAY);
    for (const id of oldDays) days.set(id, { days: grouped(found, id), freshUntil: now + DAYS_MS });
  }

  /** Returns whether another process has paused the scope: only the excess of a paused scope was changed in the future. */
  const isPauseUnread = ({ applicationId, ...ref }: ApplicationScope, now: number): boolean =>
    (cache.get(applicationId, ref)?.at ?? 0) > now && !isPaused(cachedOf(applicationId).stateOf(ref), now);

  /** Refreshes stale cached data once for all sends in a batch. Returns the recipient's record for each send. */
  const readBatch = createBatcher(async (needs: readonly Need[]) => {
    const now = clock.now();
    const ids = [...new Set(needs.map(({ applicationId }) => applicationId))];
    const scopes = needs.flatMap((need) => need.scopes);
    await cache.refresh(scopes, now, excesses.read);
    // A pause lowers the excess, so the states must not be older than the excesses.
    scopes.filter((scope) => isPauseUnread(scope, now)).forEach(({ applicationId }) => expire(states, applicationId));
    await readApplications(ids, now);
    const keys = needs.flatMap(({ recipientKeys }) => recipientKeys);
    const found = await recipients.find(db, keys, ids);
    return needs.map(({ recipientKeys }) =>
      recipientKeys.map((key) => found.get(key)).find((record) => record !== undefined),
    );
  });

  const isGraceOver = (now: number): boolean => failingSince !== undefined && now - failingSince >= GRACE_MS;

  /** Lets sends use the cached data during the grace period after the first failed read, and throws afterwards. */
  function tolerateReadFailure(error: unknown): void {
    const now = clock.now();
    if (failingSince === undefined) log.error({ err: describeError(error) }, 'the fraud guard cannot read its data');
    failingSince ??= now;
    if (!isGraceOver(now)) return;
    log.error({ err: describeError(error) }, 'the fraud guard refuses all messages that cost money');
    throw new ApiError('SERVICE_UNAVAILABLE', { retryAfterSeconds: UNAVAILABLE_RETRY_SECONDS });
  }

  async function readNeed(need: Need): Promise<{ recipient: RecipientRecord | undefined; isRead: boolean }> {
    try {
      const recipient = await readBatch(need);
      if (failingSince !== undefined) log.info('the fraud guard can read its data again');
      failingSince = undefined;
      return { recipient, isRead: true };
    } catch (error) {
      tolerateReadFailure(error);
      return { recipient: undefined, isRead: false };
    }
  }

  /** Returns what is cached about an application. */
  const cachedOf = (applicationId: number) => ({
    days: days.get(applicationId)?.days ?? [],
    stateOf: (ref: ScopeRef) => (states.get(applicationId)?.states ?? NO_STATES).get(scopeName(ref)),
    excessOf: (ref: ScopeRef) => cache.get(applicationId, ref),
  });

  return {
    async read(applicationId: number, send: Destination, recipientKeys: readonly string[]): Promise<Known> {
      const scopes = scopesOf(send).map((ref) => ({ ...ref, applicationId }));
      const read = await readNeed({ applicationId, scopes, recipientKeys });
      return { ...cachedOf(applicationId), ...read };
    },

    cachedOf,

    /** Returns whether all messages that cost money are refused. Reads again first if the last read failed. */
    async refusesPaid(): Promise<boolean> {
      const now = clock.now();
      const nothing = { applicationId: 0, scopes: [{ applicationId: 0, scope: 'burst', key: '' } as const] };
      if (failingSince !== undefined) await readNeed({ ...nothing, recipientKeys: [''] }).catch(() => undefined);
      return isGraceOver(now);
    },

    /** Lets the next send read the application again. Sends in progress use what is cached. */
    forget(applicationId: number): void {
      expire(states, applicationId);
      expire(days, applicationId);
      cache.forget(applicationId);
    },
  };
}
