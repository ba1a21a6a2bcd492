/** Sends failed messages again when a person requests it. */
import type { Knex } from 'knex';
import { reportCommit, writeAll } from '../../platform/db/transaction.js';
import { OPERATOR, requireRight, type Actor } from '../access/actor.js';
import { assertActive, type Application } from '../applications/application.js';
import type { Shared } from '../audit/audit-service.js';
import { parseRecipient } from '../recipients/recipient.js';
import type { ApplyEvents } from './apply-events.js';
import { canRetry, type Message } from './message.js';
import type { MessageCosts } from './message-costs.js';
import { messageLimits, sendWithinLimits, type SendLimits } from './message-limits.js';
import type { MessagesStore } from './messages-store.js';
import type { SendPlan } from './send-plan.js';

export type RetryResult = 'retried' | 'expired' | 'not failed' | 'not found';

interface Dependencies extends SendLimits, Pick<Shared, 'audit' | 'clock' | 'inTransaction'> {
  readonly store: Pick<MessagesStore, 'find'>;
  readonly applyEvents: Pick<ApplyEvents, 'applyIn'>;
  readonly costs: Pick<MessageCosts, 'storedCost'>;
}

export function planOf({ recipient, plan }: Message): SendPlan {
  const { limitKey = recipient, country = '' } = parseRecipient(recipient) ?? {};
  return { address: recipient, limitKey, country, channels: plan, testCode: undefined };
}

/** Rolls back what a retry has counted, because someone else has retried the message, or it has expired. */
class NotRetried extends Error {
  constructor(readonly result: RetryResult) {
    super(result);
  }
}

const rejectionOf = ({ state }: Message): RetryResult => (state === 'failed' ? 'expired' : 'not failed');

export function createRetry(dependencies: Dependencies) {
  const { store, applyEvents, inTransaction, audit, clock, costs } = dependencies;

  async function retryIn(trx: Knex, actor: Actor, application: Application, message: Message): Promise<void> {
    const { id } = message;
    const [result] = await applyEvents.applyIn(trx, [{ id, type: 'retriedByPerson' }]);
    if (result === 'ignored') throw new NotRetried(rejectionOf(message));
    await audit.record(trx, actor, { accountId: application.accountId, action: 'message.retry', subject: id });
  }

  /**
   * Sends a failed message of one of these applications again. Throws an `ApiError` if the application or its account
   * is not active, a limit is reached, or the fraud guard refuses the message.
   */
  return async function retry(actor: Actor, applications: readonly Application[], id: string): Promise<RetryResult> {
    requireRight(actor, 'change');
    const message = await store.find(id);
    const application = applications.find((owned) => owned.id === message?.applicationId);
    if (!message || !application) return 'not found';
    assertActive(application);
    if (!canRetry(message, clock.now())) return rejectionOf(message);
    const { template } = message;
    const byOperator = actor === OPERATOR;
    const limited = { application, plan: planOf(message), template, cost: await costs.storedCost(message), byOperator };
    // These limits do not apply to the operator, who pays for the messages. Without Redis, the server counts them in its
    // memory, which the command line cannot access.
    const limits = byOperator ? [] : messageLimits(limited);
    try {
      await sendWithinLimits(dependencies, limited, limits, {
        async send(rows) {
          await inTransaction(async (trx) => {
            await writeAll(trx, rows);
            await retryIn(trx, actor, application, message);
          });
          reportCommit(rows);
        },
        wasNotSent: () => false,
      });
      return 'retried';
    } catch (error) {
      if (error instanceof NotRetried) return error.result;
      throw error;
    }
  };
}
