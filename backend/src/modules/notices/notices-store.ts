/** Stores notices for owners. The table's unique key prevents several processes from reporting the same fact. */
import type { Knex } from 'knex';
import { DAY, MINUTE } from '../../platform/clock.js';
import { deleteInChunks, type Database } from '../../platform/db/database.js';
import type { Row } from '../../platform/db/row.js';
import { writeOf, type Write } from '../../platform/db/transaction.js';
import type { DueNotice, Notice } from './notice.js';

/** Minimum time between two emails about an application's pauses. The second email lists all pauses since the first. */
const MAIL_SPACING_MS = 10 * MINUTE;
const RETENTION_DAYS = 30;
/** The value of `mailed_at` in rows of notices that are not emailed. */
const NO_MAIL = 0;

const toRow = ({ applicationId, key, kind, body, mailed }: Notice, now: number): Row => ({
  application_id: applicationId,
  notice_key: key,
  kind,
  body,
  created_at: now,
  mailed_at: mailed ? null : NO_MAIL,
});

/** Skips notices that were stored before. */
async function insertNew(trx: Knex, rows: readonly Row[]): Promise<void> {
  await trx('fraud_notices').insert(rows).onConflict(['application_id', 'notice_key']).ignore();
}

export function createNoticesStore(db: Database) {
  const ofApplication = (trx: Knex, applicationId: number) =>
    trx('fraud_notices').where({ application_id: applicationId });

  return {
    row: (notice: Notice, now: number): Write => writeOf(insertNew, toRow(notice, now)),
    save: (notice: Notice, now: number): Promise<void> => insertNew(db, [toRow(notice, now)]),

    /** Returns false if the notice was stored before. Throws if another transaction is storing it at the same time. */
    async insert(trx: Knex, notice: Notice, now: number): Promise<boolean> {
      const { applicationId, key } = notice;
      if (await ofApplication(trx, applicationId).where({ notice_key: key }).first('id')) return false;
      await trx('fraud_notices').insert(toRow(notice, now));
      return true;
    },

    /** Returns the IDs of applications with notices that have not been emailed yet. */
    applicationsToMail: (): Promise<number[]> =>
      db('fraud_notices').whereNull('mailed_at').distinct().pluck('application_id'),

    /**
     * Returns the application's due notices, oldest first, and marks them as emailed. Pauses are due ten minutes after
     * the last email about pauses.
     */
    async takeToMail(trx: Knex, applicationId: number, now: number): Promise<DueNotice[]> {
      // Locks the application, so that only one process at a time takes its notices.
      await trx('applications').where({ id: applicationId }).forUpdate().first('id');
      const rows: Row[] = await ofApplication(trx, applicationId).whereNull('mailed_at').orderBy('id');
      const pauses = ofApplication(trx, applicationId).where({ kind: 'pause' });
      const isEarly = await pauses.where('mailed_at', '>', now - MAIL_SPACING_MS).first('id');
      const due = rows.filter(({ kind }) => kind !== 'pause' || !isEarly);
      const ids = due.map(({ id }) => id as number);
      if (ids.length > 0) await trx('fraud_notices').whereIn('id', ids).update({ mailed_at: now });
      return due.map(({ kind, body }) => ({ kind: kind as Notice['kind'], body: body as string }));
    },

    /** Returns an application's latest notices of a kind, newest first. */
    recent: (applicationId: number, kind: Notice['kind'], limit: number): Promise<string[]> =>
      ofApplication(db, applicationId).where({ kind }).orderBy('id', 'desc').limit(limit).pluck('body'),

    deleteOld: (now: number): Promise<void> =>
      deleteInChunks(() => db('fraud_notices').where('created_at', '<', now - RETENTION_DAYS * DAY), 'id'),
  };
}
