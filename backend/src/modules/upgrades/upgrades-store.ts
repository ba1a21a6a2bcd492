/** Reads the migrations that upgrades have run, and stores which notices were dismissed. */
import type { Knex } from 'knex';
import type { Database } from '../../platform/db/database.js';
import { migrationsOfUpgrades } from '../../platform/db/migrate.js';

export type UpgradesStore = ReturnType<typeof createUpgradesStore>;

export function createUpgradesStore(db: Database) {
  /** Returns the migrations that upgrades ran, except the migrations whose notice was dismissed. */
  async function undismissed(trx: Knex = db): Promise<string[]> {
    const dismissed = new Set(await trx('dismissed_notices').pluck('migration'));
    return (await migrationsOfUpgrades(trx)).filter((name) => !dismissed.has(name));
  }

  async function dismiss(trx: Knex, migrations: readonly string[], now: number): Promise<void> {
    const rows = migrations.map((migration) => ({ migration, dismissed_at: now }));
    if (rows.length > 0) await trx('dismissed_notices').insert(rows).onConflict('migration').ignore();
  }

  return { undismissed, dismiss };
}
