/** The fraud guard's notices: pauses and refusals, which are also webhook events, and alerts. */
import { SECOND } from '../../platform/clock.js';
import type { Schemas } from '../../platform/contract/schemas.js';
import type { Application } from '../applications/application.js';
import { eventId, type EventBody } from '../webhooks/event.js';
import type { CountedRefusal, Refusal, ScopeState } from './fraud.js';
import { explain } from './fraud-explanation.js';

export type FraudPause = Schemas['FraudPausedEventData'];
/** Refusals on a UTC day. */
export type RefusedNotice = Schemas['FraudRefusedEventData'];

/** A notice that unusually many codes are not entered in the home country, where nothing is paused. */
export interface AlertNotice {
  readonly country: string;
  readonly reason: string;
}

export const alertOf = ({ rule, scope, key, evidence }: Refusal, now: number): AlertNotice => ({
  country: key,
  reason: explain({ rule, scope, key, evidence: evidence! }, now),
});

export type Reported = Pick<Application, 'id' | 'appKey' | 'name'>;

/** Creates the webhook event `fraud.paused`, which also reports that messages need a challenge from now on. */
export function pausedEvent(
  { id, appKey, name }: Reported,
  state: ScopeState,
): EventBody & { readonly data: FraudPause } {
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
      reason: explain(state, pausedAt),
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
export function refusedEvent(
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
