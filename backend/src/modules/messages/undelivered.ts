/** Finds the codes that the fraud guard must not count as unverified, because they did not arrive. */
import type { Knex } from 'knex';
import { SECOND } from '../../platform/clock.js';
import { visibleState, type Message } from './message.js';
import type { MessageChange } from './messages-store.js';

/** How long the request that sent a message may wait for its outcome, and then reverse the fraud guard's count itself. */
const REQUEST_MS = 40 * SECOND;

/**
 * Counts codes that were not delivered, in the transaction that stores this: the fraud guard no longer counts their
 * recipients. Must be called once for each code.
 */
export type CountUndelivered = (
  trx: Knex,
  codes: readonly Pick<Message, 'applicationId' | 'recipient' | 'createdAt'>[],
) => Promise<void>;

function didNotArrive(message: Message, now: number): boolean {
  const { state, attempts, earlierSends, createdAt } = message;
  if (visibleState(message) === 'undelivered') return true;
  if ((state !== 'failed' && state !== 'expired') || now < createdAt + REQUEST_MS) return false;
  return earlierSends.length === 0 && attempts.every(({ ifSent }) => ifSent === undefined);
}

/** Returns the codes that have just ended, and certainly did not arrive. */
export const undeliveredCodes = (changes: readonly MessageChange[], now: number): Message[] =>
  changes.flatMap(({ before, after }) =>
    after.template === 'otp' && didNotArrive(after, now) && !didNotArrive(before, now) ? [after] : [],
  );
