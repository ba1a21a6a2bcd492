/** Realistic rows for Passbell's current tables. */
import { createHash, randomBytes } from 'node:crypto';

const HOUR = 3_600_000;

const hex = (text) => createHash('sha256').update(text).digest('hex');

/** Functions that return the value of a column in row `n` of any table, by column name. */
const VALUES = {
  mask_id: (n, seed) => hex(`mask ${seed} ${n}`).slice(0, 32),
  id: (n, seed) => hex(`message ${seed} ${n}`).slice(0, 32),
  message_id: (n, seed) => hex(`message ${seed} ${n}`).slice(0, 32),
  user_id: (n, seed) => `USR-${hex(`user ${seed} ${n}`).slice(0, 32)}`,
  application_id: () => 1_000_000,
  user_application_id: (n) => n,
  account_id: () => 1,
  identity_type: () => 'phone',
  identity: (n, seed) => `+49160${seed}${n}`,
  recipient: (n, seed) => `+49160${seed}${n}`,
  recipient_key: (n, seed) => hex(`recipient ${seed} ${n}`),
  channel: () => 'SMS',
  template: () => 'otp',
  request_id: () => '00000000-0000-4000-8000-000000000000',
  plan: () => '["SMS"]',
  tried: () => '[{"channel":"SMS","success":true,"message":"sent"}]',
  payload: () => null,
  provider_id: (n) => `SM${String(n).padStart(32, '0')}`,
  code_hash: () => `bench.${'h'.repeat(43)}`,
  code_length: () => 6,
  attempts: () => 1,
  crashes: () => 0,
  guesses: () => 0,
  locked_until: () => 0,
  due_at: () => null,
  created_at: () => Date.now(),
  last_verified_at: () => Date.now(),
  finished_at: () => Date.now(),
  expires_at: () => Date.now() + 24 * HOUR,
};

const STATES = { otp_sessions: 'live', messages: 'sent' };

/** Returns a random seed, so that rows of several runs do not collide. */
export const newSeed = () => randomBytes(3).toString('hex');

/** Returns the columns to fill, and a function that generates the values of a row. */
export async function shapeOf(connection, table) {
  const [columns] = await connection.query(
    `select column_name as name, is_nullable as nullable, column_default as fallback, extra
       from information_schema.columns where table_schema = database() and table_name = ?`,
    [table],
  );
  const filled = columns.filter(({ extra }) => !/auto_increment|generated/i.test(extra));
  const generators = filled.map(({ name, nullable, fallback }) => {
    const generate = name === 'state' && STATES[table] ? () => STATES[table] : VALUES[name];
    if (!generate && nullable === 'NO' && fallback === null)
      throw new Error(`the benchmark has no value for ${table}.${name}: add it to shapes.mjs`);
    return generate && { name, generate };
  });
  const known = generators.filter(Boolean);
  return {
    columns: known.map(({ name }) => name),
    row: (n, seed) => known.map(({ generate }) => generate(n, seed)),
  };
}
