/**
 * A driver with the interface of better-sqlite3, as far as knex and Passbell use it, on top of @photostructure/sqlite. Its
 * package contains compiled code for Node 20.
 */
import { createRequire } from 'node:module';
import type { DatabaseSync, DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';
import type BetterSqlite3 from 'better-sqlite3';

type Row = Record<string, unknown>;
type Bindings = Parameters<StatementSyncInstance['all']>;

interface Options {
  readonly readonly?: boolean;
  readonly timeout?: number;
}

/** Names of extended result codes. */
const CODE_NAMES: Readonly<Record<number, string>> = {
  517: 'SQLITE_BUSY_SNAPSHOT',
  1299: 'SQLITE_CONSTRAINT_NOTNULL',
  1555: 'SQLITE_CONSTRAINT_PRIMARYKEY',
  2067: 'SQLITE_CONSTRAINT_UNIQUE',
};

/** Calls `work`. Gives its errors better-sqlite3's codes. */
function withCodes<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const { sqliteCode, sqliteCodeName } = error as { sqliteCode?: number; sqliteCodeName?: string };
    if (sqliteCodeName !== undefined)
      Object.assign(error as Error, { code: CODE_NAMES[sqliteCode!] ?? sqliteCodeName });
    throw error;
  }
}

/** Returns a row with a prototype, and with buffers instead of byte arrays. */
function toRow(values: Row): Row {
  const row: Row = {};
  for (const [name, value] of Object.entries(values))
    row[name] = value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value;
  return row;
}

function wrap(statement: StatementSyncInstance) {
  const flat = (bindings: unknown[]) => bindings.flat() as Bindings;
  return {
    reader: statement.columns().length > 0,
    safeIntegers: (isOn = true) => statement.setReadBigInts(isOn),
    all: (...bindings: unknown[]) => withCodes(() => (statement.all(...flat(bindings)) as Row[]).map(toRow)),
    get: (...bindings: unknown[]) =>
      withCodes(() => {
        const row = statement.get(...flat(bindings)) as Row | undefined;
        return row && toRow(row);
      }),
    run: (...bindings: unknown[]) => withCodes(() => statement.run(...flat(bindings))),
  };
}

export function loadNode20Driver(): typeof BetterSqlite3 {
  const driver = createRequire(import.meta.url)('@photostructure/sqlite') as { DatabaseSync: typeof DatabaseSync };
  class Sqlite {
    readonly #db: DatabaseSyncInstance;

    constructor(file: string, { readonly = false, timeout = 5000 }: Options = {}) {
      this.#db = withCodes(() => new driver.DatabaseSync(file, { readOnly: readonly, timeout }));
    }

    prepare(sql: string) {
      return wrap(withCodes(() => this.#db.prepare(sql)));
    }

    exec(sql: string) {
      withCodes(() => this.#db.exec(sql));
      return this;
    }

    pragma(text: string, { simple = false } = {}): unknown {
      const rows = this.prepare(`pragma ${text}`).all();
      return simple ? Object.values(rows[0] ?? {})[0] : rows;
    }

    close() {
      this.#db.close();
      return this;
    }
  }
  return Sqlite as unknown as typeof BetterSqlite3;
}
