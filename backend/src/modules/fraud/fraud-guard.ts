/** The fraud guard's interface for modules that send messages and verify codes. */
import type { Knex } from 'knex';
import type { Application } from '../applications/application.js';
import type { Guard } from '../messages/message-limits.js';
import type { SendPlan } from '../messages/send-plan.js';
import type { CountUndelivered } from '../messages/undelivered.js';

/** A verified code. */
export interface VerifiedCode {
  readonly applicationId: number;
  /** E.164 number or email address. */
  readonly recipient: string;
  /** Null for a test recipient. */
  readonly messageId: string | null;
}

export interface FraudGuard {
  /**
   * Returns the plan without voice calls if the application does not list the country, and the plan has other channels.
   */
  planFor(application: Application, plan: SendPlan): SendPlan;
  readonly guard: Guard;
  /** Counts verified codes in the transaction that verifies them. */
  countVerified(trx: Knex, codes: readonly VerifiedCode[], now: number): Promise<void>;
  readonly countUndelivered: CountUndelivered;
}
