/** Fills the tables that grow with use, so that a large database can be measured. */
import { createConnection } from 'mysql2/promise';
import { newSeed, shapeOf } from './shapes.mjs';

const TABLES = ['otp_sessions', 'messages', 'users'];
const ROWS_PER_STATEMENT = 2000;
/** Number of rows after which the transaction is committed and progress is printed. */
const COMMIT_EVERY = 20_000;

export async function fillRows(databaseUrl, rows, progress) {
  const connection = await createConnection({ uri: databaseUrl });
  try {
    await connection.query('set unique_checks = 0, foreign_key_checks = 0, autocommit = 0');
    for (const table of TABLES) {
      const { columns, row } = await shapeOf(connection, table);
      const insert = `insert into ${table} (${columns.join(', ')}) values ?`;
      const seed = newSeed();
      for (let done = 0; done < rows;) {
        const size = Math.min(ROWS_PER_STATEMENT, rows - done);
        const values = Array.from({ length: size }, (_, i) => row(done + i, seed));
        await connection.query(insert, [values]);
        done += size;
        if (done % COMMIT_EVERY === 0 || done === rows) {
          await connection.query('commit');
          progress(`filling ${table}: ${done} of ${rows} rows`);
        }
      }
    }
    await connection.query(`analyze table ${TABLES.join(', ')}`);
  } finally {
    await connection.end();
  }
}
