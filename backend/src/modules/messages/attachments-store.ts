/** Encrypted documents of messages. They are deleted together with the payload of their message. */
import type { Knex } from 'knex';
import { deleteInChunks, type Database } from '../../platform/db/database.js';

interface AttachmentRow {
  /** The id of the message. */
  readonly id: string;
  readonly application_id: number;
  readonly sealed: string;
  readonly expires_at: number;
}

/** Inserts one row per statement: several documents could exceed the largest packet that the database accepts. */
export async function insertAttachments(trx: Knex, rows: readonly AttachmentRow[]): Promise<void> {
  for (const row of rows) await trx('message_attachments').insert(row);
}

export async function findAttachment(db: Database, id: string): Promise<string | undefined> {
  const row = await db('message_attachments').where({ id }).first();
  return row?.sealed;
}

export async function deleteAttachments(trx: Knex, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await trx('message_attachments').whereIn('id', ids).delete();
}

export const deleteExpiredAttachments = (db: Database, now: number): Promise<void> =>
  deleteInChunks(() => db('message_attachments').where('expires_at', '<=', now), 'id');
