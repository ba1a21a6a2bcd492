import type { Knex } from 'knex';
import { deleteInChunks, type Database } from '../../platform/db/database.js';
import { fromRow, type Row } from '../../platform/db/row.js';
import type { AuditAction, AuditEntry } from './audit.js';

interface AuditFilter {
  readonly before?: number | undefined;
  readonly limit: number;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** Part of the actor or of the subject, in any case. */
  readonly text?: string | undefined;
  /** Actions that match as well as the text. */
  readonly actions?: readonly AuditAction[];
  readonly action?: AuditAction | undefined;
}

const containing = (text: string): string => `%${text.replace(/[%_!]/g, '!$&')}%`;

export function createAuditStore(db: Database) {
  async function insert(trx: Knex, entry: Omit<AuditEntry, 'id'>): Promise<void> {
    await trx('audit_entries').insert({
      account_id: entry.accountId,
      actor: entry.actor,
      action: entry.action,
      subject: entry.subject,
      changes: JSON.stringify(entry.changes),
      created_at: entry.createdAt,
    });
  }

  /**
   * Lists entries, newest first. `before`: the id of an entry; only older entries are returned. `from` and `to`: times in
   * milliseconds; `from` is inclusive, `to` is exclusive.
   */
  async function list(accountId: number, filter: AuditFilter) {
    const { before, limit, from, to, text, actions = [] } = filter;
    const query = db('audit_entries').where({ account_id: accountId }).orderBy('id', 'desc').limit(limit);
    if (before !== undefined) query.where('id', '<', before);
    if (filter.action !== undefined) query.where({ action: filter.action });
    if (from !== undefined) query.where('created_at', '>=', from);
    if (to !== undefined) query.where('created_at', '<', to);
    if (text !== undefined)
      query.where((either) =>
        either
          .whereRaw(`lower(actor) like ? escape '!'`, containing(text.toLowerCase()))
          .orWhereRaw(`lower(subject) like ? escape '!'`, containing(text.toLowerCase()))
          .orWhereIn('action', actions),
      );
    const rows: Row[] = await query;
    return rows.map((row): AuditEntry => ({
      ...fromRow<AuditEntry>(row),
      changes: JSON.parse(row.changes as string),
    }));
  }

  const deleteBefore = (time: number): Promise<void> =>
    deleteInChunks(() => db('audit_entries').where('created_at', '<', time), 'id');

  return { insert, list, deleteBefore };
}
