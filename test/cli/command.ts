/** Runs the operator command in this process, on the database of a running service and with its clock. */
import { runProgram } from '../../backend/src/cli/program.js';
import { compose } from '../../backend/src/compose.js';
import { readConfig } from '../../backend/src/platform/config/config.js';
import { createLog } from '../../backend/src/platform/log.js';
import type { Body, TestService } from '../support/service.js';

export interface Run {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** How long a running server may take to follow a change. */
export const CHANGE_MS = 2000;

export async function run(server: Pick<TestService, 'dataDir' | 'clock'>, ...args: string[]): Promise<Run> {
  const { clock, dataDir } = server;
  let out = '';
  let err = '';
  const code = await runProgram(args, {
    open: () => compose(readConfig({ DATA_DIR: dataDir, DEV_INBOX: 'off' }), { clock, log: createLog('silent') }),
    now: clock.now,
    out: (text) => void (out += text),
    err: (text) => void (err += text),
  });
  return { code, out, err };
}

/** The JSON of a command that must succeed. */
export async function json(server: TestService, ...args: string[]): Promise<Body> {
  const { code, out, err } = await run(server, ...args, '--json');
  if (code !== 0 || err !== '') throw new Error(`passbell ${args.join(' ')} ended with ${code}: ${err}`);
  return JSON.parse(out);
}
