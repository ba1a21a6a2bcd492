/** What providers report of messages that they accepted. */
import type { Knex } from 'knex';
import type { Database } from '../../platform/db/database.js';
import { transact, writeAll, type Write } from '../../platform/db/transaction.js';
import { historyOfReport } from './history.js';
import { endingOf, isAhead, succeeded } from './message.js';
import type { Accepted, EndState, Message, Report, Told } from './message.js';
import { toMessage } from './messages-store.js';
import { unitsOf } from './price.js';
import { addUsage, dayOf, type UsageChange } from '../usage/usage-store.js';

export interface GivenReport {
  readonly id: string;
  /** The provider's id of what the report is about. */
  readonly providerId: string;
  readonly told: Told;
  readonly now: number;
  /** Stored with the news that a message ended otherwise than webhooks were told; `endedAt` is milliseconds. */
  readonly ofNews: (message: Message, ended: EndState, endedAt: number) => readonly Write[];
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

/** A message that was given up since its provider's answer was lost, as it is now that the provider tells of it. */
function found(message: Message): Message | undefined {
  const lost = message.tried.at(-1);
  if ((message.state !== 'failed' && message.state !== 'expired') || lost?.ifSent === undefined) return undefined;
  const { channel, ifSent } = lost;
  return { ...message, state: 'sent', tried: succeeded(message.tried, { channel, price: ifSent, ifSent }) };
}

/** Takes back that a message failed, on the day that it was counted. */
function usageOfFound({ applicationId, tried }: Message, finishedAt: number): UsageChange[] {
  const { channel, price } = tried[0]!;
  const { country, currency, charge } = price!;
  const key = { applicationId, day: dayOf(finishedAt), channel, country, currency };
  return [{ ...key, failed: -1, sent: 1, cost: unitsOf(charge) }];
}

async function recordIn(trx: Knex, given: GivenReport): Promise<boolean> {
  const { id, providerId, told, now } = given;
  const row = await trx('messages').where({ id }).forUpdate().first();
  if (!row) return false;
  const message = toMessage(row as Record<string, unknown>);
  const known = message.providerId === providerId;
  if (known && !isAhead(told, message.report)) return false;
  const report = told === 'sent' ? null : told;
  const overtaken = known ? historyOfReport(message) : undefined;
  const history = overtaken ? { history: JSON.stringify(overtaken) } : {};
  const reported = { provider_id: providerId, report, reported_at: report && now, ...history };
  const update = (changed: object) => trx('messages').where({ id }).update(changed);
  // Here before the worker has stored how it went: kept with the provider's id, so that the worker can judge it.
  if (message.state === 'sending') return (await update(reported)) > 0;

  const sent = known && message.state === 'sent' ? message : found(message);
  if (!sent) return false;
  const { state, tried } = sent;
  await update({ ...reported, state, ending: endingOf('sent', report), tried: JSON.stringify(tried), payload: null });
  const finishedAt = message.finishedAt ?? now;
  const changes = [
    ...(sent === message ? [] : usageOfFound(sent, finishedAt)),
    ...(report ? usageOfReport({ ...sent, finishedAt }, report, message.report) : []),
  ];
  if (changes.length > 0) await addUsage(trx, changes);
  await writeAll(trx, newsOf(message, sent, given));
  return true;
}

/** Webhooks hear of a sent message once, when the provider takes it, so a report of its delivery is no news. */
function newsOf(before: Message, sent: Message, { told, now, ofNews }: GivenReport): readonly Write[] {
  if (told === 'undelivered') return ofNews(sent, told, now);
  // One that was found has never been told of as sent.
  const failedBefore = before.state !== 'sent' || before.report === 'undelivered';
  const untold = failedBefore && sent.tried[0]?.ifSent !== undefined;
  return untold ? ofNews(sent, 'sent', before.finishedAt ?? now) : [];
}

export type ReportsStore = ReturnType<typeof createReportsStore>;

export function createReportsStore(db: Database) {
  return {
    /** False when it changes nothing: of another message, older than what is known, or known already. */
    record: (report: GivenReport): Promise<boolean> => transact(db, (trx) => recordIn(trx, report)),
  };
}
