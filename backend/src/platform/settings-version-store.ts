import type { Knex } from 'knex';
import type { Database } from './db/database.js';

const NO_ROW = 'the table settings_version has no row';

export function createSettingsVersionStore(db: Database) {
  return {
    async read(): Promise<number> {
      const row = await db('settings_version').first('version');
      if (!row) throw new Error(NO_ROW);
      return Number(row.version);
    },

    async increase(trx: Knex): Promise<void> {
      if ((await trx('settings_version').increment('version', 1)) !== 1) throw new Error(NO_ROW);
    },
  };
}
