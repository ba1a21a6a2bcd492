/** The benchmark fills Passbell's tables itself, so it needs a value for each of their columns. */
import { createConnection, type Connection, type ResultSetHeader } from 'mysql2/promise';
import { shapeOf } from '../bench/shapes.mjs';
import { createTestDatabase, redisUrl, type TestDatabase } from '../support/databases.js';
import { runCommandWith } from '../support/process.js';

let database: TestDatabase;
let connection: Connection;
beforeAll(async () => {
  database = await createTestDatabase();
  const SECRET_KEY = 'a key that only tests use and nobody else';
  await runCommandWith({ DATABASE_URL: database.url, REDIS_URL: redisUrl(), SECRET_KEY }, 'init');
  connection = await createConnection(database.url);
});
afterAll(async () => {
  await connection.end();
  await database.drop();
});

it.each(['otp_sessions', 'messages', 'users'])('the benchmark can fill the table %s', async (table) => {
  const { columns, row } = await shapeOf(connection, table);
  const insert = `insert into ${table} (${columns.join(', ')}) values (?)`;
  const [result] = await connection.query<ResultSetHeader>(insert, [row(1, 'seed')]);
  expect(result.affectedRows).toBe(1);
});
