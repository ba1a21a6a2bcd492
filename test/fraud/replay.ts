/** Replays sends and verifications through the rules of the fraud guard, with everything that it stores in memory. */
import { USUAL_DAYS } from '../../backend/src/modules/fraud/gauges.js';
import { decide } from '../../backend/src/modules/fraud/decide.js';
import type { Excess } from '../../backend/src/modules/fraud/fraud.js';
import { changeExcess } from '../../backend/src/modules/fraud/gauges.js';
import {
  NO_RECORD,
  type Charge,
  type DayCount,
  type Decision,
  type FraudSend,
  type GuardedApplication,
  type Knowledge,
  type RecipientRecord,
  type ScopeRef,
  type ScopeState,
} from '../../backend/src/modules/fraud/fraud.js';
import { fraudSettingsOf, type FraudSettings } from '../../backend/src/modules/fraud/fraud-settings.js';
import { settle } from '../../backend/src/modules/fraud/settle.js';
import type { CodeOutcome } from '../../backend/src/modules/messages/code-outcomes.js';
import { DAY, startOfDay } from '../../backend/src/platform/clock.js';

export interface Replay {
  /** Decides about a send, and counts it if it is allowed. */
  send(send: FraudSend, now: number): Decision;
  /** Counts an outcome of the recipient's last code. */
  settle(recipient: Pick<FraudSend, 'number' | 'country'>, outcome: CodeOutcome | 'verified', now: number): void;
  /** Stores a state, as when a person pauses or allows a scope. */
  setState(state: ScopeState): void;
  stateOf(ref: ScopeRef): ScopeState | undefined;
  excessOf(ref: ScopeRef): Excess | undefined;
}

const nameOf = ({ scope, key }: ScopeRef): string => `${scope} ${key}`;

/** Creates a replay for one application. The time must not go backwards from one call to the next. */
export function createReplay(
  application: GuardedApplication,
  settings: FraudSettings = fraudSettingsOf(),
  history: readonly DayCount[] = [],
): Replay {
  const states = new Map<string, ScopeState>();
  const excesses = new Map<string, Excess>();
  const recipients = new Map<string, RecipientRecord>();
  let days = [...history];

  const stateOf = (ref: ScopeRef) => states.get(nameOf(ref));
  const excessOf = (ref: ScopeRef) => excesses.get(nameOf(ref));
  const knowledgeOf = (number: string): Knowledge => ({
    application,
    recipient: recipients.get(number),
    days,
    stateOf,
    excessOf,
  });

  function charge(charges: readonly Charge[]): void {
    for (const { change, perHour, at, ...ref } of charges)
      excesses.set(nameOf(ref), changeExcess(excessOf(ref), change, perHour, at));
  }

  function countDay(country: string, at: number, sent: number, verified: number): void {
    const day = startOfDay(at);
    const known = days.findIndex((one) => one.day === day && one.country === country);
    if (known < 0) {
      const recent = days.filter((one) => one.day >= day - USUAL_DAYS * DAY);
      days = [...recent, { country, day, sent, verified }];
    } else {
      const before = days[known]!;
      days[known] = { ...before, sent: before.sent + sent, verified: before.verified + verified };
    }
  }

  return {
    stateOf,
    excessOf,
    setState: (state) => void states.set(nameOf(state), state),
    send(send, now) {
      const decision = decide({ send, known: knowledgeOf(send.number), settings, now });
      charge(decision.charges);
      if (decision.record) recipients.set(send.number, decision.record);
      if (decision.outcome === 'allowed') {
        if (decision.isCounted) countDay(send.country, now, 1, 0);
      } else if (decision.trip) {
        states.set(nameOf(decision.trip.state), decision.trip.state);
        charge(decision.trip.charges);
      }
      return decision;
    },
    settle({ number, country }, outcome, now) {
      const before = recipients.get(number) ?? NO_RECORD;
      const code = { number, country, createdAt: before.sentAt };
      const { record, charges, day } = settle(code, before, outcome, stateOf, now);
      charge(charges);
      if (day) countDay(country, day.day, day.sent, day.verified);
      recipients.set(number, record);
    },
  };
}
