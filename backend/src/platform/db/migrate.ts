/** Creates and changes the tables. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import { DataDirError, howToCreate, MissingDatabaseError } from '../data-dir.js';
import { isMigrationRace } from './database-errors.js';
import { describeDatabase, openDatabase, type Database, type DatabaseLocation } from './database.js';
import * as baseline from './migrations/0030-baseline.js';
import * as repeatedGuesses from './migrations/0031-repeated-guesses.js';
import * as earlierSends from './migrations/0032-earlier-sends.js';
import * as providerHealth from './migrations/0033-provider-health.js';
import * as refusals from './migrations/0034-refusals.js';
import * as routeScores from './migrations/0035-route-scores.js';
import * as fraudExcesses from './migrations/0037-fraud-excesses.js';
import * as dailyBudgets from './migrations/0038-daily-budgets.js';
import * as suppressions from './migrations/0043-suppressions.js';
import * as scheduledMessages from './migrations/0045-scheduled-messages.js';
import * as attachments from './migrations/0046-attachments.js';
import * as writeChecks from './migrations/0047-write-checks.js';
import * as managementKeys from './migrations/0052-management-keys.js';
import * as references from './migrations/0053-references.js';
import * as codeEvents from './migrations/0056-code-events.js';
import * as timeZones from './migrations/0057-time-zones-and-weekly-emails.js';
import * as webhookCallDurations from './migrations/0058-webhook-call-durations.js';
import * as sessionBrowsers from './migrations/0059-session-browsers.js';
import * as shopSites from './migrations/0060-shop-sites.js';

/**
 * Number of attempts to migrate while another process is migrating. Including the pauses, all attempts take half a
 * minute.
 */
const MIGRATION_ATTEMPTS = 60;
const MIGRATION_PAUSE_MS = 500;

/**
 * The baseline is recorded under the name of the last migration that it replaces, so that it does not run on databases
 * that have its tables.
 */
const BASELINE = '0030-settings-version';

/** Migrations in the order in which they run. A released migration is never edited. */
const MIGRATIONS: Record<string, Pick<Knex.Migration, 'up'>> = {
  [BASELINE]: baseline,
  '0031-repeated-guesses': repeatedGuesses,
  '0032-earlier-sends': earlierSends,
  '0033-provider-health': providerHealth,
  '0034-refusals': refusals,
  '0035-route-scores': routeScores,
  '0037-fraud-excesses': fraudExcesses,
  '0038-daily-budgets': dailyBudgets,
  '0043-suppressions': suppressions,
  '0045-scheduled-messages': scheduledMessages,
  '0046-attachments': attachments,
  '0047-write-checks': writeChecks,
  '0052-management-keys': managementKeys,
  '0053-references': references,
  '0056-code-events': codeEvents,
  '0057-time-zones-and-weekly-emails': timeZones,
  '0058-webhook-call-durations': webhookCallDurations,
  '0059-session-browsers': sessionBrowsers,
  '0060-shop-sites': shopSites,
};

/**
 * The table that records the migrations. Early versions record them in knex's default table, and refuse to start if it
 * contains a migration that they do not know.
 */
const MIGRATIONS_TABLE = 'passbell_migrations';
const EARLIER_MIGRATIONS_TABLE = 'knex_migrations';
const MIGRATIONS_LOCK = `${MIGRATIONS_TABLE}_lock`;

/**
 * Runs the migrations. Uses connections without timeouts, because rebuilding a large table takes a long time. If
 * `create` is false, throws a {@link MissingDatabaseError} instead of creating the tables of a new database.
 */
export async function migrate(location: DatabaseLocation, { create = true } = {}): Promise<void> {
  const db = openDatabase({ ...location, noTimeouts: true });
  try {
    if (!create) await requireTables(db, location);
    await migrateOn(db);
  } finally {
    await db.destroy();
  }
}

async function requireTables(db: Database, location: DatabaseLocation): Promise<void> {
  for (const table of [MIGRATIONS_TABLE, EARLIER_MIGRATIONS_TABLE]) if (await db.schema.hasTable(table)) return;
  throw new MissingDatabaseError(
    `${describeDatabase(location)} is a new, empty database. If the server uses another one, set the same DATA_DIR or DATABASE_URL as for the server. ${howToCreate()}`,
  );
}

async function recordedMigrations(db: Knex): Promise<string[]> {
  const namesIn = async (table: string): Promise<string[]> =>
    (await db.schema.hasTable(table)) ? db(table).pluck('name') : [];
  return [...(await namesIn(EARLIER_MIGRATIONS_TABLE)), ...(await namesIn(MIGRATIONS_TABLE))];
}

/** Throws if a database has only a part of the baseline's tables, because an early version created it. */
function assertHasBaseline(recorded: readonly string[]): void {
  if (recorded.length === 0 || recorded.includes(BASELINE)) return;
  throw new DataDirError(
    'the database was created by an early version of Passbell: start commit b71cf65 on it once, and then this version (docs/upgrading.md, "Upgrade from an early version")',
  );
}

/**
 * Creates the only row of the lock. If knex created it, processes that start together would each add a row, and knex
 * would then report forever that the database is locked.
 */
async function createLock(db: Database): Promise<void> {
  if (!(await db.schema.hasTable(MIGRATIONS_LOCK)))
    await db.schema.createTable(MIGRATIONS_LOCK, (t) => {
      t.increments('index').primary();
      t.integer('is_locked');
    });
  await db(MIGRATIONS_LOCK).insert({ index: 1, is_locked: 0 }).onConflict('index').ignore();
}

/** knex requires a way back from each migration. */
async function refuseToRevert(): Promise<void> {
  throw new Error('migrations cannot be reverted: restore a backup');
}

/**
 * If several processes start together, one of them migrates the database, and the others wait until it has finished.
 */
async function migrateOn(db: Database): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      const recorded = await recordedMigrations(db);
      assertHasBaseline(recorded);
      await createLock(db);
      await db.migrate.latest({
        tableName: MIGRATIONS_TABLE,
        disableMigrationsListValidation: true,
        migrationSource: {
          getMigrations: async () => Object.keys(MIGRATIONS).filter((name) => !recorded.includes(name)),
          getMigrationName: (name: string) => name,
          getMigration: async (name: string) => ({ up: MIGRATIONS[name]!.up, down: refuseToRevert }),
        },
      });
      return;
    } catch (error) {
      if (!isMigrationRace(error) || attempt === MIGRATION_ATTEMPTS) throw error;
      await sleep(MIGRATION_PAUSE_MS);
    }
  }
}
