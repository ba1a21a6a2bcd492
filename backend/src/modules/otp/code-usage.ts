/**
 * Counts how many sent codes were verified. Sessions are counted after their codes have expired, from stored data, so that
 * sends and verifies do no extra work.
 */
import type { Knex } from 'knex';
import type { Clock } from '../../platform/clock.js';
import { acceptedAttempt } from '../messages/message.js';
import type { MessagesService } from '../messages/messages-service.js';
import type { UsageRecorder } from '../usage/index.js';
import { dayOf, type UsageChange } from '../usage/usage.js';
import type { CodeUsageStore, CountedSession } from './code-usage-store.js';

/** Sessions counted per transaction. */
const BATCH = 500;
/** Delay between the expiry of a code and its count. By then, every message in progress has been stored. */
const DELAY_MS = 120_000;
/** Maximum number of uncounted sessions that a usage query examines. More exist only during a rush. */
const MAX_UNCOUNTED_READ = 2000;

export function createCodeUsage(
  store: CodeUsageStore,
  messages: Pick<MessagesService, 'sent'>,
  usage: UsageRecorder,
  clock: Clock,
) {
  /** Counts codes on the day of the send, to compare sent and verified codes. Skips codes that were not sent. */
  async function changesOf(trx: Knex, sessions: readonly CountedSession[]): Promise<UsageChange[]> {
    const messageIds = sessions.map(({ messageId }) => messageId);
    const sent = await messages.sent(trx, messageIds);
    return sessions.flatMap(({ messageId, verified }) => {
      const message = sent.get(messageId);
      const { channel, price } = (message && acceptedAttempt(message)) ?? {};
      if (!message || message.finishedAt === null || !channel || !price) return [];
      const { country, currency } = price;
      const key = { applicationId: message.applicationId, day: dayOf(message.finishedAt), channel, country, currency };
      return [{ ...key, codes: 1, verified: verified ? 1 : 0 }];
    });
  }

  /** Counts every expired code exactly once, however many processes call this. */
  async function countExpired(): Promise<void> {
    const until = clock.now() - DELAY_MS;
    const count = async (trx: Knex, sessions: readonly CountedSession[]) =>
      usage.record(trx, await changesOf(trx, sessions));
    while ((await store.countNext(until, BATCH, count)).more);
  }

  /** The codes of these applications that are not counted yet. */
  const pending = (applicationIds: readonly number[]): Promise<UsageChange[]> =>
    store.uncounted(applicationIds, MAX_UNCOUNTED_READ, changesOf);

  return { countExpired, pending };
}
