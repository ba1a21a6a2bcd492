/** Stores the scopes that were paused by the fraud guard or a person, or allowed by a person. */
import type { Knex } from 'knex';
import { deleteInChunks, type Database } from '../../platform/db/database.js';
import type { Row } from '../../platform/db/row.js';
import { transact } from '../../platform/db/transaction.js';
import { addCounted } from './excesses-store.js';
import type { RuleName, ScopeRef, ScopeState, Trip } from './fraud.js';
import { isPaused, newState, QUIET_WEEKS_MS } from './pause-state.js';

export type FraudScopesStore = ReturnType<typeof createFraudScopesStore>;

const SCOPE_KEY = ['application_id', 'scope', 'scope_key'];
/** The value of `allowed_until` for a scope that is allowed forever. */
const FOREVER = -1;

const toScope = (row: Row): ScopeState => ({
  scope: row.scope as ScopeState['scope'],
  key: row.scope_key as string,
  level: Number(row.level),
  pausedAt: Number(row.paused_at),
  pausedUntil: row.paused_until === null ? undefined : Number(row.paused_until),
  rule: row.rule as RuleName,
  evidence: JSON.parse(row.evidence as string),
  isChallenged: Boolean(row.challenged),
  allowedUntil: Number(row.allowed_until) === FOREVER ? Infinity : Number(row.allowed_until),
});

const toScopeRow = (applicationId: number, state: ScopeState): Row => ({
  application_id: applicationId,
  scope: state.scope,
  scope_key: state.key,
  level: state.level,
  paused_at: state.pausedAt,
  paused_until: state.pausedUntil ?? null,
  rule: state.rule,
  evidence: JSON.stringify(state.evidence),
  // Only Passbell 0.1 reads it.
  established: false,
  challenged: state.isChallenged,
  allowed_until: state.allowedUntil === Infinity ? FOREVER : state.allowedUntil,
});

export function createFraudScopesStore(db: Database) {
  const scopeOf = (trx: Knex, applicationId: number, { scope, key }: ScopeRef) =>
    trx('fraud_scopes').where({ application_id: applicationId, scope, scope_key: key });

  /** Locks a scope's state until the transaction ends, and replaces it if `change` returns a new state. */
  async function changeScope(
    trx: Knex,
    applicationId: number,
    ref: ScopeRef,
    change: (before: ScopeState) => ScopeState | undefined,
  ): Promise<ScopeState | undefined> {
    await trx('fraud_scopes')
      .insert(toScopeRow(applicationId, newState(ref)))
      .onConflict(SCOPE_KEY)
      .ignore();
    const after = change(toScope((await scopeOf(trx, applicationId, ref).forUpdate().first()) as Row));
    if (after) await scopeOf(trx, applicationId, ref).update(toScopeRow(applicationId, after));
    return after;
  }

  return {
    change: changeScope,

    async of(applicationIds: readonly number[]): Promise<(ScopeState & { readonly applicationId: number })[]> {
      const rows: Row[] = await db('fraud_scopes').whereIn('application_id', applicationIds).orderBy('id');
      return rows.map((row) => ({ ...toScope(row), applicationId: Number(row.application_id) }));
    },

    /**
     * Stores a pause or a challenge, and runs `report` in the same transaction, unless another process has done so since
     * `seenPausedAt`. Returns whether it was stored.
     */
    trip: (
      applicationId: number,
      { state, charges }: Trip,
      seenPausedAt: number,
      now: number,
      report: (trx: Knex) => Promise<void>,
    ): Promise<boolean> =>
      transact(db, async (trx) => {
        const stored = await changeScope(trx, applicationId, state, (before) =>
          isPaused(before, now) || before.pausedAt > seenPausedAt ? undefined : state,
        );
        if (!stored) return false;
        await addCounted(trx, [{ applicationId, charges }]);
        await report(trx);
        return true;
      }),

    /** Deletes states that no longer have an effect. */
    deleteOld: (now: number): Promise<void> =>
      deleteInChunks(
        () =>
          db('fraud_scopes')
            .where('paused_at', '<', now - QUIET_WEEKS_MS)
            .where('paused_until', '<', now - QUIET_WEEKS_MS)
            .whereNot({ allowed_until: FOREVER })
            .where('allowed_until', '<', now),
        'id',
      ),
  };
}
