import { resolve, join } from 'node:path';
import type { Command } from 'commander';
import { SECRET_KEY_FILE } from '../platform/data-dir.js';
import type { Config } from '../platform/config/config.js';
import { locationOf, type DatabaseLocation } from '../platform/db/database.js';
import { cancelMove, moveDatabase } from '../platform/move/move.js';
import { addAction, OperatorError, withExamples, type Context } from './context.js';

interface Options {
  readonly finish?: true;
  readonly cancel?: true;
}

function targetOf(config: Config, folder: string | undefined): DatabaseLocation {
  const { DATABASE_URL: from, MOVE_DATABASE_URL: url } = config;
  if (from !== undefined && folder !== undefined) return { url: undefined, dataDir: folder };
  if (from !== undefined) throw new OperatorError('the data is in MySQL: specify the folder for the SQLite database');
  if (url === undefined || folder !== undefined)
    throw new OperatorError(
      'the data is in SQLite: set MOVE_DATABASE_URL to an empty MySQL database, and do not specify a folder',
    );
  return { ...locationOf(config), url };
}

/** Returns the settings of the server after the move, without the values of secrets. */
function newSettings({ DATABASE_URL: from, DATA_DIR, SECRET_KEY }: Config, folder: string | undefined): string[] {
  if (from !== undefined) return [`DATA_DIR=${resolve(folder!)}`, 'DATABASE_URL and REDIS_URL removed'];
  const key = SECRET_KEY === undefined ? [`SECRET_KEY_FILE=${resolve(join(DATA_DIR, SECRET_KEY_FILE))}`] : [];
  return ['DATABASE_URL=…   (the value of MOVE_DATABASE_URL)', 'REDIS_URL=redis://…', ...key];
}

export function complete(command: Command, context: Context): void {
  withExamples(command, ['', '--finish', '--cancel', '/var/lib/passbell --finish'])
    .argument(
      '[FOLDER]',
      'new folder for SQLite; without it, the data moves to the MySQL database in MOVE_DATABASE_URL',
    )
    .option('--finish', 'complete the move; sends fail until you restart the server with the new settings')
    .option('--cancel', 'cancel the move, so that the server can use the old database');
  addAction(command, context, async (folder: string | undefined, { finish, cancel }: Options) => {
    const config = await context.config();
    const from = locationOf(config);
    const to = targetOf(config, folder);
    if (cancel) {
      await cancelMove({ from, to });
      return { data: {}, text: 'Canceled. The server can use the old database.' };
    }
    const report = (text: string) => context.err(`${text}\n`);
    const moved = await moveDatabase({ from, to, now: context.now, report }, finish === true);
    if (moved === undefined)
      return {
        data: {},
        text: 'All rows are copied. New changes are recorded until you complete the move with --finish.',
      };
    const settings = newSettings(config, folder).map((line) => `\n  ${line}`);
    if (moved === 'moved earlier')
      return { data: {}, text: ['The move is complete. Restart the server with:', ...settings].join('') };
    const { rows, tables, closedMs } = moved;
    const text = `Moved ${rows} rows of ${tables} tables. Changes have been rejected for ${closedMs / 1000} seconds. Now restart the server with:`;
    return { data: moved, text: [text, ...settings].join('') };
  });
}
