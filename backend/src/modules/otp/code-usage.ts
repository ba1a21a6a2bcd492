/**
 * Counts sent and verified codes, for usage and for automatic routes. A code is counted after it has expired, so that sending and verifying do no
 * extra work.
 */
import type { Knex } from 'knex';
import type { Clock } from '../../platform/clock.js';
import { firstSendOutcomes } from '../messages/first-sends.js';
import { acceptedAttempt, isTest, type Message } from '../messages/message.js';
import type { MessagesService } from '../messages/messages-service.js';
import type { SendOutcome } from '../providers/routing.js';
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
  recordOutcome: (outcome: SendOutcome) => void,
  clock: Clock,
) {
  const sentMessages = (trx: Knex, codes: readonly CountedCode[]): Promise<Map<string, Message>> =>
    messages.sentMessages(
      trx,
      codes.map(({ messageId }) => messageId),
    );

  /**
   * Returns the usage changes for these codes. A verified code counts on the day it was sent, so that sent and
   * verified codes are comparable. Skips codes that were not sent or were sent to the dev inbox.
   */
  function changesOf(codes: readonly CountedCode[], sent: ReadonlyMap<string, Message>): UsageChange[] {
    return codes.flatMap(({ messageId, verified }) => {
      const message = sent.get(messageId);
      const { channel, price } = (message && acceptedAttempt(message)) ?? {};
      if (!message || isTest(message) || message.finishedAt === null || !channel || !price) return [];
      const { country, currency } = price;
      const key = { applicationId: message.applicationId, at: message.finishedAt, channel, country, currency };
      return [{ ...key, codes: 1, verified: verified ? 1 : 0 }];
    });
  }

  /** Counts every expired code exactly once, even if several processes call this function. */
  async function countExpired(): Promise<void> {
    const until = clock.now() - COUNT_DELAY_MS;
    let outcomes: readonly SendOutcome[] = [];
    const count = async (trx: Knex, codes: readonly CountedCode[]) => {
      const sent = await sentMessages(trx, codes);
      outcomes = codes.flatMap(({ messageId, verified, isRepeated }) => {
        const message = sent.get(messageId);
        // A repeated code is often sent to people whom no provider reaches.
        return message && !isRepeated ? firstSendOutcomes(message, verified) : [];
      });
      await usage.record(trx, changesOf(codes, sent));
    };
    for (let more = true; more;) {
      outcomes = [];
      ({ more } = await store.countNext(until, CODES_PER_TRANSACTION, count));
      outcomes.forEach(recordOutcome);
    }
  }

  const pending = (applicationIds: readonly number[]): Promise<UsageChange[]> =>
    store.uncounted(applicationIds, MAX_UNCOUNTED_READ, async (trx, codes) =>
      changesOf(codes, await sentMessages(trx, codes)),
    );

  return { countExpired, pending };
}
