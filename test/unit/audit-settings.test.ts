/** Audited changes of settings make all processes read their settings again. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { createAudit } from '../../backend/src/modules/audit/audit-service.js';
import type { AuditAction } from '../../backend/src/modules/audit/audit.js';
import { createTestClock } from '../support/clock.js';
import { setUpSqlite } from '../support/sqlite-database.js';

const database = setUpSqlite();

/** Whether an entry with this action makes processes read their settings again. */
async function isMarkedAfter(action: AuditAction): Promise<boolean> {
  let marked = false;
  const settings = { markChanged: async () => void (marked = true) };
  const audit = createAudit(database(), settings, createTestClock(), 0).service;
  await database().transaction((trx) => audit.record(trx, OPERATOR, { accountId: 1, action, subject: 'x' }));
  return marked;
}

it.each([
  'account.status',
  'account.update',
  'account.ceilings',
  'account.providers',
  'application.update',
  'application.allow-list',
  'application.widget',
  'application.rotate-secret',
  'application.end-old-secret',
  'application.delete',
  'application.restore',
  'application.erase',
  'fraud.settings',
  'template.set',
  'template.reset',
] as const)('%s', async (action) => expect(await isMarkedAfter(action)).toBe(true));

it.each(['person.sign-in', 'user.unlock', 'two-factor.reset', 'recipient.erase', 'message.retry'] as const)(
  '%s changes no settings',
  async (action) => expect(await isMarkedAfter(action)).toBe(false),
);
