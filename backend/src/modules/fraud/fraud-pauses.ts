/** Lists paused and allowed scopes, and lets a person pause, resume or allow a scope. */
import type { Clock } from '../../platform/clock.js';
import type { InTransaction } from '../../platform/db/transaction.js';
import { requireRight, type Actor } from '../access/actor.js';
import type { Application } from '../applications/application.js';
import type { AuditService } from '../audit/audit-service.js';
import type { RuleName, ScopeRef, ScopeState } from './fraud.js';
import { explain } from './fraud-explanation.js';
import { allowByPerson, isAllowed, isPaused, pauseByPerson, resumeByPerson } from './fraud-ladder.js';
import type { FraudNotices } from './fraud-notices.js';
import type { FraudReader } from './fraud-reader.js';
import type { FraudScopesStore } from './fraud-scopes-store.js';

/** `allowForEver` applies to prefixes only; larger scopes are allowed for a day. */
export type PauseAction = 'pause' | 'resume' | 'allow' | 'allowForEver';

export interface ScopeView extends ScopeRef {
  readonly state: 'paused' | 'allowed';
  /** The rule that paused the scope; `person` if a person paused or allowed it. */
  readonly rule: RuleName;
  /** Epoch milliseconds; undefined if the pause lasts until a person acts, or if the scope is allowed forever. */
  readonly until: number | undefined;
  /** Why the scope is paused; "" if it is not. */
  readonly reason: string;
}

interface Dependencies {
  readonly scopesStore: FraudScopesStore;
  readonly notices: Pick<FraudNotices, 'paused'>;
  readonly reader: Pick<FraudReader, 'forget'>;
  readonly inTransaction: InTransaction;
  readonly audit: AuditService;
  readonly clock: Clock;
}

export type FraudPauses = ReturnType<typeof createFraudPauses>;

const nameOf = ({ scope, key }: ScopeRef): string => (key === '' ? scope : `${scope} ${key}`);

function viewOf(state: ScopeState, now: number): ScopeView[] {
  const { scope, key, rule, pausedUntil, allowedUntil, pausedAt } = state;
  if (isPaused(state, now))
    return [{ scope, key, rule, state: 'paused', until: pausedUntil, reason: explain(state, pausedAt) }];
  if (!isAllowed(state, now)) return [];
  const until = allowedUntil === Infinity ? undefined : allowedUntil;
  return [{ scope, key, rule: 'person', state: 'allowed', until, reason: '' }];
}

const textOf = ([view]: readonly ScopeView[]): string =>
  view
    ? `${view.state} ${view.until === undefined ? 'indefinitely' : `until ${new Date(view.until).toISOString()}`}`
    : '';

export function createFraudPauses(dependencies: Dependencies) {
  const { scopesStore, notices, reader, inTransaction, audit, clock } = dependencies;

  function changed(state: ScopeState, action: PauseAction, now: number, days: number): ScopeState | undefined {
    if (action === 'pause') return pauseByPerson(state, state, now);
    if (action === 'resume')
      return isPaused(state, now) || isAllowed(state, now) ? resumeByPerson(state, now) : undefined;
    return allowByPerson(state, state, now, action === 'allowForEver' ? Infinity : days);
  }

  return {
    /** Returns the currently paused or allowed scopes, in the order in which they were first stored. */
    async list(applicationId: number): Promise<ScopeView[]> {
      const now = clock.now();
      return (await scopesStore.of([applicationId])).flatMap((state) => viewOf(state, now));
    },

    /**
     * Returns false if the scope cannot be resumed because it is neither paused nor allowed. Other processes apply the
     * change within a second. `days`: how long `allow` lasts.
     */
    async act(actor: Actor, application: Application, ref: ScopeRef, action: PauseAction, days = 1): Promise<boolean> {
      requireRight(actor, 'own');
      const now = clock.now();
      const isChanged = await inTransaction(async (trx) => {
        let before = '';
        const after = await scopesStore.change(trx, application.id, ref, (state) => {
          before = textOf(viewOf(state, now));
          return changed(state, action, now, days);
        });
        if (!after) return false;
        const changes = [{ name: nameOf(ref), before, after: textOf(viewOf(after, now)) }];
        const verb = action === 'allowForEver' ? 'allow' : action;
        const { accountId, name: subject } = application;
        await audit.record(trx, actor, { accountId, action: `fraud.${verb}`, subject, changes });
        if (action === 'pause') await notices.paused(trx, application, after, now);
        return true;
      });
      reader.forget(application.id);
      return isChanged;
    },
  };
}
