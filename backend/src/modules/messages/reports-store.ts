/** What providers report of messages that they accepted. */
import type { Knex } from 'knex';
import type { Database } from '../../db/database.js';
import { transact, writeAll, type Write } from '../../db/transaction.js';
import { historyOfReport } from './history.js';
import { isAhead, type Accepted, type Message, type Report } from './message.js';
import { toMessage } from './messages-store.js';
import { addUsage, dayOf, type UsageChange } from './usage-store.js';

export interface GivenReport {
  readonly id: string;
  /** The provider's id of what the report is about. */
  readonly providerId: string;
  readonly report: Report;
  readonly now: number;
  /** Stored with the news that a message which had been sent was not delivered. */
  readonly ofUndelivered: (message: Message) => readonly Write[];
}

/** Counts a report on the day that the message was sent, and takes the one before it back. */
export function usageOfReport(message: Accepted, report: Report, before?: Report | null): UsageChange[] {
  const carrier = message.tried.find(({ success }) => success);
  // Accepted by an earlier version, which counted nothing.
  if (!carrier?.price) return [];
  const { country, currency } = carrier.price;
  const { applicationId, finishedAt } = message;
  const counts = { [report]: 1, ...(before ? { [before]: -1 } : {}) };
  return [{ applicationId, day: dayOf(finishedAt), channel: carrier.channel, country, currency, ...counts }];
}

async function recordIn(trx: Knex, { id, providerId, report, now, ofUndelivered }: GivenReport): Promise<boolean> {
  const row = await trx('messages').where({ id }).forUpdate().first();
  if (!row) return false;
  const message = toMessage(row as Record<string, unknown>);
  const known = message.providerId === providerId;
  if (known && !isAhead(report, message.report)) return false;
  // Here before the worker has stored that the message was sent: kept with its id, so that the worker can judge it.
  const early = message.state === 'sending';
  if (!early && !(known && message.state === 'sent')) return false;
  const overtaken = known ? historyOfReport(message) : undefined;
  await trx('messages')
    .where({ id })
    .update({
      provider_id: providerId,
      report,
      reported_at: now,
      ...(early ? {} : { ending: report }),
      ...(overtaken ? { history: JSON.stringify(overtaken) } : {}),
    });
  if (early) return true;
  const changes = usageOfReport({ ...message, finishedAt: message.finishedAt ?? now }, report, message.report);
  if (changes.length > 0) await addUsage(trx, changes);
  // Webhooks were told that it was on its way; who reports a delivery after this tells them nothing new.
  if (report === 'undelivered') await writeAll(trx, ofUndelivered(message));
  return true;
}

export type ReportsStore = ReturnType<typeof createReportsStore>;

export function createReportsStore(db: Database) {
  return {
    /** False when it changes nothing: of another message, older than what is known, or known already. */
    record: (report: GivenReport): Promise<boolean> => transact(db, (trx) => recordIn(trx, report)),
  };
}
