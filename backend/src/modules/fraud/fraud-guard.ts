/** What the sending and verifying modules know of the fraud guard. */
import type { Knex } from 'knex';
import type { Write } from '../../platform/db/transaction.js';
import type { Application } from '../applications/application.js';
import type { SendPlan } from '../messages/send-plan.js';

export interface GuardedMessage {
  readonly application: Application;
  readonly plan: SendPlan;
  /** Notifications have no code, so that nobody can be expected to enter it. */
  readonly kind: 'code' | 'notification';
  /** The network address of the end user. */
  readonly clientIp?: string | undefined;
  /** The highest possible cost, in ten-thousandths of the currency. */
  cost(): Promise<number>;
}

/** A code that was verified. */
export interface VerifiedCode {
  readonly applicationId: number;
  /** E.164 number or email address. */
  readonly recipient: string;
  /** Null for a test recipient. */
  readonly messageId: string | null;
}

export interface FraudGuard {
  /** The plan without calls, where a call would be refused but another channel may not. */
  planFor(application: Application, plan: SendPlan): SendPlan;
  /**
   * Runs `work`, or throws `FRAUD_SUSPECTED`. `work` stores the rows in the transaction that stores the message, and calls
   * `uncount` if the message was certainly not sent.
   */
  guard<T>(
    message: GuardedMessage,
    work: (rows: readonly Write[], uncount: () => Promise<void>) => Promise<T>,
  ): Promise<T>;
  /** Counts verified codes, in the transaction of their verification. */
  countVerified(trx: Knex, codes: readonly VerifiedCode[], now: number): Promise<void>;
}
