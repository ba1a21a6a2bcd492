/**
 * Reports pauses and refusals with the webhook events `fraud.paused` and `fraud.refused`, and both and alerts by email to
 * the owners. The `people` module sends the emails.
 */
import type { Knex } from 'knex';
import { SECOND, utcDay } from '../../platform/clock.js';
import type { Schemas } from '../../platform/contract/schemas.js';
import type { InTransaction, Write } from '../../platform/db/transaction.js';
import type { Application } from '../applications/application.js';
import type { Notices } from '../notices/index.js';
import type { Notice } from '../notices/notice.js';
import { eventId, type EventBody, type EventName } from '../webhooks/event.js';
import type { Outbox } from '../webhooks/outbox.js';
import type { CountedRefusal, Refusal, ScopeState } from './fraud.js';
import { explain } from './fraud-texts.js';

export type FraudPause = Schemas['FraudPausedEventData'];
/** Refusals on a UTC day. */
export type RefusedNotice = Schemas['FraudRefusedEventData'];

/** A notice that unusually many codes are not entered in the home country, where nothing is paused. */
export interface AlertNotice {
  readonly country: string;
  readonly reason: string;
}

const alertOf = ({ rule, scope, key, evidence }: Refusal, now: number): AlertNotice => ({
  country: key,
  reason: explain({ rule, scope, key, evidence: evidence! }, now),
});

export type Reported = Pick<Application, 'id' | 'appKey' | 'name'>;

/** Creates the webhook event `fraud.paused`, which also reports that messages need a challenge from now on. */
function pausedEvent({ id, appKey, name }: Reported, state: ScopeState): EventBody & { readonly data: FraudPause } {
  const { scope, key, rule, level, pausedAt, pausedUntil, isChallenged, evidence } = state;
  const { from, sent, verified } = evidence;
  return {
    id: eventId('fraud.paused', id, scope, key, rule, pausedAt),
    event: 'fraud.paused',
    createdTime: Math.floor(pausedAt / SECOND),
    data: {
      appKey,
      application: name,
      scope: scope as FraudPause['scope'],
      key: scope === 'address' ? '' : key,
      rule: rule as FraudPause['rule'],
      level,
      reason: explain(state, pausedAt, level > 1 && !isChallenged),
      sent,
      verified,
      since: from === 0 ? null : Math.floor(from / SECOND),
      until: isChallenged || pausedUntil === undefined ? null : Math.floor(pausedUntil / SECOND),
      isChallenged,
    },
  };
}

/** Attacks use fewer rules and countries. The limit bounds the size of the event. */
const MAX_REFUSALS = 100;

const sumOf = (refusals: readonly CountedRefusal[], name: 'messages' | 'people'): number =>
  refusals.reduce((sum, refusal) => sum + refusal[name], 0);

/** Creates the webhook event `fraud.refused`. `day`: such as `2026-01-31`. */
function refusedEvent(
  { id, appKey, name }: Reported,
  refusals: readonly CountedRefusal[],
  day: string,
  now: number,
): EventBody {
  return {
    id: eventId('fraud.refused', id, day),
    event: 'fraud.refused',
    createdTime: Math.floor(now / SECOND),
    data: {
      appKey,
      application: name,
      day,
      messages: sumOf(refusals, 'messages'),
      people: sumOf(refusals, 'people'),
      refusals: refusals.slice(0, MAX_REFUSALS),
    },
  };
}

interface Dependencies {
  readonly store: Pick<Notices, 'row' | 'insert' | 'recent'>;
  readonly outbox: Outbox;
  readonly inTransaction: InTransaction;
}

export type FraudNotices = ReturnType<typeof createFraudNotices>;

const EVENT_KINDS = { 'fraud.paused': 'pause', 'fraud.refused': 'refused' } as const satisfies Partial<
  Record<EventName, Notice['kind']>
>;
export type FraudEventName = keyof typeof EVENT_KINDS;

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

export function createFraudNotices({ store, outbox, inTransaction }: Dependencies) {
  const reported = createReportedToday();

  /** Stores and publishes an event, unless it was reported before. */
  async function publish(trx: Knex, { id: applicationId }: Reported, body: EventBody, mailed: boolean, now: number) {
    const kind = EVENT_KINDS[body.event as FraudEventName];
    const notice = { applicationId, key: body.id, kind, body: JSON.stringify(body), mailed };
    if (await store.insert(trx, notice, now)) await outbox.publish(trx, [{ applicationId, body }], now);
  }

  return {
    /**
     * Reports a pause in the transaction that stores the pause. Pauses that a person started are not emailed to the
     * owners.
     */
    paused: (trx: Knex, application: Reported, state: ScopeState, now: number): Promise<void> =>
      publish(trx, application, pausedEvent(application, state), state.rule !== 'person', now),

    /**
     * Returns the row to store with the message that causes the alert, and a function to call afterwards. Returns
     * undefined if this process has already stored the alert. Each alert is stored once a day.
     */
    alerted({ id }: Reported, alert: Refusal, now: number): { row: Write; stored(): void } | undefined {
      const day = utcDay(now);
      const fact = `${id} ${alert.key}`;
      if (reported.has(fact, day)) return undefined;
      const body = JSON.stringify(alertOf(alert, now));
      const notice = {
        applicationId: id,
        key: `alert ${alert.key} ${day}`,
        kind: 'alert',
        body,
        mailed: true,
      } as const;
      return { row: store.row(notice, now), stored: () => reported.add(fact, day) };
    },

    /** Reports once for each day what the guard refused, over all processes. */
    refused: {
      isReported: (applicationId: number, now: number): boolean =>
        reported.has(`${applicationId} refused`, utcDay(now)),
      async report(
        application: Reported,
        refusals: readonly CountedRefusal[],
        day: string,
        now: number,
      ): Promise<void> {
        const event = refusedEvent(application, refusals, day, now);
        await inTransaction((trx) => publish(trx, application, event, true, now));
        if (day === utcDay(now)) reported.add(`${application.id} refused`, day);
      },
    },

    /** Returns an application's latest events, newest first. */
    recentEvents: async (applicationId: number, event: FraudEventName, limit: number): Promise<EventBody[]> =>
      (await store.recent(applicationId, EVENT_KINDS[event], limit)).map((body) => JSON.parse(body)),
  };
}
