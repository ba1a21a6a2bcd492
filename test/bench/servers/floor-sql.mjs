/** Baseline without HTTP: only the SQL of sending and verifying a code, as prepared statements on Passbell's tables. */
import { createPool } from 'mysql2/promise';
import { newSeed, shapeOf } from '../shapes.mjs';
import { summarize } from '../statistics.mjs';

const { databaseUrl, connections } = JSON.parse(process.env.BENCH);
const pool = createPool({ uri: databaseUrl, connectionLimit: connections });
const seed = newSeed();
let counter = 0;
/** Sends that are not verified yet. */
const waiting = [];

async function inserter(table) {
  const { columns, row } = await shapeOf(pool, table);
  const sql = `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`;
  return { run: (n) => pool.execute(sql, row(n, seed)), maskOf: (n) => row(n, seed)[columns.indexOf('mask_id')] };
}

const [sessions, messages, users] = await Promise.all(['otp_sessions', 'messages', 'users'].map(inserter));

async function send() {
  const n = counter++;
  await sessions.run(n);
  await messages.run(n);
  return n;
}

async function verify(n) {
  const mask = sessions.maskOf(n);
  const [found] = await pool.execute('select * from otp_sessions where mask_id = ?', [mask]);
  const [updated] = await pool.execute(
    `update otp_sessions set state = 'verified' where mask_id = ? and state = 'live'`,
    [mask],
  );
  if (found.length !== 1 || updated.affectedRows !== 1) throw new Error('session not found');
  await users.run(n);
}

const STEPS = { send, verify };

async function run({ phase, inFlight, seconds = 60, count = Infinity }) {
  const names = phase === 'cycle' ? ['send', 'verify'] : phase === 'verify' ? ['verify'] : ['send'];
  const times = Object.fromEntries(names.map((name) => [name, []]));
  const started = performance.now();
  const until = started + seconds * 1000;
  let begun = 0;
  let done = 0;
  const loop = async () => {
    while (performance.now() < until && begun < count && (phase !== 'verify' || waiting.length > 0)) {
      begun++;
      let n = phase === 'verify' ? waiting.pop() : undefined;
      for (const name of names) {
        const start = performance.now();
        n = (await STEPS[name](n)) ?? n;
        times[name].push(performance.now() - start);
      }
      if (phase === 'prepare') waiting.push(n);
      done++;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, loop));
  const elapsed = (performance.now() - started) / 1000;
  const latency = Object.fromEntries(names.map((name) => [name, summarize(times[name])]));
  return { done, elapsed, rate: done / elapsed, latency, errors: 0 };
}

process.on('message', async ({ id, ...order }) => {
  try {
    process.send({ id, result: await run(order) });
  } catch (error) {
    process.send({ id, error: error.stack });
  }
});
process.on('disconnect', () => process.exit());
process.send({ ready: true });
