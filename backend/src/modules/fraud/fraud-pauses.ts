/** Pauses as people see them: lists them, and lets a person pause, resume or allow a scope. */
import type { Clock } from '../../platform/clock.js';
import type { InTransaction } from '../../platform/db/transaction.js';
import { requireRight, type Actor } from '../access/actor.js';
import type { Application } from '../applications/application.js';
import type { AuditService } from '../audit/audit-service.js';
import type { ScopeState } from './fraud.js';
import { explain } from './fraud-explanation.js';
import { allowByPerson, isAllowed, isPaused, pauseByPerson, resumeByPerson } from './fraud-ladder.js';
import type { FraudReader } from './fraud-reader.js';
import type { FraudScopesStore, ScopeName } from './fraud-scopes-store.js';

/** `allowForEver` is for prefixes; larger scopes are allowed for 24 hours. */
export type PauseAction = 'pause' | 'resume' | 'allow' | 'allowForEver';

export interface ScopeView extends ScopeName {
  readonly state: 'paused' | 'allowed';
  /** In milliseconds; undefined until a person acts, or for ever. */
  readonly until: number | undefined;
  /** Why the scope is paused; "" if it is not. */
  readonly reason: string;
}

export interface FraudPausesDependencies {
  readonly scopesStore: FraudScopesStore;
  readonly reader: Pick<FraudReader, 'forget'>;
  readonly inTransaction: InTransaction;
  readonly audit: AuditService;
  readonly clock: Clock;
}

export type FraudPauses = ReturnType<typeof createFraudPauses>;

const nameOf = ({ scope, key }: ScopeName): string => (key === '' ? scope : `${scope} ${key}`);

function viewOf(state: ScopeState, now: number): ScopeView[] {
  const { scope, key, pausedUntil, allowedUntil, pausedAt } = state;
  if (isPaused(state, now))
    return [{ scope, key, state: 'paused', until: pausedUntil, reason: explain(state, pausedAt) }];
  if (!isAllowed(state, now)) return [];
  return [{ scope, key, state: 'allowed', until: allowedUntil === Infinity ? undefined : allowedUntil, reason: '' }];
}

const textOf = ([view]: readonly ScopeView[]): string =>
  view
    ? `${view.state} ${view.until === undefined ? 'without an end' : `until ${new Date(view.until).toISOString()}`}`
    : '';

export function createFraudPauses({ scopesStore, reader, inTransaction, audit, clock }: FraudPausesDependencies) {
  function changed(state: ScopeState, action: PauseAction, now: number): ScopeState | undefined {
    if (action === 'pause') return pauseByPerson(state, state, now);
    if (action === 'resume') return isPaused(state, now) ? resumeByPerson(state, now) : undefined;
    return allowByPerson(state, state, now, action === 'allowForEver');
  }

  return {
    /** The scopes that are paused or allowed now, in the order in which they were paused first. */
    async list(applicationId: number): Promise<ScopeView[]> {
      const now = clock.now();
      return (await scopesStore.of([applicationId])).flatMap((state) => viewOf(state, now));
    },

    /** Returns false for a scope that cannot be resumed because it is not paused. Other processes follow within a second. */
    async act(actor: Actor, application: Application, place: ScopeName, action: PauseAction): Promise<boolean> {
      requireRight(actor, 'own');
      const now = clock.now();
      const isChanged = await inTransaction(async (trx) => {
        let before = '';
        const after = await scopesStore.change(trx, application.id, place, (state) => {
          before = textOf(viewOf(state, now));
          return changed(state, action, now);
        });
        if (!after) return false;
        const changes = [{ name: nameOf(place), before, after: textOf(viewOf(after, now)) }];
        const verb = action === 'allowForEver' ? 'allow' : action;
        const { accountId, name: subject } = application;
        await audit.record(trx, actor, { accountId, action: `fraud.${verb}`, subject, changes });
        return true;
      });
      reader.forget(application.id);
      return isChanged;
    },
  };
}
