import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { OPERATOR } from '../modules/access/actor.js';
import { COLUMNS, columnsOf } from '../modules/suppressions/suppression.js';
import { addAccountAction } from './account-option.js';
import { addCommand, OperatorError, type Context } from './context.js';
import { addOperation } from './operation.js';
import { formatTable } from './output.js';

export function complete(group: Command, context: Context): void {
  addList(group, context);
  addOperation(group, context, 'removeSuppression', {
    name: 'remove',
    examples: ['ana@example.com'],
    arguments: ['address'],
    text: () => 'Address removed.',
  });
  addImport(group, context);
}

function addList(group: Command, context: Context): void {
  const description = 'list email addresses that an account does not send to';
  const list = addCommand(group, 'list', description, ['--search example.com', '--json']);
  list.option('--search <TEXT>', 'only addresses that contain this text', '');
  addAccountAction(list, context, async (core, accountId, { search }: { search: string }) => {
    const data = await core.suppressions.service.list(OPERATOR, accountId, search, true);
    return { data, text: formatTable([...COLUMNS], data.map(columnsOf), 'No address is suppressed.') };
  });
}

function addImport(group: Command, context: Context): void {
  const description = 'suppress the email addresses in a CSV file';
  const command = addCommand(group, 'import', description, ['bounced.csv']);
  command.argument('<FILE>', 'CSV file with email addresses in its first column');
  addAccountAction(command, context, async (core, accountId, path: string) => {
    const data = await core.suppressions.service.importList(OPERATOR, accountId, readFileSync(path, 'utf8'));
    if (data.wrongLines.length > 0)
      throw new OperatorError(
        `nothing was imported: these lines contain no email address: ${data.wrongLines.join(', ')}`,
      );
    return { data, text: `Added addresses: ${data.added}.` };
  });
}
