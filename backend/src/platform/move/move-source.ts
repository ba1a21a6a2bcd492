/**
 * The database that a move copies from. Triggers record the keys of changed rows while it is in use, and reject changes
 * near the end of the move, whichever process makes them.
 */
import type { Knex } from 'knex';
import type { Database } from '../db/database.js';
import { isMysql, type Key, type MovedTable } from './moved-table.js';

/** Has one row, whose column `stage` is one of {@link STAGES}. */
const STAGE_TABLE = 'move_stage';
const CHANGES_TABLE = 'move_changes';

/**
 * `canceled`: changes are no longer recorded. `closing`: no message is added or claimed, so that messages in progress can be completed.
 * `closed`: nothing changes.
 */
export const STAGES = { canceled: -1, open: 0, closing: 1, closed: 2, moved: 3 } as const;

export interface Change {
  readonly id: number;
  readonly name: string;
  readonly key: Key;
}

const ACTIONS = ['insert', 'update', 'delete'] as const;
type Action = (typeof ACTIONS)[number];

const triggerName = (action: Action, table: string): string => `move_${action}_${table}`;

/** Returns the condition under which a change is rejected. `stage` is SQL for the current stage. */
function isRejected(stage: string, action: Action, table: string): string {
  const closed = `${stage} >= ${STAGES.closed}`;
  if (table !== 'messages' || action === 'delete') return closed;
  const claims = action === 'update' ? " and new.claim is not null and new.claim <> coalesce(old.claim, '')" : '';
  return `${closed} or (${stage} >= ${STAGES.closing}${claims})`;
}

/** Primary keys never change, so that one key describes a change. */
function triggerSql(mysql: boolean, action: Action, { name, key }: MovedTable): string {
  const row = action === 'delete' ? 'old' : 'new';
  const keyJson = `json_array(${key.map((column) => `${row}.${column}`).join(', ')})`;
  const record = `insert into ${CHANGES_TABLE} (name, row_key) values ('${name}', ${keyJson});`;
  const start = `create trigger ${triggerName(action, name)} after ${action} on ${name} for each row begin`;
  const text = 'the database is being moved';
  if (!mysql) {
    const rejected = isRejected(`(select stage from ${STAGE_TABLE})`, action, name);
    return `${start} select raise(abort, '${text}') where ${rejected}; ${record} end`;
  }
  // The lock lets a change of the stage wait until the transactions that have read it are committed.
  return `${start} declare stage_now int; select stage into stage_now from ${STAGE_TABLE} lock in share mode;
    if ${isRejected('stage_now', action, name)} then signal sqlstate '45000' set message_text = '${text}'; end if;
    ${record} end`;
}

/** An earlier start may have created a part of the triggers. MySQL has no `if not exists` for triggers before 8.0.29. */
async function createTrigger(db: Database, action: Action, table: MovedTable): Promise<void> {
  const mysql = isMysql(db);
  const sql = triggerSql(mysql, action, table);
  if (!mysql) return void (await db.raw(sql.replace('create trigger', 'create trigger if not exists')));
  await db.raw(sql).catch((error: { code?: unknown }) => {
    if (error.code !== 'ER_TRG_ALREADY_EXISTS') throw error;
  });
}

/** Returns the stage of a move away from this database; undefined if there is none. */
export async function stageOf(db: Knex): Promise<number | undefined> {
  if (!(await db.schema.hasTable(STAGE_TABLE))) return undefined;
  return (await db(STAGE_TABLE).first('stage'))?.stage as number | undefined;
}

export function createMoveSource(db: Database, tables: readonly MovedTable[]) {
  async function createTables(): Promise<void> {
    if (!(await db.schema.hasTable(CHANGES_TABLE)))
      await db.schema.createTable(CHANGES_TABLE, (t) => {
        t.bigIncrements('id');
        t.string('name', 64).notNullable();
        t.text('row_key').notNullable(); // JSON: the values of the primary key.
      });
    if (!(await db.schema.hasTable(STAGE_TABLE)))
      await db.schema.createTable(STAGE_TABLE, (t) => {
        t.integer('id').primary();
        t.integer('stage').notNullable();
      });
    await db(STAGE_TABLE).insert({ id: 1, stage: STAGES.open }).onConflict('id').ignore();
  }

  async function dropTriggers(): Promise<void> {
    for (const { name } of tables)
      for (const action of ACTIONS) await db.raw(`drop trigger if exists ${triggerName(action, name)}`);
  }

  return {
    db,
    /** Starts to record changes. Afterwards, every row that the copy misses is among the changes. */
    async start(): Promise<void> {
      await createTables();
      for (const table of tables) for (const action of ACTIONS) await createTrigger(db, action, table);
    },

    /** Waits for transactions in progress, and returns once all later changes see the new stage. */
    async setStage(stage: number): Promise<void> {
      await db(STAGE_TABLE).update({ stage });
    },

    /** Ends the move, so that the database works as before. */
    async forget(): Promise<void> {
      // If this is interrupted, some changes are not recorded, so that a later move must not continue this one.
      await this.setStage(STAGES.canceled);
      await dropTriggers();
      for (const name of [STAGE_TABLE, CHANGES_TABLE]) await db.schema.dropTableIfExists(name);
    },

    async changes(limit: number): Promise<Change[]> {
      const rows = await db(CHANGES_TABLE).orderBy('id').limit(limit);
      return rows.map(({ id, name, row_key: key }) => ({ id, name, key: JSON.parse(key) }));
    },

    /** Removes changes by their ids: in MySQL, a transaction with a lower id can commit later. */
    removeChanges: (changes: readonly Change[]) =>
      db(CHANGES_TABLE)
        .whereIn(
          'id',
          changes.map(({ id }) => id),
        )
        .delete(),

    /** Returns the keys of the changed rows of a table, as JSON. */
    async changedKeys({ name }: MovedTable): Promise<Set<string>> {
      const keys: string[] = await db(CHANGES_TABLE).where({ name }).pluck('row_key');
      return new Set(keys.map((key) => JSON.stringify(JSON.parse(key))));
    },

    /** Returns the number of messages that a process is sending now. */
    async messagesInProgress(now: number): Promise<number> {
      const row = await db('messages')
        .where({ state: 'sending' })
        .where('due_at', '>', now)
        .count({ count: '*' })
        .first();
      return Number(row!.count);
    },
  };
}

export type MoveSource = ReturnType<typeof createMoveSource>;
