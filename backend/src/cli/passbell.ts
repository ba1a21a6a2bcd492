import { existsSync } from 'node:fs';
import { systemClock } from '../platform/clock.js';
import type { Config } from '../platform/config/config.js';
import { runProgram } from './program.js';

// Only the current user can read the files that the command creates, including the database.
process.umask(0o077);

// Exits without an error when the program that reads the output, such as `head`, stops early.
process.stdout.on('error', () => process.exit());

async function config(): Promise<Config> {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const { readConfig } = await import('../platform/config/config.js');
  return readConfig(process.env);
}

process.exitCode = await runProgram(process.argv.slice(2), {
  // Help and usage errors need neither the database drivers nor the vendors' libraries.
  open: async () => {
    const { createCore } = await import('../core.js');
    const { createLog } = await import('../platform/log.js');
    return createCore(await config(), { log: createLog('silent'), jobs: false });
  },
  config,
  now: () => systemClock.now(),
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
});
// A failed database connection may keep the process alive, so the process exits once the output is written.
process.stdout.write('', () => process.exit());
