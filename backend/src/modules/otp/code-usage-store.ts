/** Stores the last code that was counted for usage. Codes are counted in order of expiry. */
import type { Knex } from 'knex';
import type { Database } from '../../platform/db/database.js';
import { MINUTE } from '../../platform/clock.js';
import { transact } from '../../platform/db/transaction.js';

export interface CountedCode {
  readonly messageId: string;
  readonly verified: boolean;
  /** Whether the recipient had requested a code shortly before, and not entered it. Always false for uncounted codes. */
  readonly isRepeated: boolean;
}

/** A code is repeated within this time. */
const REPEATED_MINUTES = 10;

/** Expiry and id of the last counted code. */
interface Position {
  readonly expiresAt: number;
  readonly codeId: number;
}

export type CodeUsageStore = ReturnType<typeof createCodeUsageStore>;

const storedPosition = (trx: Knex): Knex.QueryBuilder => trx('counted_sessions').where({ id: 1 }).first();

const toPosition = (row: Record<string, unknown>): Position => ({
  expiresAt: Number(row.expires_at),
  codeId: Number(row.session_id),
});

/** Codes after this position, in order of expiry. */
const codesAfter = (trx: Knex, { expiresAt, codeId }: Position, limit: number): Knex.QueryBuilder =>
  trx('otp_sessions')
    .where('expires_at', '>=', expiresAt)
    .where((w) => w.where('expires_at', '>', expiresAt).orWhere('id', '>', codeId))
    .orderBy(['expires_at', 'id'])
    .limit(limit);

/** Skips codes for test recipients, to whom no message was sent. */
function toCountedCodes(rows: readonly Record<string, unknown>[]): CountedCode[] {
  return rows.flatMap(({ message_id: messageId, state, is_repeated: isRepeated }) =>
    messageId === null
      ? []
      : [{ messageId: messageId as string, verified: state === 'verified', isRepeated: Boolean(isRepeated) }],
  );
}

const isRepeated = (trx: Knex): Knex.Raw =>
  trx.raw(
    `exists (select 1 from otp_sessions as earlier where earlier.application_id = otp_sessions.application_id
      and earlier.recipient_key = otp_sessions.recipient_key and earlier.state <> 'verified'
      and earlier.id < otp_sessions.id and earlier.created_at > otp_sessions.created_at - ?) as is_repeated`,
    [REPEATED_MINUTES * MINUTE],
  );

export function createCodeUsageStore(db: Database) {
  return {
    /**
     * Passes the next codes that expired before `until` to `count`, and stores the new position in the same
     * transaction. `more` is true if the limit was reached; more codes may be due.
     */
    countNext: (
      until: number,
      limit: number,
      count: (trx: Knex, codes: readonly CountedCode[]) => Promise<unknown>,
    ): Promise<{ more: boolean }> =>
      transact(db, async (trx) => {
        const counted = toPosition(await storedPosition(trx).forUpdate());
        const rows: Record<string, unknown>[] = await codesAfter(trx, counted, limit)
          .where('expires_at', '<', until)
          .select('id', 'expires_at', 'message_id', 'state', isRepeated(trx));
        const last = rows.at(-1);
        if (!last) return { more: false };
        await count(trx, toCountedCodes(rows));
        const { expires_at, id } = last;
        await trx('counted_sessions').where({ id: 1 }).update({ expires_at, session_id: id });
        return { more: rows.length === limit };
      }),

    /**
     * Passes these applications' uncounted codes to `read`. Examines at most `limit` uncounted codes across all
     * applications.
     */
    uncounted: <T>(
      applicationIds: readonly number[],
      limit: number,
      read: (trx: Knex, codes: readonly CountedCode[]) => Promise<T>,
    ): Promise<T> =>
      transact(db, async (trx) => {
        const counted = toPosition(await storedPosition(trx));
        const rows = await trx(codesAfter(trx, counted, limit).as('uncounted'))
          .whereIn('application_id', applicationIds)
          .select('message_id', 'state');
        return read(trx, toCountedCodes(rows));
      }),
  };
}
