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

/** The errors of `all` have a message only. A transaction that is repeated for a lock is repeated for both kinds of locks. */
function codeOfMessage(message: string): string {
  if (message.startsWith('UNIQUE constraint failed')) return 'SQLITE_CONSTRAINT_UNIQUE';
  return message.startsWith('database is locked') ? 'SQLITE_BUSY_SNAPSHOT' : 'SQLITE_ERROR';
}

/** Calls `work`. Gives its errors better-sqlite3's codes. */
function withCodes<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const { message, sqliteCode, sqliteCodeName } = error as Error & { sqliteCode?: number; sqliteCodeName?: string };
    const code = sqliteCode === undefined ? codeOfMessage(message) : (CODE_NAMES[sqliteCode] ?? sqliteCodeName);
    if ((error as { code?: unknown }).code === 'ERR_SQLITE_ERROR') Object.assign(error as Error, { code });
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
  // better-sqlite3 stores undefined as null; this driver rejects it.
  const flat = (bindings: unknown[]) => bindings.flat().map((value) => value ?? null) as Bindings;
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
