/** The fraud guard's notices: pauses, which are also webhook events, and alerts about the daily cost. */
import { SECOND } from '../../platform/clock.js';
import type { Schemas } from '../../platform/contract/schemas.js';
import type { Application } from '../applications/application.js';
import { chargeOf } from '../usage/usage.js';
import { eventId, type EventBody } from '../webhooks/event.js';
import type { Evidence, Refusal, ScopeState } from './fraud.js';
import { explain } from './fraud-explanation.js';

export type FraudPause = Schemas['FraudPausedEventData'];

/** A notice that the daily cost has reached a share of its limit. Costs are decimal numbers, such as `5.0000`. */
export interface SpendNotice {
  /** Share of the limit, such as 0.5. */
  readonly share: number;
  readonly spend: string;
  readonly limit: string;
  readonly currency: string;
  /** Whether the limit is the owner's budget, which applies even if the conversion is as usual. */
  readonly isBudget: boolean;
}

/** A notice that is emailed to the application's owners. */
export type FraudNotice = { readonly pause: FraudPause } | { readonly spend: SpendNotice };

interface Pause extends Omit<Refusal, 'scope'> {
  readonly scope: FraudPause['scope'];
  readonly level: number;
  readonly pausedAt: number;
}

export const pauseOf = ({ scope, key, rule, level, pausedAt, pausedUntil, evidence }: ScopeState): Pause => ({
  scope,
  key,
  rule,
  level,
  pausedAt,
  evidence,
  until: pausedUntil,
});

/** Describes a refusal by fraud rule R6 (the daily cost limit) as a pause. R6 itself stores no pause. */
export const spendPauseOf = ({ key, rule, until, evidence }: Refusal, now: number): Pause => ({
  scope: 'application',
  key,
  rule,
  until,
  evidence,
  level: 0,
  pausedAt: now,
});

const chargeText = (units: number): string => chargeOf(BigInt(Math.round(units)));

export function spendText({ spend = 0, limit = 0 }: Pick<Evidence, 'spend' | 'limit'>, currency: string) {
  return { spend: chargeText(spend), limit: chargeText(limit), currency };
}

/** Creates the webhook event `fraud.paused`. `fact` makes the event ID unique among the pauses of a scope. */
export function pausedEvent(
  { id, appKey, name }: Pick<Application, 'id' | 'appKey' | 'name'>,
  pause: Pause,
  currency: string,
  fact: number = pause.pausedAt,
): EventBody & { readonly data: FraudPause } {
  const { scope, key, rule, level, pausedAt, until, evidence } = pause;
  const { from, sent, verified, unit } = evidence;
  return {
    id: eventId('fraud.paused', id, scope, key, rule, fact),
    event: 'fraud.paused',
    createdTime: Math.floor(pausedAt / SECOND),
    data: {
      appKey,
      application: name,
      scope,
      key,
      rule: rule as FraudPause['rule'],
      level,
      reason: explain(pause, pausedAt),
      sent,
      verified,
      since: from === 0 ? null : Math.floor(from / SECOND),
      until: until === undefined ? null : Math.floor(until / SECOND),
      ...(unit === 'spend' ? spendText(evidence, currency) : {}),
    },
  };
}
