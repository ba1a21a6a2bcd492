/** Records every change by a person or the operator in the audit log. */
import type { Knex } from 'knex';
import type { Base } from '../../platform/base.js';
import { DAY, type Clock } from '../../platform/clock.js';
import type { Database } from '../../platform/db/database.js';
import type { Settings } from '../../platform/settings-cache.js';
import type { Actor } from '../access/actor.js';
import type { AuditEntry } from './audit.js';
import { createAuditStore } from './audit-store.js';

export type AuditService = ReturnType<typeof createAudit>['service'];

/** Dependencies that all modules share: the platform and the audit log. */
export interface Shared extends Base {
  readonly audit: AuditService;
}

export type NewAuditEntry = Pick<AuditEntry, 'accountId' | 'action' | 'subject'> & Partial<Pick<AuditEntry, 'changes'>>;

/** Width of the `subject` column: the maximum length of an email address. */
const MAX_SUBJECT_LENGTH = 320;

/** Frequent actions that change no settings. After all other actions, processes read their settings again. */
const CHANGES_NO_SETTINGS = /^(?:management-key|message|person|recipient|two-factor|user)\./;

/** `retentionDays`: number of days after which entries are deleted; 0 stores them forever. */
export function createAudit(
  db: Database,
  settings: Pick<Settings, 'markChanged'>,
  clock: Clock,
  retentionDays: number,
) {
  const store = createAuditStore(db);

  /**
   * Stores an entry in the transaction of the change. If the change affects cached settings, all processes read them
   * again.
   */
  async function record(trx: Knex, actor: Actor, { subject, changes = [], ...entry }: NewAuditEntry): Promise<void> {
    const shortened = subject.slice(0, MAX_SUBJECT_LENGTH);
    await store.insert(trx, { ...entry, subject: shortened, changes, actor: actor.name, createdAt: clock.now() });
    if (!CHANGES_NO_SETTINGS.test(entry.action)) await settings.markChanged(trx);
  }

  async function cleanUp(): Promise<void> {
    if (retentionDays > 0) await store.deleteBefore(clock.now() - retentionDays * DAY);
  }

  return { service: { record, list: store.list, retentionDays }, maintenance: [cleanUp] };
}
