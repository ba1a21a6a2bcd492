/** Erases the rows of an application from the tables of all modules. */
import type { Knex } from 'knex';
import { deleteInChunks, type Database } from '../../platform/db/database.js';
import { fromRow } from '../../platform/db/row.js';
import type { Application } from '../applications/application.js';

/**
 * Tables with an `application_id`, and the column by which rows are deleted in chunks. Messages come first: without
 * them, a late delivery report cannot add rows to other tables.
 */
const TABLES: readonly (readonly [table: string, key: string])[] = [
  ['messages', 'id'],
  ['message_attachments', 'id'],
  ['otp_sessions', 'id'],
  ['recipient_guesses', 'id'],
  ['users', 'id'],
  ['two_factors', 'id'],
  ['two_factor_enrolments', 'id'],
  ['two_factor_guesses', 'id'],
  ['two_factor_failures', 'id'],
  ['webhooks', 'id'],
  ['incoming_hooks', 'id'],
  ['automations', 'id'],
  ['incoming_events', 'id'],
  ['handled_events', 'id'],
  ['template_overrides', 'id'],
  ['refused_callers', 'id'],
  ['usage_counts', 'day'],
  ['fraud_applications', 'application_id'],
  ['fraud_counters', 'start'],
  ['fraud_recipients', 'recipient_key'],
  ['fraud_scopes', 'id'],
  ['fraud_notices', 'id'],
  ['fraud_observations', 'day'],
  ['fraud_excesses', 'name'],
  ['fraud_days', 'day'],
  ['fraud_refusals', 'day'],
  ['opt_outs', 'id'],
];

/** Tables without an `application_id`, and the tables whose ids they contain. */
const DEPENDENT_TABLES: readonly (readonly [table: string, column: string, parent: string])[] = [
  ['two_factor_recovery_codes', 'factor_id', 'two_factors'],
  ['two_factor_browsers', 'factor_id', 'two_factors'],
  ['webhook_deliveries', 'webhook_id', 'webhooks'],
  ['webhook_attempts', 'webhook_id', 'webhooks'],
];

export type DeletedApplication = Pick<Application, 'id' | 'accountId' | 'name' | 'appKey'>;

export function createApplicationRowsStore(db: Database) {
  /** Makes all applications whose grace period has ended impossible to restore, and lists them. */
  async function listToErase(now: number): Promise<DeletedApplication[]> {
    await db('applications').where('delete_at', '<=', now).update({ delete_at: 0 });
    return (await db('applications').where({ delete_at: 0 })).map(fromRow<DeletedApplication>);
  }

  async function deleteRows(id: number): Promise<void> {
    for (const [table, column, parent] of DEPENDENT_TABLES)
      await deleteInChunks(
        () => db(table).whereIn(column, db(parent).where({ application_id: id }).select('id')),
        'id',
      );
    for (const [table, key] of TABLES) await deleteInChunks(() => db(table).where({ application_id: id }), key);
  }

  /** Deletes the application itself. Returns false if another process has already deleted it. */
  async function deleteApplication(trx: Knex, id: number): Promise<boolean> {
    await trx('application_secrets').where({ application_id: id }).delete();
    return (await trx('applications').where({ id }).delete()) > 0;
  }

  return { listToErase, deleteRows, deleteApplication };
}
