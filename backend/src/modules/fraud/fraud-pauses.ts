/** Lists paused and allowed scopes, and lets a person pause, resume or allow a scope. */
import type { Knex } from 'knex';
import { requireRight, type Actor } from '../access/actor.js';
import type { Application } from '../applications/application.js';
import { hasChallenge } from '../applications/challenge-settings.js';
import type { Shared } from '../audit/audit-service.js';
import { countryOf } from '../recipients/recipient.js';
import { scopeName, type ExcessesStore } from './excesses-store.js';
import type { RuleName, ScopeRef, ScopeState } from './fraud.js';
import { explain } from './fraud-texts.js';
import { BURST_PER_HOUR, isChallenging } from './gauges.js';
import { allowByPerson, isAllowed, isPaused, pausableScopes, pauseByPerson, resumeByPerson } from './pause-state.js';
import type { FraudNotices } from './fraud-notices.js';
import type { FraudReader } from './fraud-reader.js';
import type { FraudScopesStore } from './fraud-scopes-store.js';

/** `allowForEver` applies to prefixes only; larger scopes are allowed for a day. */
export type PauseAction = 'pause' | 'resume' | 'allow' | 'allowForEver';

export interface ScopeView extends ScopeRef {
  /** `challenged`: messages need a solved challenge. */
  readonly state: 'paused' | 'challenged' | 'allowed';
  /** The rule that paused the scope; `person` if a person paused or allowed it. */
  readonly rule: RuleName;
  /** When the pause or challenge started, in epoch milliseconds; undefined if it is allowed. */
  readonly from: number | undefined;
  /** Epoch milliseconds; undefined if the pause lasts until a person acts, or if the scope is allowed forever. */
  readonly until: number | undefined;
  /** Why the scope is paused; "" if it is not. */
  readonly reason: string;
}

export interface EndedPause extends ScopeRef {
  /** Epoch milliseconds. */
  readonly from: number;
  readonly until: number;
  /** Whether a person ended it. */
  readonly isResumed: boolean;
}

interface Dependencies extends Pick<Shared, 'audit' | 'clock' | 'inTransaction'> {
  readonly scopesStore: FraudScopesStore;
  readonly excesses: Pick<ExcessesStore, 'read' | 'reset'>;
  readonly notices: Pick<FraudNotices, 'paused'>;
  readonly reader: Pick<FraudReader, 'forget'>;
}

type Challenger = Pick<Application, 'id' | 'settings'>;

export type FraudPauses = ReturnType<typeof createFraudPauses>;

/** The scopes that a person resumes and allows together with the whole application. */
const WHOLE_APPLICATION: readonly ScopeRef[] = [
  { scope: 'newCountries', key: '' },
  { scope: 'newCountries', key: 'served' },
  { scope: 'burst', key: '' },
];

const nameOf = ({ scope, key }: ScopeRef): string => (key === '' ? scope : `${scope} ${key}`);

function viewOf(state: ScopeState, now: number): ScopeView[] {
  const { scope, key, rule, level, pausedUntil, allowedUntil, pausedAt } = state;
  const shown = { scope, key, rule, from: pausedAt };
  if (isPaused(state, now))
    return [{ ...shown, state: 'paused', until: pausedUntil, reason: explain(state, pausedAt, level > 1) }];
  if (state.isChallenged)
    return [{ ...shown, state: 'challenged', until: undefined, reason: explain(state, pausedAt) }];
  if (!isAllowed(state, now)) return [];
  const until = allowedUntil === Infinity ? undefined : allowedUntil;
  return [{ ...shown, rule: 'person', from: undefined, state: 'allowed', until, reason: '' }];
}

const textOf = ([view]: readonly ScopeView[]): string =>
  view
    ? `${view.state} ${view.until === undefined ? 'indefinitely' : `until ${new Date(view.until).toISOString()}`}`
    : '';

