/**
 * Counts sent and verified codes for usage. A code is counted after it has expired, so that sending and verifying do no
 * extra work.
 */
import type { Knex } from 'knex';
import { utcDay, type Clock } from '../../platform/clock.js';
import { acceptedAttempt, isTest } from '../messages/message.js';
import type { MessagesService } from '../messages/messages-service.js';
import type { UsageRecorder } from '../usage/index.js';
import type { UsageChange } from '../usage/usage.js';
import type { CodeUsageStore, CountedCode } from './code-usage-store.js';

const CODES_PER_TRANSACTION = 500;
/** Codes are counted this long after they expire. By then, the outcome of the message is stored. */
const COUNT_DELAY_MS = 120_000;
/** Maximum number of uncounted codes that a usage query examines. There are more only during traffic peaks. */
const MAX_UNCOUNTED_READ = 2000;

export function createCodeUsage(
  store: CodeUsageStore,
  messages: Pick<MessagesService, 'sentMessages'>,
  usage: UsageRecorder,
  clock: Clock,
) {
  /**
   * Returns the usage changes for these codes. A verified code counts on the day it was sent, so that sent and
   * verified codes are comparable. Skips codes that were not sent or were sent to the dev inbox.
   */
  async function changesOf(trx: Knex, codes: readonly CountedCode[]): Promise<UsageChange[]> {
    const messageIds = codes.map(({ messageId }) => messageId);
    const sent = await messages.sentMessages(trx, messageIds);
    return codes.flatMap(({ messageId, verified }) => {
      const message = sent.get(messageId);
      const { channel, price } = (message && acceptedAttempt(message)) ?? {};
      if (!message || isTest(message) || message.finishedAt === null || !channel || !price) return [];
      const { country, currency } = price;
      const key = { applicationId: message.applicationId, day: utcDay(message.finishedAt), channel, country, currency };
      return [{ ...key, codes: 1, verified: verified ? 1 : 0 }];
    });
  }

  /** Counts every expired code exactly once, even if several processes call this function. */
  async function countExpired(): Promise<void> {
    const until = clock.now() - COUNT_DELAY_MS;
    const count = async (trx: Knex, codes: readonly CountedCode[]) => usage.record(trx, await changesOf(trx, codes));
    while ((await store.countNext(until, CODES_PER_TRANSACTION, count)).more);
  }

  /** Returns the usage changes for these applications' uncounted codes. */
  const pending = (applicationIds: readonly number[]): Promise<UsageChange[]> =>
    store.uncounted(applicationIds, MAX_UNCOUNTED_READ, changesOf);

  return { countExpired, pending };
}
