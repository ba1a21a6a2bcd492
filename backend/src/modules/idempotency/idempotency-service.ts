/** Runs a request at most once for an Idempotency-Key, whatever happens to the caller, the network or this process. */
import { HOUR, SECOND, secondsUntil, type Clock } from '../../platform/clock.js';
import { ApiError } from '../../platform/contract/errors.js';
import { sha256, type Keyring } from '../../platform/crypto.js';
import type { Write } from '../../platform/db/transaction.js';
import type { IdempotencyStore } from './idempotency-store.js';

const IDEMPOTENCY_HOURS = 24;
/** A request still in flight after this time belongs to a crashed process. */
const IDEMPOTENCY_LEASE_SECONDS = 60;

/** Returns the row that stores `resultId` with the key. Insert it in the transaction that creates the result. */
export type RecordResult = (resultId: string) => readonly Write[];

export interface IdempotentRequest<Reply> {
  readonly applicationId: number;
  /** Undefined runs the request without idempotency. */
  readonly key: string | undefined;
  /** The operation and its parameters. Equivalent requests have equal fingerprints. */
  readonly fingerprint: unknown;
  /** Throws only if nothing was created. All other failures are returned as replies. */
  readonly run: (recordResult: RecordResult) => Promise<Reply>;
  /** The reply for a result that was stored by a process that then crashed. */
  readonly replyFor: (resultId: string) => Promise<Reply>;
}

export type IdempotencyService = ReturnType<typeof createIdempotencyService>;

const PURPOSE = 'idempotency';

/** `waitMs`: normal duration of a request, in milliseconds. */
export function createIdempotencyService(store: IdempotencyStore, keyring: Keyring, clock: Clock, waitMs: number) {
  const lease = () => clock.now() + IDEMPOTENCY_LEASE_SECONDS * SECOND;

  /** Claims the key. Returns undefined on success, otherwise the first reply as JSON or the id of its result. */
  async function claim(id: string, fingerprint: string): Promise<{ reply: string } | { resultId: string } | undefined> {
    const now = clock.now();
    const requestHash = keyring.mac(PURPOSE, fingerprint);
    if (await store.insert({ id, requestHash, leaseUntil: lease(), expiresAt: now + IDEMPOTENCY_HOURS * HOUR }))
      return undefined;
    const row = await store.find(id);
    if (row && row.expiresAt <= now) await store.removeExpired(id, now);
    if (!row || row.expiresAt <= now) return claim(id, fingerprint);
    if (!keyring.macMatches(row.requestHash, PURPOSE, fingerprint)) throw new ApiError('IDEMPOTENCY_KEY_REUSED');
    if (row.reply !== null) return { reply: row.reply };
    if (row.leaseUntil > now || !(await store.takeOver(row, lease())))
      throw new ApiError('IDEMPOTENCY_IN_FLIGHT', { retryAfterSeconds: secondsUntil(now + waitMs, now) });
    return row.resultId === null ? undefined : { resultId: row.resultId };
  }

  async function once<Reply>({
    applicationId,
    key,
    fingerprint,
    run,
    replyFor,
  }: IdempotentRequest<Reply>): Promise<Reply> {
    if (key === undefined) return run(() => []);
    const id = sha256(`${applicationId}:${key}`);
    const first = await claim(id, JSON.stringify(fingerprint));
    if (first && 'reply' in first) return JSON.parse(first.reply) as Reply;
    try {
      const reply = first
        ? await replyFor(first.resultId)
        : await run((resultId) => [store.resultRow(id, resultId, clock.now() + IDEMPOTENCY_HOURS * HOUR)]);
      await store.complete(id, JSON.stringify(reply));
      return reply;
    } catch (error) {
      await store.release(id);
      throw error;
    }
  }

  return { once };
}