export function createFraudPauses(dependencies: Dependencies) {
  const { scopesStore, excesses, notices, reader, inTransaction, audit, clock } = dependencies;

  function changed(state: ScopeState, action: PauseAction, now: number, days: number): ScopeState | undefined {
    if (action === 'pause') return pauseByPerson(state, state, now);
    if (action === 'resume') return viewOf(state, now).length > 0 ? resumeByPerson(state, now) : undefined;
    return allowByPerson(state, state, now, action === 'allowForEver' ? Infinity : days);
  }

  /** Changes a scope, and returns the change for the audit log; undefined if there is nothing to change. */
  async function change(trx: Knex, application: Application, ref: ScopeRef, action: PauseAction, days: number) {
    const now = clock.now();
    let before = '';
    const after = await scopesStore.change(trx, application.id, ref, (state) => {
      before = textOf(viewOf(state, now));
      return changed(state, action, now, days);
    });
    if (!after) return undefined;
    // Earlier counts are no longer evidence.
    if (action !== 'pause') await excesses.reset(trx, application.id, ref);
    if (action === 'pause') await notices.paused(trx, application, after, now);
    return { name: nameOf(ref), before, after: textOf(viewOf(after, now)) };
  }

  /** Leaves out challenges that have ended, or that the application cannot ask for any more. */
  async function listed(application: Challenger, states: readonly ScopeState[], now: number): Promise<ScopeView[]> {
    const { id: applicationId } = application;
    const challenged = states.filter(({ isChallenged }) => isChallenged);
    const found = await excesses.read(challenged.map(({ scope, key }) => ({ applicationId, scope, key })));
    const isOver = (state: ScopeState): boolean => {
      if (!hasChallenge(application)) return true;
      const { limit = 0 } = state.evidence;
      const gauge = { scope: state.scope, limit, perHour: state.scope === 'burst' ? BURST_PER_HOUR : 1 };
      return !isChallenging(gauge, state, found.get(`${applicationId} ${scopeName(state)}`), now);
    };
    return states.flatMap((state) =>
      viewOf(state.isChallenged && isOver(state) ? { ...state, isChallenged: false } : state, now),
    );
  }

  return {
    /** Returns the scopes that are paused, challenged or allowed now, in the order in which they were first stored. */
    async list(application: Challenger): Promise<ScopeView[]> {
      const now = clock.now();
      return listed(application, await scopesStore.of([application.id]), now);
    },

    /** Returns the scopes whose latest pause has ended since `since`, in epoch milliseconds. */
    async ended({ id }: Challenger, since: number): Promise<EndedPause[]> {
      const now = clock.now();
      return (await scopesStore.of([id])).flatMap(({ scope, key, rule, level, pausedAt: from, pausedUntil }) => {
        const until = pausedUntil ?? Infinity;
        // Only a person ends a manual pause, or lowers the level of one that has just ended. Bursts have no level.
        const isResumed = rule === 'person' || (level === 0 && scope !== 'burst');
        return until > since && until <= now ? [{ scope, key, from, until, isResumed }] : [];
      });
    },

    /** Returns the smallest paused scope that contains a phone number, which is the one to allow; undefined if none is. */
    async pauseOf(application: Challenger, number: string): Promise<ScopeView | undefined> {
      const paused = (await this.list(application)).filter(({ state }) => state === 'paused');
      return pausableScopes(number, countryOf(number))
        .map(({ scope, key }) => paused.find((view) => view.scope === scope && view.key === key))
        .find((view) => view !== undefined);
    },

    /** Returns whether a pause or a challenge may stop messages to a phone number. Larger scopes do not apply to all numbers. */
    async mayBeStopped(application: Challenger, number: string): Promise<boolean> {
      const own = pausableScopes(number, countryOf(number));
      return (await this.list(application)).some(
        ({ scope, key, state }) =>
          state !== 'allowed' &&
          ((scope !== 'prefix' && scope !== 'country') || own.some((ref) => ref.scope === scope && ref.key === key)),
      );
    },

    /**
     * Returns false if the scope cannot be resumed because it is neither paused nor allowed. Other processes apply the
     * change within a second. `days`: how long `allow` lasts.
     */
    async act(actor: Actor, application: Application, ref: ScopeRef, action: PauseAction, days = 1): Promise<boolean> {
      requireRight(actor, 'own');
      const refs = ref.scope === 'application' && action !== 'pause' ? [ref, ...WHOLE_APPLICATION] : [ref];
      const isChanged = await inTransaction(async (trx) => {
        const changes = [];
        for (const one of refs) changes.push(await change(trx, application, one, action, days));
        const changed = changes.filter((one) => one !== undefined);
        if (changed.length === 0) return false;
        const { accountId, name: subject } = application;
        const verb = action === 'allowForEver' ? 'allow' : action;
        await audit.record(trx, actor, { accountId, action: `fraud.${verb}`, subject, changes: changed });
        return true;
      });
      reader.forget(application.id);
      return isChanged;
    },
  };
}
