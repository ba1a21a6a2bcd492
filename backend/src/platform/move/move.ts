/**
 * Moves an installation from SQLite to MySQL or back, while it is in use. Triggers record changed rows in the source. All
 * rows are copied and compared, then the changed rows, until few are left. Then the source rejects changes, and the last
 * ones are copied. Each step can be repeated, and progress is stored in the target, so that a killed move resumes.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { DataDirError } from '../data-dir.js';
import { describeDatabase, openDatabase, type Database, type DatabaseLocation } from '../db/database.js';
import { migrate } from '../db/migrate.js';
import {
  copyLastIds,
  countRows,
  deleteKeys,
  isMysql,
  keyOf,
  readTables,
  replaceRows,
  rowsAfter,
  rowsWithKeys,
  type Key,
  type MovedTable,
  type Row,
} from './moved-table.js';
import { createMoveSource, STAGES, stageOf, type MoveSource } from './move-source.js';

/** Number of rows or changes in a step, which is also the most that a killed move repeats. */
const BATCH = 1000;
const ROWS_PER_REPORT = 100_000;
/**
 * How long the end of the move waits for messages in progress. Afterwards, their outcome is unknown, as after a crash,
 * and the new installation looks them up at the provider.
 */
const IN_PROGRESS_MS = 3000;
const POLL_MS = 50;
/** Exists in a database to which a move is not complete. */
const PROGRESS_TABLE = 'move_progress';

export interface MoveOptions {
  readonly from: DatabaseLocation;
  readonly to: DatabaseLocation;
  readonly now: () => number;
  readonly report: (text: string) => void;
}

export interface Moved {
  readonly rows: number;
  readonly tables: number;
  /** How long the source has rejected changes so far. */
  readonly closedMs: number;
}

/** Throws if a move from or to the database is not complete, because a server would then lose or repeat messages. */
export async function requireNotMoving(db: Database): Promise<void> {
  if (await db.schema.hasTable(PROGRESS_TABLE))
    throw new DataDirError(
      'a move to this database is not complete: run "passbell move --finish" with the settings of the old database',
    );
  if ((await stageOf(db)) === STAGES.moved)
    throw new DataDirError(
      'the data was moved away from this database: use the settings that "passbell move" has printed, or run "passbell move --cancel" to use the old data',
    );
}

/** Throws while the end of a move rejects changes. */
export async function requireOpen(db: Database): Promise<void> {
  if (((await stageOf(db)) ?? STAGES.open) > STAGES.open)
    throw new DataDirError('the data is being moved to another database');
}

const sameRow = ({ columns }: MovedTable, a: Row, b: Row | undefined): boolean =>
  b !== undefined && columns.every((column) => a[column] === b[column]);

const keyText = (table: MovedTable, row: Row): string => JSON.stringify(keyOf(table, row));

function createCopy(
  source: MoveSource,
  target: Database,
  tables: readonly MovedTable[],
  report: (text: string) => void,
) {
  /** Runs `work` without checks of foreign keys, because tables are copied one after the other. */
  async function write(work: (trx: Database) => Promise<void>): Promise<void> {
    if (!isMysql(target)) await target.raw('pragma foreign_keys = off');
    await target.transaction(async (trx) => {
      if (isMysql(target)) await trx.raw('set foreign_key_checks = 0');
      await work(trx as Database);
    });
  }

  /** Returns the keys of rows that are missing or different in the target. */
  async function differences(table: MovedTable, rows: readonly Row[]): Promise<string[]> {
    const copies = await rowsWithKeys(
      target,
      table,
      rows.map((row) => keyOf(table, row)),
    );
    const byKey = new Map(copies.map((copy) => [keyText(table, copy), copy]));
    const keys = rows.map((row) => keyText(table, row));
    return keys.filter((key, n) => !sameRow(table, rows[n]!, byKey.get(key)));
  }

  function requireSame({ name }: MovedTable, different: readonly string[]): void {
    if (different.length > 0)
      throw new DataDirError(
        `${different.length} rows of ${name} differ in the new database: start again with an empty one`,
      );
  }

  /** Passes all rows of a table to `work` in batches, and continues after the last completed batch. */
  async function inBatches(
    pass: string,
    table: MovedTable,
    work: (rows: readonly Row[], complete: (trx: Database) => Promise<void>) => Promise<void>,
  ): Promise<void> {
    const id = { name: table.name, pass };
    const stored = await target(PROGRESS_TABLE).where(id).first();
    let total = Number(stored?.total ?? 0);
    let after: Key | undefined = stored && JSON.parse(stored.last_key);
    for (;;) {
      const rows = await rowsAfter(source.db, table, after, BATCH);
      if (rows.length === 0) return;
      after = keyOf(table, rows.at(-1)!);
      total += rows.length;
      const progress = { ...id, last_key: JSON.stringify(after), total };
      await work(
        rows,
        async (trx) => void (await trx(PROGRESS_TABLE).insert(progress).onConflict(['name', 'pass']).merge()),
      );
      if (rows.length < BATCH || total % ROWS_PER_REPORT === 0) report(`${pass} ${table.name}: ${total} rows`);
    }
  }

  const copy = (table: MovedTable) =>
    inBatches('copied', table, (rows, complete) =>
      write(async (trx) => {
        await replaceRows(trx, table, rows);
        await complete(trx);
      }),
    );

  /** A row may differ only if it was changed after it was copied. It is then copied and compared with the changes. */
  const compare = (table: MovedTable) =>
    inBatches('compared', table, async (rows, complete) => {
      const different = await differences(table, rows);
      const changed = different.length === 0 ? undefined : await source.changedKeys(table);
      requireSame(
        table,
        different.filter((key) => !changed!.has(key)),
      );
      await complete(target);
    });

  async function copyKeys(table: MovedTable, keys: readonly Key[]): Promise<void> {
    const rows = await rowsWithKeys(source.db, table, keys);
    const found = new Set(rows.map((row) => keyText(table, row)));
    await write(async (trx) => {
      await deleteKeys(
        trx,
        table,
        keys.filter((key) => !found.has(JSON.stringify(key))),
      );
      await replaceRows(trx, table, rows);
    });
    requireSame(table, await differences(table, rows));
  }

  /** Copies changed rows until there are no more, or until only those of the last moments are left. */
  async function catchUp(): Promise<void> {
    for (;;) {
      const changes = await source.changes(BATCH);
      for (const table of tables) {
        const keys = new Map<string, Key>();
        for (const { name, key } of changes) if (name === table.name) keys.set(JSON.stringify(key), key);
        if (keys.size > 0) await copyKeys(table, [...keys.values()]);
      }
      await source.removeChanges(changes);
      if (changes.length < BATCH) return;
    }
  }

  async function all(): Promise<void> {
    for (const table of tables) await copy(table);
    await catchUp();
    for (const table of tables) await compare(table);
    await catchUp();
  }

  /** Compares the number of rows in each table, and returns the sum. */
  async function requireSameCounts(): Promise<number> {
    let sum = 0;
    for (const table of tables) {
      const [expected, count] = await Promise.all([countRows(source.db, table), countRows(target, table)]);
      if (expected !== count)
        throw new DataDirError(
          `${table.name} has ${count} rows instead of ${expected} in the new database: start again with an empty one`,
        );
      sum += count;
    }
    return sum;
  }

  return { all, catchUp, requireSameCounts };
}

