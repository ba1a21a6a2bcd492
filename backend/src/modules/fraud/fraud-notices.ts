/**
 * Reports pauses with the webhook event `fraud.paused`, and pauses and daily costs by email to the owners. The `people`
 * module sends the emails.
 */
import type { Knex } from 'knex';
import { utcDay, type Clock } from '../../platform/clock.js';
import type { InTransaction, Write } from '../../platform/db/transaction.js';
import { describeError, type Log } from '../../platform/log.js';
import type { Application } from '../applications/application.js';
import type { EventBody } from '../webhooks/event.js';
import type { Outbox } from '../webhooks/outbox.js';
import type { Refusal, ScopeState } from './fraud.js';
import { pausedEvent, pauseOf, spendText, spendPauseOf, type FraudNotice } from './fraud-notice.js';
import type { FraudNoticesStore } from './fraud-notices-store.js';
import type { SpendAlert } from './fraud-spend.js';

interface Dependencies {
  readonly store: FraudNoticesStore;
  readonly outbox: Outbox;
  readonly inTransaction: InTransaction;
  readonly currency: () => string;
  readonly clock: Clock;
  readonly log: Log;
}

export type FraudNotices = ReturnType<typeof createFraudNotices>;

type Reported = Pick<Application, 'id' | 'appKey' | 'name'>;

/** Records what this process has reported today, so that it does not write the same report for each message. */
function createReportedToday() {
  const facts = new Set<string>();
  let today = '';
  return {
    has: (fact: string, day: string): boolean => today === day && facts.has(fact),
    add(fact: string, day: string): void {
      if (today !== day) facts.clear();
      today = day;
      facts.add(fact);
    },
  };
}

export function createFraudNotices({ store, outbox, inTransaction, currency, clock, log }: Dependencies) {
  const reported = createReportedToday();

  /** Stores and publishes a report about a pause, unless the pause was reported before. */
  async function publish(trx: Knex, { id: applicationId }: Reported, body: EventBody, mailed: boolean, now: number) {
    const notice = { applicationId, key: body.id, kind: 'pause', body: JSON.stringify(body), mailed } as const;
    if (await store.insert(trx, notice, now)) await outbox.publish(trx, [{ applicationId, body }], now);
  }

  return {
    /**
     * Reports a pause in the transaction that stores the pause. Pauses that a person started are not emailed to the
     * owners.
     */
    paused: (trx: Knex, application: Reported, state: ScopeState, now: number): Promise<void> =>
      publish(trx, application, pausedEvent(application, pauseOf(state), currency()), state.rule !== 'person', now),

    /** Reports, once a day, that fraud rule R6 (the daily cost limit) refuses messages. */
    async stopped(application: Reported, refusal: Refusal, now: number): Promise<void> {
      const day = utcDay(now);
      const fact = `${application.id} stopped`;
      if (reported.has(fact, day)) return;
      const body = pausedEvent(application, spendPauseOf(refusal, now), currency(), Date.parse(day));
      try {
        await inTransaction((trx) => publish(trx, application, body, true, now));
        reported.add(fact, day);
      } catch (error) {
        // The next refused message will trigger another attempt.
        log.error({ err: describeError(error) }, 'the fraud guard cannot report that the daily cost limit was reached');
      }
    },

    /**
     * Returns the row to store with the message that causes the alert, and a function to call afterwards. Returns
     * undefined if this process has already stored the alert. Each alert is stored once a day.
     */
    spent(applicationId: number, alert: SpendAlert, now: number): { row: Write; stored(): void } | undefined {
      const day = utcDay(now);
      const { share, spend, limit, isBudget } = alert;
      const fact = `${applicationId} ${share}`;
      if (reported.has(fact, day)) return undefined;
      const body = JSON.stringify({ share, isBudget, ...spendText({ spend, limit }, currency()) });
      const notice = { applicationId, key: `spend ${share} ${day}`, kind: 'spend', body, mailed: true } as const;
      return { row: store.row(notice, now), stored: () => reported.add(fact, day) };
    },

    /** Returns an application's latest `fraud.paused` events, newest first. */
    recentEvents: async (applicationId: number, limit: number): Promise<EventBody[]> =>
      (await store.recentPauses(applicationId, limit)).map((body) => JSON.parse(body)),

    applicationsToMail: store.applicationsToMail,

    /** Returns the notices to email to the owners now. The emails must be stored in the same transaction. */
    takeToMail: async (trx: Knex, applicationId: number): Promise<FraudNotice[]> =>
      (await store.takeToMail(trx, applicationId, clock.now())).map(({ kind, body }) =>
        kind === 'pause' ? { pause: JSON.parse(body).data } : { spend: JSON.parse(body) },
      ),
  };
}
