/** Cancels scheduled messages. */
import type { Knex } from 'knex';
import { ApiError } from '../../platform/contract/errors.js';
import { requireRight, type Actor } from '../access/actor.js';
import type { Application } from '../applications/application.js';
import type { Shared } from '../audit/audit-service.js';
import type { ApplyEvents } from './apply-events.js';
import { replaces, type Message } from './message.js';
import type { MessagesStore } from './messages-store.js';
import type { RefundBudgets } from './refund-budgets.js';

interface NewerMessage extends Pick<Message, 'id' | 'template' | 'sendAt' | 'createdAt'> {
  readonly orderKey: string;
}

interface Dependencies extends Pick<Shared, 'audit' | 'inTransaction'> {
  readonly store: Pick<MessagesStore, 'find' | 'lockScheduled' | 'scheduledTo'>;
  readonly applyEvents: Pick<ApplyEvents, 'applyIn'>;
  readonly refundBudgets: RefundBudgets;
}

export function createCancel(dependencies: Dependencies) {
  const { store, applyEvents, inTransaction, refundBudgets, audit } = dependencies;

  /**
   * Cancels a scheduled message of an application. Does nothing if it was canceled before. `actor`: the person who cancels it;
   * undefined for the application itself. Throws an `ApiError` if there is no such message, or it is no longer scheduled.
   */
  async function cancel(application: Application, id: string, actor?: Actor): Promise<void> {
    if (actor) requireRight(actor, 'change');
    const message = await store.find(id);
    // MySQL compares ids case-insensitively.
    if (message?.id !== id || message.applicationId !== application.id) throw new ApiError('MESSAGE_NOT_FOUND');
    if (message.state === 'canceled') return;
    const isCanceled = await inTransaction(async (trx) => {
      const [result] = await applyEvents.applyIn(trx, [{ id, type: 'canceled' }]);
      if (result === 'ignored') return false;
      const entry = { accountId: application.accountId, action: 'message.cancel', subject: id } as const;
      if (actor) await audit.record(trx, actor, entry);
      return true;
    });
    // Other limits count accepted messages. Redis may be down: the message is canceled nevertheless.
    if (isCanceled) await refundBudgets(application, message).catch(() => undefined);
    else if ((await store.find(id))?.state !== 'canceled') throw new ApiError('MESSAGE_NOT_SCHEDULED');
  }

  /** Cancels the scheduled messages that newer messages about the same orders replace. Their budgets stay counted. */
  async function replaceIn(trx: Knex, newer: readonly NewerMessage[]) {
    const scheduled = await store.lockScheduled(
      trx,
      newer.map(({ orderKey }) => orderKey),
    );
    const events = scheduled.flatMap((message) => {
      const { id } = message;
      // A message of `newer` is only replaced by those after it.
      const later = newer.slice(newer.findIndex((other) => other.id === id) + 1);
      const replacedBy = later.find((other) => replaces(other, message));
      return replacedBy ? [{ id, type: 'canceled', replacedBy: replacedBy.id } as const] : [];
    });
    if (events.length > 0) await applyEvents.applyIn(trx, events);
  }

  /** Cancels all scheduled messages to an address, because the recipient is being erased. */
  async function cancelAllIn(trx: Knex, applicationIds: readonly number[], address: string): Promise<void> {
    const ids = await store.scheduledTo(trx, applicationIds, address);
    if (ids.length > 0)
      await applyEvents.applyIn(
        trx,
        ids.map((id) => ({ id, type: 'canceled' }) as const),
      );
  }

  return { cancel, replaceIn, cancelAllIn };
}
