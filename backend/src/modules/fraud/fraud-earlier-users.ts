/** Finds people who were verified before the guard started, whom its table of recipients does not contain. */
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

export function createVerifiedEarlier(sessions: Pick<SessionsService, 'verifiedUsers'>): VerifiedEarlier {
  return async function verifiedEarlier(applicationId, number, { stored, recipient = NO_RECORD }) {
    if (!stored || recipient.verifiedAt !== undefined) return undefined;
    const users = await sessions.verifiedUsers(applicationId, variantsOf(number));
    const earlier = [...users.values()].filter(({ since }) => since < stored.guardedSince);
    if (earlier.length === 0) return undefined;
    return { ...recipient, verifiedAt: Math.max(...earlier.map(({ lastVerifiedAt }) => lastVerifiedAt)) };
  };
}
