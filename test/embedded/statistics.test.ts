/** The statistics from which SQLite chooses an index. */
import { MINUTE } from '../../backend/src/platform/clock.js';
import { fillMessages } from '../support/many-messages.js';
import { startService } from '../support/service.js';
import { advancing, until } from '../support/wait.js';

const REPORTS = 32;

it('finds the messages of delivery reports by their ids, not among all sent messages', async () => {
  const passbell = await startService();
  const db = passbell.openDatabase();
  await fillMessages(db, { rows: 20_000, applicationIds: [1], now: passbell.clock.now(), analyze: false });
  const ids: string[] = await db('messages').limit(REPORTS).pluck('id');

  /** Returns the plan of a new connection, because a connection reads the statistics only once. */
  async function plan(): Promise<string> {
    const other = passbell.openDatabase();
    const { sql, bindings } = other('messages').whereIn('id', ids).where({ state: 'sent' }).toSQL().toNative();
    const steps: { detail: string }[] = await other.raw(`explain query plan ${sql}`, [...bindings]);
    await other.destroy();
    return steps.map(({ detail }) => detail).join('\n');
  }
  const isAnalyzed = async () =>
    (await db.schema.hasTable('sqlite_stat1')) &&
    (await db('sqlite_stat1').where({ tbl: 'messages' }).first()) !== undefined;

  await until('statistics of the messages', isAnalyzed, advancing(passbell.clock, MINUTE));
  expect(await plan()).toContain('(id=?)');
  // An erasure would not delete samples of recipients.
  expect(await db('sqlite_stat4')).toEqual([]);
  await db.destroy();
});
