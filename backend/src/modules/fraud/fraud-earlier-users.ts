/** Finds people who were verified before the guard started, whom its table of recipients does not contain. */
import { createBatcher } from '../../platform/batch.js';
import { variantsOf } from '../recipients/recipient.js';
import type { SessionsService } from '../sessions/sessions-service.js';
import type { RecipientRecord } from './fraud.js';
import { NO_RECORD } from './fraud-counters.js';
import type { Known } from './fraud-reader.js';

/**
 * Returns the recipient's record with the time of a verification before the guard started; undefined if there was none,
 * or if the record contains a later one.
 */
export type VerifiedEarlier = (
  applicationId: number,
  number: string,
  known: Pick<Known, 'stored' | 'recipient'>,
) => Promise<RecipientRecord | undefined>;

interface Asked {
  readonly applicationId: number;
  readonly number: string;
}

export function createVerifiedEarlier(sessions: Pick<SessionsService, 'verifiedUsers'>): VerifiedEarlier {
  /** Looks up the users of parallel refused sends together, because an attack causes many of them. */
  const usersOf = createBatcher(async (asked: readonly Asked[]) => {
    const found = new Map<number, Awaited<ReturnType<typeof sessions.verifiedUsers>>>();
    for (const id of new Set(asked.map(({ applicationId }) => applicationId))) {
      const own = asked.filter(({ applicationId }) => applicationId === id);
      found.set(id, await sessions.verifiedUsers(id, [...new Set(own.flatMap(({ number }) => variantsOf(number)))]));
    }
    return asked.map(({ applicationId, number }) =>
      variantsOf(number).flatMap((variant) => found.get(applicationId)!.get(variant) ?? []),
    );
  });

  return async function verifiedEarlier(applicationId, number, { stored, recipient = NO_RECORD }) {
    if (!stored || recipient.verifiedAt !== undefined) return undefined;
    const users = await usersOf({ applicationId, number });
    const earlier = users.filter(({ since }) => since < stored.guardedSince);
    if (earlier.length === 0) return undefined;
    return { ...recipient, verifiedAt: Math.max(...earlier.map(({ lastVerifiedAt }) => lastVerifiedAt)) };
  };
}
