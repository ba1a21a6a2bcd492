/** The fraud guard's interface for modules that send messages and verify codes. */
import type { Knex } from 'knex';
import type { Write } from '../../platform/db/transaction.js';
import type { Application } from '../applications/application.js';
import type { SendPlan } from '../messages/send-plan.js';

export interface GuardedMessage {
  readonly application: Application;
  readonly plan: SendPlan;
  /** Notifications have no code that recipients could enter, so most rules do not apply to them. */
  readonly kind: 'code' | 'notification';
  /** The end user's IP address. */
  readonly clientIp?: string | undefined;
  /** Whether the operator's command sends the message, which cannot access the counts of a running server. */
  readonly byOperator?: boolean;
  /** The highest cost that the message can have, in ten-thousandths of the currency. */
  readonly cost: number;
}

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
   * Returns the plan without voice calls if fraud rule R2 (new countries) would refuse a call to this country, and the
   * plan has other channels.
   */
  planFor(application: Application, plan: SendPlan): SendPlan;
  /**
   * Runs `work`, or throws `FRAUD_SUSPECTED`. `work` must store the rows in the transaction that stores the message,
   * and must call `uncount` if the message was certainly not sent.
   */
  guard<T>(
    message: GuardedMessage,
    work: (rows: readonly Write[], uncount: () => Promise<void>) => Promise<T>,
  ): Promise<T>;
  /** Counts verified codes in the transaction that verifies them. */
  countVerified(trx: Knex, codes: readonly VerifiedCode[], now: number): Promise<void>;
}
