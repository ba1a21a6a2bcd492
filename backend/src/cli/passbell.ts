import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../platform/clock.js';
import type { Config } from '../platform/config/config.js';
import { DOCKER_COMMAND } from '../platform/config/operator-command.js';
import { runProgram } from './program.js';

// Only the current user can read the files that the command creates, including the database.
process.umask(0o077);

// Exits without an error when the program that reads the output, such as `head`, stops early.
process.stdout.on('error', () => process.exit());

/** Only docker-compose.yml uses MYSQL_PASSWORD, so the data is in a container and not in `DATA_DIR`. */
async function runsInDocker({ DATABASE_URL, DATA_DIR }: Config): Promise<boolean> {
  if (!process.env.MYSQL_PASSWORD || DATABASE_URL !== undefined) return false;
  const { DATABASE_FILE } = await import('../platform/data-dir.js');
  return !existsSync(join(DATA_DIR, DATABASE_FILE));
}

async function config(): Promise<Config> {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const { ConfigError, readConfig } = await import('../platform/config/config.js');
  const { withDataDir } = await import('./data-folder.js');
  const { runningServers } = await import('../platform/running-servers.js');
  const settings = readConfig(withDataDir(process.env, runningServers));
  if (await runsInDocker(settings))
    throw new ConfigError([
      `Docker runs Passbell in this folder, so its database is in a container. Run: ${DOCKER_COMMAND} …`,
    ]);
  return settings;
}

process.exitCode = await runProgram(process.argv.slice(2), {
  // Help and usage errors need neither the database drivers nor the vendors' libraries.
  open: async ({ create }) => {
    const { createCore } = await import('../core.js');
    const { createLog } = await import('../platform/log.js');
    return createCore(await config(), { log: createLog('silent'), jobs: false, create });
  },
  config,
  now: () => systemClock.now(),
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
});
// A failed database connection may keep the process alive, so the process exits once the output is written.
process.stdout.write('', () => process.exit());
