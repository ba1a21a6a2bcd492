/**
 * Loads the SQLite driver, and connects knex to it. better-sqlite3 13 needs Node 22 or newer, and version 12 makes Node
 * 24.19 and newer abort. When Node 20 is no longer supported, remove the choice between them.
 */
import { createRequire } from 'node:module';
import type BetterSqlite3 from 'better-sqlite3';
import type { Knex } from 'knex';

const FIRST_NODE_WITH_NEW_DRIVER = 22;

const require = createRequire(import.meta.url);
const nodeMajor = Number.parseInt(process.versions.node, 10);

export const Sqlite: typeof BetterSqlite3 = require(
  nodeMajor >= FIRST_NODE_WITH_NEW_DRIVER ? 'better-sqlite3-13' : 'better-sqlite3',
);

/** knex's client for SQLite, which loads `better-sqlite3` by default. */
export function sqliteClient(): typeof Knex.Client {
  const Client: typeof Knex.Client = require('knex/lib/dialects/better-sqlite3/index.js');
  return class extends Client {
    _driver() {
      return Sqlite;
    }

    /**
     * Waits for one turn of the event loop, because statements run synchronously. Otherwise, all waiting transactions
     * would run in one turn, and Node accepts only one new connection in each turn.
     */
    override releaseConnection(connection: unknown) {
      setImmediate(() => super.releaseConnection(connection));
      return Promise.resolve();
    }
  };
}
