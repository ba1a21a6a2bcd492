/**
 * Loads the SQLite driver, and connects knex to it. Both drivers contain compiled code, so that nobody needs a compiler:
 * better-sqlite3 13 for Node 22 and newer, and @photostructure/sqlite for Node 20. When Node 20 is no longer supported, remove
 * the second one.
 */
import { createRequire } from 'node:module';
import type BetterSqlite3 from 'better-sqlite3';
import type { Knex } from 'knex';
import { loadNode20Driver } from './sqlite-node-20.js';

const FIRST_NODE_WITH_BETTER_SQLITE = 22;

const require = createRequire(import.meta.url);
const nodeMajor = Number.parseInt(process.versions.node, 10);

export const Sqlite: typeof BetterSqlite3 =
  nodeMajor >= FIRST_NODE_WITH_BETTER_SQLITE ? require('better-sqlite3-13') : loadNode20Driver();

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
