/**
 * Decides whether a message may still be sent: its application may have become inactive since it was scheduled, and a
 * message that is sent another way costs money again.
 */
import { SECOND } from '../../platform/clock.js';
import { reportCommit, writeAll, type InTransaction } from '../../platform/db/transaction.js';
import { storedWithinLimits } from '../../platform/rate-limit/within-limits.js';
import { assertActive, type Application } from '../applications/application.js';
import { unitsOf } from '../usage/usage.js';
import { messageLimits, type SendLimits } from './message-limits.js';
import type { Reserve } from './code-outcomes.js';
import type { Message } from './message.js';
import type { Price } from './price.js';
import { planOf } from './retry.js';

export type AnotherWay = ReturnType<typeof createAnotherWay>;

export function createAnotherWay(
  applicationOf: (id: number) => Promise<Application | undefined>,
  { limiter, budgetsOf, guard, reserve }: SendLimits & { readonly reserve: Reserve },
  inTransaction: InTransaction,
) {
  /**
   * Counts a message that is sent another way toward the limits of messages again, because each send costs money. Throws an
   * `ApiError` if a limit or the fraud guard refuses it, or the application is not active. The guard treats it like a
   * notification: the code was counted with the first send.
   */
  async function allow(message: Message, price: Price): Promise<void> {
    const application = await applicationOf(message.applicationId);
    if (!application) return;
    assertActive(application);
    if (message.earlierSends.length === 0) return;
    const plan = { ...planOf(message), channels: [message.channel] };
    const { template } = message;
    const limited = { application, plan, template, cost: unitsOf(price.charge) };
    const limits = [...messageLimits(limited), ...(await budgetsOf(limited))];
    await storedWithinLimits(limiter, limits, (counts) =>
      guard({ ...limited, kind: 'notification' }, async (guarded) => {
        const rows = [...counts, ...guarded];
        await inTransaction((trx) => writeAll(trx, rows));
        reportCommit(rows);
      }),
    );
  }

  /** Reserves the send of a code that no provider has taken so far, as in `Reserve`. */
  async function reserveCode(message: Message): Promise<() => void> {
    const application = await applicationOf(message.applicationId);
    if (!application) return () => undefined;
    const plan = { ...planOf(message), channels: [message.channel] };
    return reserve({ application, plan, template: message.template, cost: 0, kind: 'code' });
  }

  /** Returns how long a message may stay silent before it is sent another way; undefined if it may forever. */
  async function silentMs({ applicationId, template }: Message): Promise<number | undefined> {
    if (template !== 'otp') return undefined;
    const application = await applicationOf(applicationId);
    const seconds = application?.settings.silentSeconds ?? 0;
    return seconds > 0 ? seconds * SECOND : undefined;
  }

  return { allow, reserveCode, silentMs };
}
