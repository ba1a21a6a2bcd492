/** The log of changes in the database. */
import type { Knex } from 'knex';
import type { Database } from '../../platform/db/database.js';

/** A value before and after; "" where there was or is none. */
export interface Change {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

export interface AuditEntry {
  readonly id: number;
  readonly accountId: number;
  /** Mail address of who did it. */
  readonly actor: string;
  /** What was done, such as `application.update`. */
  readonly action: string;
  /** What it was done to, such as the name of an application. */
  readonly subject: string;
  readonly changes: readonly Change[];
  readonly createdAt: number;
}

export type NewAuditEntry = Omit<AuditEntry, 'id'>;
export type AuditStore = ReturnType<typeof createAuditStore>;

export function createAuditStore(db: Database) {
  return {
    async insert(entry: NewAuditEntry, trx: Knex = db): Promise<void> {
      await trx('audit_entries').insert({
        account_id: entry.accountId,
        actor: entry.actor,
        action: entry.action,
        subject: entry.subject,
        changes: JSON.stringify(entry.changes),
        created_at: entry.createdAt,
      });
    },

    /** Newest first; those before the entry `before` when it is given. */
    async list(accountId: number, { before, limit }: { before?: number | undefined; limit: number }) {
      const query = db('audit_entries').where({ account_id: accountId }).orderBy('id', 'desc').limit(limit);
      if (before !== undefined) query.where('id', '<', before);
      const rows: Record<string, unknown>[] = await query;
      return rows.map((row): AuditEntry => ({
        id: Number(row.id),
        accountId: row.account_id as number,
        actor: row.actor as string,
        action: row.action as string,
        subject: row.subject as string,
        changes: JSON.parse(row.changes as string),
        createdAt: Number(row.created_at),
      }));
    },
  };
}
