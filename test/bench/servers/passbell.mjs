/**
 * Starts Passbell with a local fake provider: one process on SQLite, one process with both roles on MySQL and Redis, or
 * an API and a worker process.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cleanEnvironment, runCommand, startCommand, startModule } from './processes.mjs';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const MAIN = at('../../../backend/dist/main.js');
const COMMAND = at('../../../backend/dist/cli/passbell.js');
const PROFILE_HOOK = at('../profile-hook.mjs');

/** As in the image. */
const SOURCE_MAPS = ['--enable-source-maps'];

const READY = /ready at (http:\/\/[^/\s]+)/;

/** All load comes from one application, so its send limits are turned off. Wrong codes still cause a lock. */
const LIMITS_OFF = [
  '--cooldown-seconds',
  '--sends-per-10-minutes',
  '--sends-per-day',
  '--burst-per-second',
  '--burst-per-minute',
  '--wrong-codes-per-hour',
]
  .flatMap((name) => [name, '0'])
  // 0 is an automatic budget.
  .concat('--message-budget-per-day', '1000000');

/**
 * As many codes are in flight at once as an attack would leave unentered. These limits are raised instead of turned off,
 * so that the guard does all of its work.
 */
const FRAUD_LIMITS = ['prefixUnverified', 'rangeUnverified', 'homeUnverified', 'burstUnverified'].map(
  (name) => `${name}=100000`,
);

const storageSettings = (databaseUrl, redisUrl) =>
  databaseUrl ? { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl } : {};

/** Creates the tables. */
export async function createTables(databaseUrl, redisUrl) {
  const env = { ...cleanEnvironment(), SECRET_KEY: randomBytes(32).toString('hex') };
  await runCommand([COMMAND, 'init'], { ...env, ...storageSettings(databaseUrl, redisUrl) });
}

async function createApplication(env) {
  await runCommand([COMMAND, 'init'], env);
  const { appKey, appSecret } = JSON.parse(
    await runCommand([COMMAND, 'app', 'create', '--name', 'Bench', '--json'], env),
  );
  await runCommand([COMMAND, 'app', 'update', appKey, ...LIMITS_OFF, '--wrong-codes-per-lock', '5'], env);
  await runCommand([COMMAND, 'fraud', 'set', appKey, ...FRAUD_LIMITS], env);
  return `clientId: ${appKey}\r\nclientSecret: ${appSecret}\r\n`;
}

/**
 * `databaseUrl` and `redisUrl` select the scaled mode; `workerDatabaseUrl` is the worker's URL for the same database,
 * and undefined if there is no separate worker. `processes` is the number of processes that serve the API. `prepare` is called once the tables exist. `profileTo` is the folder for
 * CPU profiles.
 */
export async function startPassbell({
  name,
  databaseUrl,
  workerDatabaseUrl,
  redisUrl,
  processes = 1,
  waitMs,
  prepare,
  profileTo,
}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'passbell-bench-data-'));
  const sink = await startModule(at('sink.mjs'));
  const env = {
    ...cleanEnvironment(),
    PORT: '0',
    LOG_LEVEL: 'warn',
    DATA_DIR: dataDir,
    SECRET_KEY: randomBytes(32).toString('hex'),
    DEV_INBOX: 'off',
    TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
    TWILIO_AUTH_TOKEN: '0'.repeat(32),
    // A sender number from the recipients' country, so that the fraud guard does not apply its cap for new countries.
    TWILIO_SMS_FROM: '+4915110000000',
    TWILIO_API_URL: sink.ready.url,
    ...storageSettings(databaseUrl, redisUrl),
    ...(waitMs === undefined ? {} : { SEND_WAIT_MS: String(waitMs) }),
  };
  const headers = await createApplication(env);
  await prepare?.();
  const hook = profileTo ? ['--import', PROFILE_HOOK] : [];
  const profiled = profileTo ? { PROFILE_TO: profileTo } : {};
  const apiEnv = { ...env, ROLE: workerDatabaseUrl ? 'api' : 'all', ...profiled };
  const start = (processEnv) => startCommand([...hook, ...SOURCE_MAPS, MAIN], processEnv, READY);
  const apis = await Promise.all(Array.from({ length: processes }, () => start(apiEnv)));
  const workerEnv = { ...env, ROLE: 'worker', DATABASE_URL: workerDatabaseUrl, ...profiled };
  const worker = workerDatabaseUrl && (await start(workerEnv));
  return {
    pids: { server: apis.map(({ pid }) => pid), ...(worker ? { worker: worker.pid } : {}), provider: sink.pid },
    target: { name, kind: 'passbell', origin: apis.map(({ match }) => match[1]), headers },
    /** Number of messages that have reached the provider. */
    delivered: () => sink.call({}),
    async stop() {
      await Promise.all([...apis, worker].map((child) => child?.stop()));
      await sink.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
