/** Runs a request once for an Idempotency-Key, whatever happens to the caller, the network or this process. */
import { HOUR, SECOND, secondsUntil, type Clock } from '../../platform/clock.js';
import { sha256, type Keyring } from '../../platform/crypto.js';
import { ApiError } from '../../platform/contract/errors.js';
import { IDEMPOTENCY_HOURS, IDEMPOTENCY_LEASE_SECONDS } from '../../platform/limits.js';
import type { Write } from '../../platform/db/transaction.js';
import type { IdempotencyStore } from './idempotency-store.js';

/** What records that a request made `resultId`. */
export type Link = (resultId: string) => readonly Write[];

export interface IdempotentRequest<Reply> {
  readonly applicationId: number;
  /** The caller's key; without one the request just runs. */
  readonly key: string | undefined;
  /** What makes two requests the same one: the operation and its parameters. */
  readonly fingerprint: unknown;
  /**
   * Does the work. What `link` answers for the id of what is made is stored together with it. Throws when nothing was
   * made; every other end is a reply.
   */
  readonly run: (link: Link) => Promise<Reply>;
  /** The reply for what an earlier run made before it died. */
  readonly replyFor: (resultId: string) => Promise<Reply>;
}

export type IdempotencyService = ReturnType<typeof createIdempotencyService>;

const PURPOSE = 'idempotency';

export function createIdempotencyService({
  store,
  keyring,
  clock,
  waitMs,
}: {
  store: IdempotencyStore;
  keyring: Keyring;
  clock: Clock;
  /** How long a request is normally in flight, in milliseconds. */
  waitMs: number;
}) {
  const lease = () => clock.now() + IDEMPOTENCY_LEASE_SECONDS * SECOND;

  /** Undefined: this request has the key now. Otherwise the JSON of the first reply, or the id of what it made. */
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

  return {
    async once<Reply>({ applicationId, key, fingerprint, run, replyFor }: IdempotentRequest<Reply>): Promise<Reply> {
      if (key === undefined) return run(() => []);
      const id = sha256(`${applicationId}:${key}`);
      const first = await claim(id, JSON.stringify(fingerprint));
      if (first && 'reply' in first) return JSON.parse(first.reply) as Reply;
      try {
        const reply = first
          ? await replyFor(first.resultId)
          : await run((resultId) => [store.writeResult(id, resultId, clock.now() + IDEMPOTENCY_HOURS * HOUR)]);
        await store.complete(id, JSON.stringify(reply));
        return reply;
      } catch (error) {
        await store.release(id);
        throw error;
      }
    },

    /** Ends the wait for requests that were in flight when the process before this one died. */
    takeOver: (): Promise<void> => store.releaseAll(clock.now()),

    cleanUp: (): Promise<void> => store.cleanUp(clock.now()),
  };
}
