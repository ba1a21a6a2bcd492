/** Reads what decisions need to know, in batches: excesses, states of scopes and conversions, which are cached, and recipients. */
import type { Base } from '../../platform/base.js';
import { createBatcher } from '../../platform/batch.js';
import { DAY, SECOND } from '../../platform/clock.js';
import { ApiError, UNAVAILABLE_RETRY_SECONDS } from '../../platform/contract/errors.js';
import { describeError } from '../../platform/log.js';
import { USUAL_DAYS } from './gauges.js';
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

interface Dependencies extends Pick<Base, 'clock' | 'db' | 'log'> {
  readonly excesses: Pick<ExcessesStore, 'read' | 'days'>;
  readonly recipients: Pick<RecipientsStore, 'find'>;
  readonly scopesStore: Pick<FraudScopesStore, 'of'>;
  readonly cache: ExcessCache;
}

export type FraudReader = ReturnType<typeof createFraudReader>;

/** Caches a value for each application. A value that was read `freshMs` ago is read again. */
function createValues<Row extends { readonly applicationId: number }, Value>(
  freshMs: number,
  read: (ids: readonly number[], now: number) => Promise<readonly Row[]>,
  valueOf: (rows: readonly Row[]) => Value,
) {
  const cached = new Map<number, { readonly value: Value; freshUntil: number }>();
  const none = valueOf([]);
  return {
    of: (id: number): Value => cached.get(id)?.value ?? none,
    async refresh(ids: readonly number[], now: number): Promise<void> {
      const stale = ids.filter((id) => (cached.get(id)?.freshUntil ?? 0) <= now);
      if (stale.length === 0) return;
      const rows = await read(stale, now);
      for (const id of stale) {
        const value = valueOf(rows.filter(({ applicationId }) => applicationId === id));
        cached.set(id, { value, freshUntil: now + freshMs });
      }
    },
    expire(id: number): void {
      const entry = cached.get(id);
      if (entry) entry.freshUntil = 0;
    },
  };
}

const byName = (states: readonly ScopeState[]): ReadonlyMap<string, ScopeState> =>
  new Map(states.map((state) => [scopeName(state), state]));

export function createFraudReader({ db, excesses, recipients, scopesStore, cache, clock, log }: Dependencies) {
  const states = createValues(STATE_MS, scopesStore.of, byName);
  const days = createValues(
    DAYS_MS,
    (ids, now) => excesses.days(ids, now - USUAL_DAYS * DAY),
    (rows): readonly DayCount[] => rows,
  );
  let failingSince: number | undefined;

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
    scopes.filter((scope) => isPauseUnread(scope, now)).forEach(({ applicationId }) => states.expire(applicationId));
    await states.refresh(ids, now);
    await days.refresh(ids, now);
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

  const cachedOf = (applicationId: number) => ({
    days: days.of(applicationId),
    stateOf: (ref: ScopeRef) => states.of(applicationId).get(scopeName(ref)),
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
      states.expire(applicationId);
      days.expire(applicationId);
      cache.forget(applicationId);
    },
  };
}
