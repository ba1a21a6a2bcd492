/** Runs the operator command in this process, on the database of a running service and with its clock. */
import { runProgram } from '../../backend/src/cli/program.js';
import { createCore } from '../../backend/src/core.js';
import { readConfig } from '../../backend/src/platform/config/config.js';
import { createLog } from '../../backend/src/platform/log.js';
import { NO_DNS, type Body, type TestService } from '../support/service.js';

export interface Run {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Maximum time in which a running server applies a change. */
export const CHANGE_MS = 2000;

/** `settings` are additional environment settings for the command, for example for a provider. */
type Server = Pick<TestService, 'dataDir' | 'clock'> & { readonly settings?: Record<string, string> };

export async function run(server: Server, ...args: string[]): Promise<Run> {
  const { clock, dataDir, settings } = server;
  let out = '';
  let err = '';
  const config = async () => readConfig({ ...NO_DNS, ...settings, DATA_DIR: dataDir, DEV_INBOX: 'off' });
  const code = await runProgram(args, {
    open: async ({ create }) => createCore(await config(), { clock, log: createLog('silent'), jobs: false, create }),
    config,
    now: clock.now,
    out: (text) => void (out += text),
    err: (text) => void (err += text),
  });
  return { code, out, err };
}

/** Runs a command that must succeed, and parses the JSON that it prints. */
export async function json(server: Server, ...args: string[]): Promise<Body> {
  const { code, out, err } = await run(server, ...args, '--json');
  if (code !== 0 || err !== '') throw new Error(`passbell ${args.join(' ')} ended with ${code}: ${err}`);
  return JSON.parse(out);
}

/** Returns the audit entries that the command has stored, oldest first, without account and time. */
export async function auditLog(server: TestService): Promise<Body[]> {
  const db = server.openDatabase();
  const entries = await db('audit_entries').where({ actor: 'operator' }).orderBy('id');
  await db.destroy();
  return entries.map(({ account_id: _account, created_at: _time, id: _id, ...entry }: Body) => ({
    ...entry,
    changes: JSON.parse(entry.changes),
  }));
}
