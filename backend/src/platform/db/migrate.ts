/** Creates and changes the tables. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import { howToCreate, MissingDatabaseError } from '../data-dir.js';
import { isMigrationRace } from './database-errors.js';
import { describeDatabase, openDatabase, type Database, type DatabaseLocation } from './database.js';
import * as first from './migrations/0001-first.js';
import * as twoFactor from './migrations/0002-two-factor.js';
import * as templateOverrides from './migrations/0003-template-overrides.js';
import * as deliveryReports from './migrations/0004-delivery-reports.js';
import * as webhooks from './migrations/0005-webhooks.js';
import * as dashboard from './migrations/0006-dashboard.js';
import * as messageLookup from './migrations/0007-message-lookup.js';
import * as refusedCallers from './migrations/0008-refused-callers.js';
import * as twoFactorCallers from './migrations/0009-two-factor-callers.js';
import * as ceilings from './migrations/0011-ceilings.js';
import * as passkeys from './migrations/0012-passkeys.js';
import * as retention from './migrations/0013-retention.js';
import * as signInLinkAccount from './migrations/0014-sign-in-link-account.js';
import * as fraud from './migrations/0015-fraud.js';
import * as fraudNotices from './migrations/0016-fraud-notices.js';
import * as fraudObservations from './migrations/0018-fraud-observations.js';
import * as providers from './migrations/0019-providers.js';
import * as prices from './migrations/0020-prices.js';
import * as webhookAttempts from './migrations/0025-webhook-attempts.js';
import * as repeatedVerification from './migrations/0026-repeated-verification.js';
import * as automations from './migrations/0027-automations.js';
import * as applicationDeletion from './migrations/0028-application-deletion.js';
import * as usersAndBranding from './migrations/0029-users-and-branding.js';
import * as settingsVersion from './migrations/0030-settings-version.js';
import * as repeatedGuesses from './migrations/0031-repeated-guesses.js';

/**
 * Number of attempts to migrate while another process is migrating. Including the pauses, all attempts take half a
 * minute.
 */
const MIGRATION_ATTEMPTS = 60;
const MIGRATION_PAUSE_MS = 500;

/** Migrations in the order in which they run. A released migration is never edited. */
const MIGRATIONS: Record<string, Knex.Migration> = {
  '0001-first': first,
  '0002-two-factor': twoFactor,
  '0003-template-overrides': templateOverrides,
  '0004-delivery-reports': deliveryReports,
  '0005-webhooks': webhooks,
  '0006-dashboard': dashboard,
  '0007-message-lookup': messageLookup,
  '0008-refused-callers': refusedCallers,
  '0009-two-factor-callers': twoFactorCallers,
  '0011-ceilings': ceilings,
  '0012-passkeys': passkeys,
  '0013-retention': retention,
  '0014-sign-in-link-account': signInLinkAccount,
  '0015-fraud': fraud,
  '0016-fraud-notices': fraudNotices,
  '0018-fraud-observations': fraudObservations,
  '0019-providers': providers,
  '0020-prices': prices,
  '0025-webhook-attempts': webhookAttempts,
  '0026-repeated-verification': repeatedVerification,
  '0027-automations': automations,
  '0028-application-deletion': applicationDeletion,
  '0029-users-and-branding': usersAndBranding,
  '0030-settings-version': settingsVersion,
  '0031-repeated-guesses': repeatedGuesses,
};

/**
 * The table that records the migrations. Versions that record them in knex's default table refuse to start if it
 * contains a migration that they do not know, so they could not run again after an upgrade.
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

async function earlierMigrations(db: Knex): Promise<string[]> {
  return (await db.schema.hasTable(EARLIER_MIGRATIONS_TABLE)) ? db(EARLIER_MIGRATIONS_TABLE).pluck('name') : [];
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

/**
 * If several processes start together, one of them migrates the database, and the others wait until it has finished.
 */
async function migrateOn(db: Database): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await createLock(db);
      const earlier = await earlierMigrations(db);
      await db.migrate.latest({
        tableName: MIGRATIONS_TABLE,
        disableMigrationsListValidation: true,
        migrationSource: {
          getMigrations: async () => Object.keys(MIGRATIONS).filter((name) => !earlier.includes(name)),
          getMigrationName: (name: string) => name,
          getMigration: async (name: string) => MIGRATIONS[name]!,
        },
      });
      return;
    } catch (error) {
      if (!isMigrationRace(error) || attempt === MIGRATION_ATTEMPTS) throw error;
      await sleep(MIGRATION_PAUSE_MS);
    }
  }
}