/** Creates the tables of the target. Servers refuse to use them until the move is complete. */
async function prepareTarget(target: Database, location: DatabaseLocation): Promise<void> {
  if (!(await target.schema.hasTable(PROGRESS_TABLE))) {
    if ((await target.schema.hasTable('accounts')) && (await target('accounts').first('id')) !== undefined)
      throw new DataDirError(`${describeDatabase(location)} already contains data: use an empty database`);
    await target.schema.createTable(PROGRESS_TABLE, (t) => {
      t.string('name', 64).notNullable();
      t.string('pass', 16).notNullable();
      t.text('last_key').notNullable(); // JSON: the key of the last row.
      t.bigInteger('total').notNullable();
      t.primary(['name', 'pass']);
    });
  }
  await migrate(location);
}

/** Rejects changes in the source step by step, copies the last ones and checks the counts. */
async function finish(
  source: MoveSource,
  target: Database,
  tables: readonly MovedTable[],
  { now, report }: MoveOptions,
): Promise<Moved> {
  const { catchUp, requireSameCounts } = createCopy(source, target, tables, report);
  const start = now();
  try {
    await source.setStage(STAGES.closing);
    while ((await source.messagesInProgress(now())) > 0 && now() < start + IN_PROGRESS_MS) await sleep(POLL_MS);
    await catchUp();
    await source.setStage(STAGES.closed);
    await catchUp();
    const rows = await requireSameCounts();
    await copyLastIds(source.db, target, tables);
    await source.setStage(STAGES.moved);
    await target.schema.dropTable(PROGRESS_TABLE);
    return { rows, tables: tables.length, closedMs: now() - start };
  } catch (error) {
    await source.setStage(STAGES.open);
    throw error;
  }
}

/** Opens both databases without time limits, because statements on large tables can take long. */
async function withBoth<T>(
  { from, to }: Pick<MoveOptions, 'from' | 'to'>,
  work: (source: Database, target: Database) => Promise<T>,
): Promise<T> {
  const source = openDatabase({ ...from, noTimeouts: true });
  const target = openDatabase({ ...to, noTimeouts: true });
  try {
    return await work(source, target);
  } finally {
    await Promise.all([source.destroy(), target.destroy()]);
  }
}

/** Copies everything while the source is in use. With `end`, also completes the move. */
export async function moveDatabase(options: MoveOptions, end: boolean): Promise<Moved | 'moved earlier' | undefined> {
  const { from, to, report } = options;
  await migrate(from, { create: false });
  return withBoth(options, async (sourceDb, target) => {
    const stage = await stageOf(sourceDb);
    if (stage === STAGES.moved) {
      // The move may have been killed between its last two steps.
      await target.schema.dropTableIfExists(PROGRESS_TABLE);
      if (end) return 'moved earlier';
      await requireNotMoving(sourceDb);
    }
    await prepareTarget(target, to);
    const tables = await readTables(isMysql(sourceDb) ? target : sourceDb);
    const source = createMoveSource(sourceDb, tables);
    if (stage === undefined || stage === STAGES.canceled) {
      // Changes since the earlier copy were not recorded.
      if ((await target(PROGRESS_TABLE).first()) !== undefined)
        throw new DataDirError('the new database has rows of a move that was canceled: use an empty database');
      await source.start();
      await source.setStage(STAGES.open);
    } else await source.start();
    await createCopy(source, target, tables, report).all();
    return end ? finish(source, target, tables, options) : undefined;
  });
}

/** Gives up a move, so that the source works as before. Leaves the target as it is. */
export async function cancelMove({ from, to }: Pick<MoveOptions, 'from' | 'to'>): Promise<void> {
  await withBoth({ from, to }, async (sourceDb, target) =>
    createMoveSource(sourceDb, await readTables(isMysql(sourceDb) ? target : sourceDb)).forget(),
  );
}
