/** Runs a request at most once per Idempotency-Key, even if the caller retries it or the process crashes. */
import { HOUR, SECOND, secondsUntil, type Clock } from '../../platform/clock.js';
import { ApiError } from '../../platform/contract/errors.js';
import { sha256, type Keyring } from '../../platform/crypto.js';
import type { Write } from '../../platform/db/transaction.js';
import type { IdempotencyStore } from './idempotency-store.js';

const IDEMPOTENCY_HOURS = 24;
/** How long a process may run a request. After this time, the process is assumed to have crashed. */
const IDEMPOTENCY_LEASE_SECONDS = 60;

/** Returns the writes that store `resultId` with the key. Run them in the transaction that creates the result. */
export type RecordResult = (resultId: string) => readonly Write[];

interface IdempotentRequest<Reply> {
  readonly applicationId: number;
  /** The Idempotency-Key. If it is undefined, the request always runs. */
  readonly key: string | undefined;
  /** The operation and its parameters. Equivalent requests have equal fingerprints. */
  readonly fingerprint: unknown;
  /**
   * Runs the request. Throws only if nothing was created, and returns all other failures as replies. `wasInterrupted`:
   * whether an earlier run crashed before it created anything. Limits may already have counted that run.
   */
  readonly run: (recordResult: RecordResult, wasInterrupted: boolean) => Promise<Reply>;
  /** Returns the reply for a stored result if the process that stored it crashed before replying. */
  readonly replyFor: (resultId: string) => Promise<Reply>;
  /** Called if an earlier request with the same key determines the reply. */
  readonly onRepeat?: (() => void) | undefined;
}

type Claim = { readonly reply: string } | { readonly resultId: string } | { readonly wasInterrupted: boolean };

export type IdempotencyService = ReturnType<typeof createIdempotencyService>;

const MAC_PURPOSE = 'idempotency';

/** `waitMs`: milliseconds after which callers should retry a request that is still in flight. */
export function createIdempotencyService(store: IdempotencyStore, keyring: Keyring, clock: Clock, waitMs: number) {
  const leaseEnd = () => clock.now() + IDEMPOTENCY_LEASE_SECONDS * SECOND;

  /** Claims the key. Returns the reply or result id of the earlier request if there is one. */
  async function claim(id: string, fingerprint: string): Promise<Claim> {
    const now = clock.now();
    const requestHash = keyring.mac(MAC_PURPOSE, fingerprint);
    if (await store.insert({ id, requestHash, leaseUntil: leaseEnd(), expiresAt: now + IDEMPOTENCY_HOURS * HOUR }))
      return { wasInterrupted: false };
    const row = await store.find(id);
    if (row && row.expiresAt <= now) await store.removeExpired(id, now);
    if (!row || row.expiresAt <= now) return claim(id, fingerprint);
    if (!keyring.macMatches(row.requestHash, MAC_PURPOSE, fingerprint)) throw new ApiError('IDEMPOTENCY_KEY_REUSED');
    if (row.reply !== null) return { reply: row.reply };
    if (row.leaseUntil > now || !(await store.takeOver(row, leaseEnd())))
      throw new ApiError('IDEMPOTENCY_IN_FLIGHT', { retryAfterSeconds: secondsUntil(now + waitMs, now) });
    return row.resultId === null ? { wasInterrupted: true } : { resultId: row.resultId };
  }

  async function runOnce<Reply>({
    applicationId,
    key,
    fingerprint,
    run,
    replyFor,
    onRepeat,
  }: IdempotentRequest<Reply>): Promise<Reply> {
    if (key === undefined) return run(() => [], false);
    const id = sha256(`${applicationId}:${key}`);
    const claimed = await claim(id, JSON.stringify(fingerprint));
    if (!('wasInterrupted' in claimed)) onRepeat?.();
    if ('reply' in claimed) return JSON.parse(claimed.reply) as Reply;
    const recordResult: RecordResult = (resultId) => [
      store.resultRow(id, resultId, clock.now() + IDEMPOTENCY_HOURS * HOUR),
    ];
    try {
      const reply =
        'resultId' in claimed ? await replyFor(claimed.resultId) : await run(recordResult, claimed.wasInterrupted);
      await store.complete(id, JSON.stringify(reply));
      return reply;
    } catch (error) {
      await store.release(id);
      throw error;
    }
  }

  return { runOnce };
}
