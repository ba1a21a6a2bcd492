/** Audited changes of settings make all processes read their settings again. */
import type { AuditAction } from '../../backend/src/modules/audit/audit.js';
import { createAuditService } from '../../backend/src/modules/audit/audit-service.js';
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { openDatabase, type Database } from '../../backend/src/platform/db/database.js';
import { migrate } from '../../backend/src/platform/db/migrate.js';
import { createTestClock } from '../support/clock.js';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

let dataDir: string;
let db: Database;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'passbell-audit-'));
  await migrate({ url: undefined, dataDir });
  db = openDatabase({ url: undefined, dataDir });
});
afterAll(async () => {
  await db.destroy();
  rmSync(dataDir, { recursive: true, force: true });
});

async function isMarkedAfter(action: AuditAction): Promise<boolean> {
  let marked = false;
  const settings = { markChanged: async () => void (marked = true) };
  const audit = createAuditService(db, settings, createTestClock(), 0);
  await db.transaction((trx) => audit.record(trx, OPERATOR, { accountId: 1, action, subject: 'x' }));
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
