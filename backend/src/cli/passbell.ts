/** The process of the operator command. */
import { existsSync } from 'node:fs';
import { systemClock } from '../platform/clock.js';
import { compose } from '../compose.js';
import { readConfig } from '../platform/config/config.js';
import { createLog } from '../platform/log.js';
import { runProgram } from './program.js';

// A reader that stops early, such as `head`, is no failure of the command.
process.stdout.on('error', () => process.exit());

process.exitCode = await runProgram(process.argv.slice(2), {
  async open() {
    if (existsSync('.env')) process.loadEnvFile('.env');
    return compose(readConfig(process.env), { log: createLog('silent') });
  },
  now: () => systemClock.now(),
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
});
// A database that could not be opened may keep the process alive; what was printed has to be out before it ends.
process.stdout.write('', () => process.exit());
