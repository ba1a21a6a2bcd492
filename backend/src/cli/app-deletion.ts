import type { Command } from 'commander';
import { OPERATOR } from '../modules/access/actor.js';
import { DELETION_GRACE_DAYS } from '../modules/applications/deletion-service.js';
import { DASHBOARD_APP_KEY } from '../modules/people/dashboard-application.js';
import { operatorCommand } from '../platform/config/operator-command.js';
import { addAction, addCommand, OperatorError, type Context } from './context.js';
import { isoTime } from './output.js';

export function addAppDeletion(app: Command, context: Context): void {
  addDelete(app, context);
  addRestore(app, context);
}

function addDelete(app: Command, context: Context): void {
  const description = `delete an application; all of its data is erased after ${DELETION_GRACE_DAYS} days`;
  const command = addCommand(app, 'delete', description, ['APP_KEY --confirm "My shop"'])
    .argument('<APP_KEY>', 'App Key of the application')
    .requiredOption('--confirm <NAME>', 'name of the application, to prevent mistakes');
  addAction(command, context, async (appKey: string, { confirm }: { confirm: string }) => {
    const { applications } = await context.core();
    if (appKey === DASHBOARD_APP_KEY)
      throw new OperatorError('this application cannot be deleted, because the dashboard uses it to send codes');
    const { name } = await applications.service.load(appKey);
    if (confirm !== name) throw new OperatorError(`--confirm must be the name of the application: ${name}`);
    const deleteAt = isoTime(await applications.service.remove(OPERATOR, appKey));
    const text = `${name} now rejects all requests. Its data is erased on ${deleteAt}.\nTo restore it until then, run: ${operatorCommand()} app restore ${appKey}`;
    return { data: { appKey, name, deleteAt }, text };
  });
}

function addRestore(app: Command, context: Context): void {
  const description = `restore an application in the ${DELETION_GRACE_DAYS} days after its deletion`;
  const command = addCommand(app, 'restore', description, ['APP_KEY']).argument(
    '<APP_KEY>',
    'App Key of the application',
  );
  addAction(command, context, async (appKey: string) => {
    const { applications } = await context.core();
    const { name } = await applications.service.load(appKey);
    if (!(await applications.service.restore(OPERATOR, appKey)))
      throw new OperatorError(`${name} cannot be restored: it was not deleted, or is being erased`);
    return { data: { appKey, name }, text: `${name} accepts requests again.` };
  });
}
