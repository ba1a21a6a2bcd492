import type { Command } from 'commander';
import { backUp, restore } from '../platform/backup.js';
import type { Config } from '../platform/config/config.js';
import { addAction, OperatorError, withExamples, type Context } from './context.js';

/** Quotes an argument for a POSIX shell. */
const shellQuote = (text: string): string => (/^[\w.:@/-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

/**
 * Returns the command that backs up the MySQL database. It asks for the password, which must not be in the shell's
 * history.
 */
function mysqldumpLine(databaseUrl: string): string {
  const { hostname, port, username, pathname } = new URL(databaseUrl);
  const [user, name] = [username, pathname.slice(1)].map((part) => shellQuote(decodeURIComponent(part)));
  const options = '--single-transaction --quick --no-tablespaces';
  return `mysqldump ${options} -h ${shellQuote(hostname)} -P ${port || 3306} -u ${user} -p ${name} > passbell.sql`;
}

function requireSqlite({ DATABASE_URL: url }: Config, otherwise: (url: string) => string): void {
  if (url !== undefined) throw new OperatorError(otherwise(url));
}

const KEY_NOTICE = 'SECRET_KEY is a setting, so it is not in the backup. Keep it: the data cannot be used without it.';

export function addBackup(backup: Command, context: Context): void {
  withExamples(backup, ['/var/backups/passbell-2026-11-22']).argument('<FOLDER>', 'folder to create');
  addAction(backup, context, async (folder: string) => {
    const config = await context.config();
    requireSqlite(
      config,
      (url) => `the data is in MySQL. Back it up with:\n\n  ${mysqldumpLine(url)}\n\n${KEY_NOTICE}`,
    );
    const files = backUp(config.DATA_DIR, folder);
    const notice = config.SECRET_KEY === undefined ? [] : [KEY_NOTICE];
    const text = [`Copied ${files.join(' and ')} to ${folder}.`, 'Store the folder safely: it contains personal data.'];
    return { data: { folder, files }, text: [...text, ...notice].join('\n') };
  });
}

export function addRestore(command: Command, context: Context): void {
  withExamples(command, ['/var/backups/passbell-2026-11-22']).argument(
    '<FOLDER>',
    'folder that passbell backup has created',
  );
  addAction(command, context, async (folder: string) => {
    const config = await context.config();
    requireSqlite(config, () => 'the data is in MySQL. Import the dump with the mysql client instead.');
    const files = restore(folder, config.DATA_DIR);
    const text = `Copied ${files.join(' and ')} to ${config.DATA_DIR}. Start the server to continue.`;
    return { data: { folder: config.DATA_DIR, files }, text };
  });
}
