import type { Command } from 'commander';
import { DELETION_GRACE_DAYS } from '../modules/applications/deletion-service.js';
import { DASHBOARD_APP_KEY } from '../modules/people/dashboard-application.js';
import { operatorCommand } from '../platform/config/operator-command.js';
import { addAction, addCommand, OperatorError, type Context } from './context.js';
import { addOperation, perform } from './operation.js';

export function addAppDeletion(app: Command, context: Context): void {
  const description = `delete an application; all of its data is erased after ${DELETION_GRACE_DAYS} days`;
  const command = addCommand(app, 'delete', description, ['APP_KEY --confirm "My shop"'])
    .argument('<APP_KEY>', 'App Key of the application')
    .requiredOption('--confirm <NAME>', 'name of the application, to prevent mistakes');
  addAction(command, context, async (application: string, { confirm }: { confirm: string }) => {
    if (application === DASHBOARD_APP_KEY)
      throw new OperatorError('this application cannot be deleted, because the dashboard uses it to send codes');
    const { name, appKey } = await perform(context, 'getApplication', { application });
    if (confirm !== name) throw new OperatorError(`--confirm must be the name of the application: ${name}`);
    const { deleteAt } = await perform(context, 'deleteApplication', { application });
    const text = `${name} now rejects all requests. Its data is erased on ${deleteAt}.\nTo restore the application before then, run: ${operatorCommand()} app restore ${appKey}`;
    return { data: { appKey, name, deleteAt }, text };
  });
  addOperation(app, context, 'restoreApplication', {
    name: 'restore',
    description: `restore an application within ${DELETION_GRACE_DAYS} days of its deletion`,
    examples: ['APP_KEY'],
    json: ({ appKey, name }) => ({ appKey, name }),
    text: ({ name }) => `${name} accepts requests again.`,
  });
}
