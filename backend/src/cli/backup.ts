import type { Command } from 'commander';
import { backUp, recordBackup, restore } from '../platform/backup.js';
import { locationOf } from '../platform/db/database.js';
import { dumpMysql } from '../platform/mysql-dump.js';
import { rehearse, type Rehearsal } from '../platform/rehearse.js';
import { addAction, OperatorError, withExamples, type Context } from './context.js';

const NOT_RECORDED =
  'The time of the backup could not be stored in DATA_DIR, so Home in the dashboard does not count this backup.';
const KEY_NOTICE =
  'SECRET_KEY is a setting, so it is not in the backup. Store the key safely: the data cannot be used without it.';

export function addBackup(backup: Command, context: Context): void {
  withExamples(backup, ['/var/backups/passbell-2026-11-22']).argument('<FOLDER>', 'folder to create');
  addAction(backup, context, async (folder: string) => {
    const config = await context.config();
    const { SECRET_KEY } = config;
    const { url, dataDir, certificates } = locationOf(config);
    const files = url === undefined ? backUp(dataDir, folder) : await dumpMysql({ url, certificates }, folder);
    const isRecorded = url !== undefined || recordBackup(dataDir);
    const notice = [...(SECRET_KEY === undefined ? [] : [KEY_NOTICE]), ...(isRecorded ? [] : [NOT_RECORDED])];
    const text = [`Copied ${files.join(' and ')} to ${folder}.`, 'Store the folder safely: it contains personal data.'];
    return { data: { folder, files }, text: [...text, ...notice].join('\n') };
  });
}

function describe({ tables, rows, newestMessageAt, sealed, unreadable }: Rehearsal): string {
  const newest = newestMessageAt === null ? 'none' : new Date(newestMessageAt).toISOString();
  return [
    `Restored and examined: ${rows} rows in ${tables} tables.`,
    `Newest message: ${newest}.`,
    `Encrypted values: ${sealed}, of which ${unreadable} cannot be decrypted.`,
  ].join('\n');
}

async function rehearseRestore(folder: string, context: Context) {
  const data = await rehearse(folder, await context.config());
  if (data.unreadable > 0)
    throw new OperatorError(
      `the key (SECRET_KEY, or the file secret.key) does not match the backup\n${describe(data)}`,
    );
  return { data, text: `The backup can be restored, and the key matches.\n${describe(data)}` };
}

export function addRestore(command: Command, context: Context): void {
  withExamples(command, ['/var/backups/passbell-2026-11-22', '/var/backups/passbell-2026-11-22 --rehearse'])
    .argument('<FOLDER>', 'folder that "passbell backup" created')
    .option(
      '--rehearse',
      'test the backup: restore it to a temporary folder or database, report its contents, and delete the copy',
    );
  addAction(command, context, async (folder: string, options: { readonly rehearse?: true }) => {
    if (options.rehearse) return rehearseRestore(folder, context);
    const { DATABASE_URL: url, DATA_DIR } = await context.config();
    if (url !== undefined)
      throw new OperatorError('the data is in MySQL: import passbell.sql with the MySQL client instead');
    const files = restore(folder, DATA_DIR);
    const text = `Copied ${files.join(' and ')} to ${DATA_DIR}. Start the server to continue.`;
    return { data: { folder: DATA_DIR, files }, text };
  });
}
