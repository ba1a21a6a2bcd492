/**
 * Records refused messages: stores the pause or the refused IP address, notifies the owners, and counts the refusal.
 */
import type { Knex } from 'knex';
import { describeError, type Log } from '../../platform/log.js';
import type { Metrics } from '../../platform/metrics.js';
import type { Application } from '../applications/application.js';
import type { Decision, Increment, TripEffects } from './fraud.js';
import type { FraudCache } from './fraud-cache.js';
import type { FraudNotices } from './fraud-notices.js';
import type { FraudReader } from './fraud-reader.js';
import type { FraudScopesStore } from './fraud-scopes-store.js';
import type { FraudStore } from './fraud-store.js';

export interface RefusalDependencies {
  readonly store: Pick<FraudStore, 'mark'>;
  readonly scopesStore: Pick<FraudScopesStore, 'trip'>;
  readonly notices: Pick<FraudNotices, 'paused' | 'stopped'>;
  readonly cache: FraudCache;
  readonly reader: FraudReader;
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'fraudRefusal' | 'fraudPause'>;
}

export function createRecordRefusal({ store, scopesStore, notices, cache, reader, log, metrics }: RefusalDependencies) {
  async function storeTrip(application: Application, effects: TripEffects, now: number): Promise<void> {
    const applicationId = application.id;
    const report = (trx: Knex) => notices.paused(trx, application, effects.state, now);
    try {
      if (!(await scopesStore.trip(applicationId, effects, now, report))) return;
      cache.add(applicationId, effects.increments).stored();
      const { rule, scope } = effects.trip;
      metrics.fraudPause(rule, scope);
      log.warn({ application: applicationId, rule, scope }, 'the fraud guard paused messages');
    } catch (error) {
      // The next message trips the rule again.
      log.error({ err: describeError(error) }, 'the fraud guard cannot store a pause');
    } finally {
      reader.forget(applicationId);
    }
  }

  const storeMark = (applicationId: number, mark: Increment): Promise<void> =>
    store.mark({ applicationId, increments: [mark] }).then(
      () => cache.add(applicationId, [mark]).stored(),
      // The next refusal of the IP address stores it.
      (error) => log.error({ err: describeError(error) }, 'the fraud guard cannot record a refused IP address'),
    );

  return async function recordRefusal(
    application: Application,
    { trip, mark, refusal }: Extract<Decision, { allowed: false }>,
    now: number,
  ): Promise<void> {
    if (trip) await storeTrip(application, trip, now);
    if (mark) await storeMark(application.id, mark);
    if (refusal.rule === 'R6') await notices.stopped(application, refusal, now);
    metrics.fraudRefusal(refusal.rule);
  };
}
