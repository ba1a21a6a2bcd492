/** Finds the codes that the fraud guard must count differently after an event, because they were sent after all, or were not. */
import type { Knex } from 'knex';
import type { GuardedMessage } from './message-limits.js';
import { isOpen, visibleState, type Message } from './message.js';
import type { MessageChange } from './messages-store.js';

/**
 * The outcome of a requested code. `notSent`: no provider has taken it, and it may be tried again. `accepted`:
 * a provider has taken it after all.
 */
export type CodeOutcome = 'accepted' | 'notSent' | 'undelivered';

type RequestedCode = Pick<Message, 'applicationId' | 'recipient' | 'createdAt'> & { readonly outcome: CodeOutcome };

/** Counts what happened to codes, in the transaction that stores it. Must be called once for each outcome. */
export type CountCodes = (trx: Knex, codes: readonly RequestedCode[], now: number) => Promise<void>;

/** Lets the fraud guard judge a code again, which counts until the returned function is called. Throws `FRAUD_SUSPECTED`. */
export type Reserve = (message: GuardedMessage) => Promise<() => void>;

/**
 * Whether no provider has taken the message, so that it counts as evidence of nothing. A message counts from its request until
 * its first attempts have failed, because a flood must be noticed before providers reply. Ignores crashed workers: claims
 * change no counts.
 */
export function isUnsent({ state, attempts, history, earlierSends }: Message): boolean {
  if (state === 'sent' || earlierSends.length > 0) return false;
  if (attempts.some(({ ifSent }) => ifSent !== undefined)) return false;
  const last = history.filter((entry) => 'times' in entry || 'retriedAt' in entry).at(-1);
  return !isOpen({ state }) || (last !== undefined && 'times' in last);
}

function outcomesOf({ before, after }: MessageChange): CodeOutcome[] {
  const wasUnsent = isUnsent(before);
  const nowUnsent = isUnsent(after);
  const isUndelivered = visibleState(after) === 'undelivered' && visibleState(before) !== 'undelivered';
  return [
    ...(wasUnsent && !nowUnsent ? (['accepted'] as const) : []),
    ...(!wasUnsent && nowUnsent ? (['notSent'] as const) : []),
    ...(isUndelivered ? (['undelivered'] as const) : []),
  ];
}

export const codeOutcomes = (changes: readonly MessageChange[]): RequestedCode[] =>
  changes
    .filter(({ after }) => after.template === 'otp')
    .flatMap((change) => outcomesOf(change).map((outcome) => ({ ...change.after, outcome })));
