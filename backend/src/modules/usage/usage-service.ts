/** What applications sent, what became of it and what it cost, day by day. */
import type { Knex } from 'knex';
import type { MessagesStore } from '../messages/messages-store.js';
import {
  addUsage,
  dayOf,
  type UsageChange,
  type UsageGroup,
  type UsageRange,
  type UsageStore,
  type UsageSum,
} from './usage-store.js';

export type UsageService = ReturnType<typeof createUsageService>;

/** A code that was sent with a message, and whether it was verified. */
export interface SentCode {
  readonly messageId: string;
  readonly verified: boolean;
}

export interface UsageServiceDependencies {
  readonly store: UsageStore;
  readonly messages: Pick<MessagesStore, 'acceptedOf'>;
}

const NOTHING = { sent: 0, delivered: 0, undelivered: 0, failed: 0, codes: 0, verified: 0 };

export function createUsageService({ store, messages }: UsageServiceDependencies) {
  /** Counted where the send was counted, so that the two can be compared; what was not sent is not counted. */
  async function changesOfCodes(trx: Knex, codes: readonly SentCode[]): Promise<UsageChange[]> {
    const accepted = await messages.acceptedOf(
      trx,
      codes.map(({ messageId }) => messageId),
    );
    return codes.flatMap(({ messageId, verified }) => {
      const { applicationId, tried, finishedAt } = accepted.get(messageId) ?? {};
      const carrier = tried?.find(({ success }) => success);
      if (applicationId === undefined || finishedAt === undefined || !carrier?.price) return [];
      const { country, currency } = carrier.price;
      const key = { applicationId, day: dayOf(finishedAt), channel: carrier.channel, country, currency };
      return [{ ...key, codes: 1, verified: verified ? 1 : 0 }];
    });
  }

  return {
    changesOfCodes,

    /** Adds codes that are over to the usage, in the caller's transaction. */
    async countCodes(trx: Knex, codes: readonly SentCode[]): Promise<void> {
      const changes = await changesOfCodes(trx, codes);
      if (changes.length > 0) await addUsage(trx, changes);
    },

    /** Sums of the stored counts and of what is `pending`, told apart by `by` and by currency, in the order of these. */
    async sums<Group extends UsageGroup>(
      range: UsageRange,
      by: readonly Group[],
      pending: readonly UsageChange[],
    ): Promise<UsageSum<Group>[]> {
      const sums = new Map<string, UsageSum<Group>>();
      const idOf = (key: Pick<UsageChange, Group | 'currency'>) =>
        JSON.stringify([...by.map((name) => key[name]), key.currency]);
      for (const sum of await store.sums(range, by)) sums.set(idOf(sum), sum);
      for (const change of pending) {
        if (change.day < range.from || change.day > range.to || !range.applicationIds.includes(change.applicationId))
          continue;
        const before = sums.get(idOf(change)) ?? { ...NOTHING, cost: 0n };
        const key = Object.fromEntries([...by, 'currency' as const].map((name) => [name, change[name]]));
        const counts = {
          codes: before.codes + (change.codes ?? 0),
          verified: before.verified + (change.verified ?? 0),
        };
        sums.set(idOf(change), { ...before, ...(key as Pick<UsageChange, Group | 'currency'>), ...counts });
      }
      return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum);
    },
  };
}
